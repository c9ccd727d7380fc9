#include "profile.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"

void
profile_write(FILE *out, const struct profile *p)
{
	struct chunks c = { .name = xstrdup(p->name), .schedule = p->schedule, .micro_batches = p->micro };

	c.forward = table_copy(p->forward);
	GIVE(chunks, &c, backward, table_copy(p->backward));
	if (p->forward_factor.at != NULL)
		GIVE(chunks, &c, forward_factor, table_copy(p->forward_factor));
	if (p->backward_factor.at != NULL)
		GIVE(chunks, &c, backward_factor, table_copy(p->backward_factor));
	if (p->forward_sample.at != NULL) {
		GIVE(chunks, &c, forward_sample, table_copy(p->forward_sample));
		GIVE(chunks, &c, backward_sample, table_copy(p->backward_sample));
	}
	if (p->comm_time.n > 0) {
		GIVE(chunks, &c, comm_time, list_copy(p->comm_time));
		GIVE(chunks, &c, transfers, p->transfers);
	}
	if (p->send[0].n > 0)
		GIVE(chunks, &c, send_delay_forward, list_copy(p->send[0]));
	if (p->send[1].n > 0)
		GIVE(chunks, &c, send_delay_backward, list_copy(p->send[1]));
	if (p->post > 0)
		GIVE(chunks, &c, post_time, p->post);
	if (p->overhead.n > 0)
		GIVE(chunks, &c, overhead, list_copy(p->overhead));
	if (p->early.n > 0)
		GIVE(chunks, &c, overhead_early, list_copy(p->early));
	record_put(out, RECORD_CHUNKS, &c);
	fields_free(&chunks_fields, &c);
}

void
profile_write_job(FILE *out, const struct profile *p)
{
	struct measured_job j = { .given = 0 };
	double mean = 0;

	GIVE(measured_job, &j, stages, p->stages);
	GIVE(measured_job, &j, micro_batches, p->micro);
	if (p->chunks > 1)
		GIVE(measured_job, &j, interleave, p->chunks);
	for (int i = 0; i < p->comm_time.n; i++)
		mean += p->comm_time.at[i] / p->comm_time.n;
	/* One time goes with any number of stages; where a link is slow, which one it is matters more. */
	if (p->comm_time.n > 0) {
		GIVE(measured_job, &j, comm_time, p->uneven ? p->comm_time : ((struct list){ 1, &mean }));
		GIVE(measured_job, &j, transfers, p->transfers);
	}
	if (p->micro_sample.n > 0)
		GIVE(measured_job, &j, micro_sample, p->micro_sample);
	record_put(out, RECORD_JOB, &j);
}

void
profile_write_timing(FILE *out, const struct profile *p, int stage, enum timing_phase phase, const double sum[], int n,
    int events)
{
	struct timing t = { .name = xstrdup("stage"), .phase = (int)phase, .instances = 1, .events = events,
	    .steps = n };
	double *sorted = xcalloc((size_t)n, sizeof *sorted);

	memcpy(sorted, sum, (size_t)n * sizeof *sorted);
	numbers_sort(sorted, (size_t)n);
	for (int i = 0; i < n; i++)
		t.total += sum[i];
	GIVE(timing, &t, min, sorted[0]);
	GIVE(timing, &t, median, sorted[n / 2]);
	GIVE(timing, &t, max, sorted[n - 1]);
	GIVE(timing, &t, stage, stage);
	if (p->source != NULL)
		GIVE(timing, &t, source, xstrdup(p->source));
	record_put(out, RECORD_TIMING, &t);
	fields_free(&timing_fields, &t);
	free(sorted);
}

void
profile_free(struct profile *p)
{
	free(p->name);
	free(p->source);
	free(p->forward.at);
	free(p->backward.at);
	free(p->forward_factor.at);
	free(p->backward_factor.at);
	free(p->forward_sample.at);
	free(p->backward_sample.at);
	free(p->micro_sample.at);
	free(p->overhead.at);
	free(p->send[0].at);
	free(p->send[1].at);
	free(p->early.at);
	free(p->comm_time.at);
	*p = (struct profile){ 0 };
}
