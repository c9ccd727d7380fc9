#include "profile.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"

void
profile_write(FILE *out, struct profile *p)
{
	struct chunks *c = &p->of;
	const struct { bool known; size_t member; } optional[] = {
		{ true, offsetof(struct chunks, backward) },
		{ c->forward_factor.at != NULL, offsetof(struct chunks, forward_factor) },
		{ c->backward_factor.at != NULL, offsetof(struct chunks, backward_factor) },
		{ c->forward_sample.at != NULL, offsetof(struct chunks, forward_sample) },
		{ c->backward_sample.at != NULL, offsetof(struct chunks, backward_sample) },
		{ c->comm_time.n > 0, offsetof(struct chunks, comm_time) },
		{ c->comm_time.n > 0, offsetof(struct chunks, transfers) },
		{ c->send_delay_forward.n > 0, offsetof(struct chunks, send_delay_forward) },
		{ c->send_delay_backward.n > 0, offsetof(struct chunks, send_delay_backward) },
		{ c->post_time > 0, offsetof(struct chunks, post_time) },
		{ c->overhead.n > 0, offsetof(struct chunks, overhead) },
		{ c->overhead_early.n > 0, offsetof(struct chunks, overhead_early) },
	};

	for (size_t i = 0; i < sizeof optional / sizeof optional[0]; i++)
		if (optional[i].known)
			field_give(&chunks_fields, c, optional[i].member);
	record_put(out, RECORD_CHUNKS, c);
}

void
profile_write_job(FILE *out, const struct profile *p)
{
	const struct chunks *c = &p->of;
	struct measured_job j = { .given = 0 };
	double mean = 0;

	GIVE(measured_job, &j, stages, c->forward.stages);
	GIVE(measured_job, &j, micro_batches, c->micro_batches);
	if (c->forward.chunks > 1)
		GIVE(measured_job, &j, interleave, c->forward.chunks);
	for (int i = 0; i < c->comm_time.n; i++)
		mean += c->comm_time.at[i] / c->comm_time.n;
	/*
	 * The mean transfer time of all links is valid for any number of stages. If a link is slow, write the time of
	 * each link instead.
	 */
	if (c->comm_time.n > 0) {
		GIVE(measured_job, &j, comm_time, p->uneven ? c->comm_time : ((struct list){ 1, &mean }));
		GIVE(measured_job, &j, transfers, c->transfers);
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
	fields_free(&chunks_fields, &p->of);
	free(p->source);
	free(p->micro_sample.at);
	*p = (struct profile){ 0 };
}
