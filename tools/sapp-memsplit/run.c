#include "run.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"

/* Return the ms of a step outside of the pipeline, without waiting for other stages; negative: unknown. */
static double
outside(const struct measured_step *r)
{
	if (GIVEN(measured_step, r, before) || GIVEN(measured_step, r, after))
		return r->before + r->after;
	return GIVEN(measured_step, r, pipeline) ? fmax(r->time - r->pipeline, 0) : -1;
}

void
run_overhead(struct model *m, const struct input *in)
{
	int stages = in->init.stages, known = 0;
	struct list each;
	double all = -1, most = -1;

	if (GIVEN(model, m, overhead))
		return;
	each = list_new(stages);
	for (int s = 0; s < stages; s++)
		each.at[s] = -1;
	for (size_t i = 0; i < in->stream.n; i++) {
		const struct measured_step *r = &in->stream.at[i].step;
		double x;

		if (in->stream.at[i].kind != RECORD_STEP || (x = outside(r)) < 0)
			continue;
		if (GIVEN(measured_step, r, stage) && r->stage >= stages)
			place_die(in->stream.at[i].place, "step: stage %d, but there are %d stages", r->stage, stages);
		if (GIVEN(measured_step, r, stage))
			each.at[r->stage] = fmax(each.at[r->stage], x);
		else
			all = fmax(all, x);
		most = fmax(most, x);
	}
	for (int s = 0; s < stages; s++)
		known += each.at[s] >= 0;
	if (known == stages) {
		GIVE(model, m, overhead, each);
		return;
	}
	free(each.at);
	if (most < 0)
		return;
	GIVE(model, m, overhead, list_new(1));
	m->overhead.at[0] = all >= 0 ? all : most;
}

/* Return the median of the measured transfer times; negative: none exist. */
static double
transfer(const struct records *stream)
{
	double *x = xcalloc(stream->n, sizeof *x), middle = -1;
	size_t n = 0;

	for (size_t i = 0; i < stream->n; i++)
		if (stream->at[i].kind == RECORD_STEP && GIVEN(measured_step, &stream->at[i].step, transfer))
			x[n++] = stream->at[i].step.transfer;
	if (n > 0)
		middle = numbers_median(x, n);
	free(x);
	return middle;
}

void
run_write(FILE *out, const struct input *in)
{
	struct measured_job j = { .given = 0 };
	double way = transfer(&in->stream);

	GIVE(measured_job, &j, stages, in->init.stages);
	if (in->init.micro_batches > 0)
		GIVE(measured_job, &j, micro_batches, in->init.micro_batches);
	if (in->job.memory_limit.n > 0)
		GIVE(measured_job, &j, memory_limit, in->job.memory_limit);
	if (way >= 0) {
		GIVE(measured_job, &j, comm_time, ((struct list){ 1, &way }));
		GIVE(measured_job, &j, transfers, TRANSFERS_BATCHED);
	}
	record_put(out, RECORD_JOB, &j);
}
