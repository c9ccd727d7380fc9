#include "points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/slurp.h"
#include "lib/base/sorted.h"
#include "lib/schedule/schedule.h"

static int
by_line_and_limit(const void *pa, const void *pb)
{
	const struct point *a = pa, *b = pb;
	const int ka[] = { a->stages, a->micro_batches, a->interleave, a->schedule };
	const int kb[] = { b->stages, b->micro_batches, b->interleave, b->schedule };
	const int model = strcmp(a->model, b->model);

	if (model != 0)
		return model;
	for (size_t i = 0; i < sizeof ka / sizeof *ka; i++)
		if (ka[i] != kb[i])
			return ka[i] < kb[i] ? -1 : 1;
	if (a->limit != b->limit)
		return a->limit < b->limit ? -1 : 1;
	return (a->time > b->time) - (a->time < b->time);
}

bool
points_same_line(const struct point *a, const struct point *b)
{
	return strcmp(a->model, b->model) == 0 && a->stages == b->stages &&
	    a->micro_batches == b->micro_batches && a->interleave == b->interleave &&
	    a->schedule == b->schedule;
}

/* A plan answers the question before it, for the model before it. */
struct points
points_read(char *const operands[])
{
	struct points p = { 0 };
	struct reader in;
	struct record rec;
	struct pipeline asked = { 0 };
	char *model = xstrdup("");
	double limit = 0;

	reader_open(&in, operands, RECORDS(RECORD_MODEL) | RECORDS(RECORD_PIPELINE) |
	    RECORDS(RECORD_PLAN) | RECORDS(RECORD_ESTIMATE));
	while (reader_next(&in, &rec)) {
		if (rec.kind == RECORD_MODEL) {
			free(model);
			model = xstrdup(rec.model.name);
		} else if (rec.kind == RECORD_PIPELINE) {
			asked = rec.pipeline;
			limit = rec.pipeline.memory_limit.at[0];
			for (int i = 1; i < rec.pipeline.memory_limit.n; i++)
				limit = fmax(limit, rec.pipeline.memory_limit.at[i]);
		} else if (rec.kind == RECORD_ESTIMATE) {
			records_add(&p.estimates, &rec);
			continue;
		} else if (rec.kind == RECORD_PLAN) {
			const struct plan *plan = &rec.plan;

			if (asked.stages == 0)
				place_die(rec.place, "plan: no pipeline record before it");
			*APPEND(p.at, p.n) = (struct point){ .model = xstrdup(model), .name = xstrdup(plan->name),
				.stages = plan->offset.stages, .schedule = plan->schedule, .limit = limit,
				.micro_batches = plan->micro_batches > 0 ? plan->micro_batches : asked.micro_batches,
				.interleave = plan->interleave, .time = plan->step_time, .bound = plan->lower_bound,
				.excess = plan->excess,
				.none = GIVEN(plan, plan, status) && plan->status == PLAN_INFEASIBLE };
		}
		record_free(&rec);
	}
	reader_close(&in);
	free(model);
	p.end = (struct place){ slurp_name(operands[0] != NULL ? operands[0] : "-"), 0 };
	SORT(p.at, p.n, by_line_and_limit);
	return p;
}

void
points_free(struct points *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->at[i].model);
		free(p->at[i].name);
	}
	free(p->at);
	records_free(&p->estimates);
	*p = (struct points){ 0 };
}

struct varies
points_vary(const struct points *p)
{
	struct varies v = { 0 };

	for (size_t i = 1; i < p->n; i++) {
		v.model |= strcmp(p->at[i].model, p->at[0].model) != 0;
		v.stages |= p->at[i].stages != p->at[0].stages;
		v.micro_batches |= p->at[i].micro_batches != p->at[0].micro_batches;
	}
	return v;
}

char *
points_line_name(const struct point *p, const struct varies *v)
{
	char *model = v->model ? xasprintf("%s: ", p->model) : xstrdup("");
	char *stages = v->stages ? xasprintf(", %d stages", p->stages) : xstrdup("");
	char *micro = v->micro_batches ? xasprintf(", %d micro-batches", p->micro_batches) : xstrdup("");
	char *chunks = p->interleave > 1 ? xasprintf(", %d chunks", p->interleave) : xstrdup("");
	char *name = xasprintf("%s%s%s%s%s", model, schedule_names[p->schedule], chunks, stages, micro);

	free(model);
	free(stages);
	free(micro);
	free(chunks);
	return name;
}
