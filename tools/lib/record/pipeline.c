/* The pipeline record. */
#include "pipeline.h"

const char *const mixes_names[] = { "all", "yaml", "uniform", NULL };

static const struct field pipeline_field[] = {
	REQUIRED(pipeline, stages, POSITIVE),
	REQUIRED(pipeline, micro_batches, POSITIVE),
	REQUIRED(pipeline, interleave, POSITIVE),
	CHOICE(pipeline, schedule, false, schedule_names),
	REQUIRED(pipeline, memory_limit, POSITIVE),
	OPTIONAL(pipeline, seq_split, POSITIVE),
	OPTIONAL(pipeline, group, POSITIVE),
	OPTIONAL(pipeline, comm_time, NONNEGATIVE),
	CHOICE(pipeline, transfers, true, transfers_names),
	OPTIONAL(pipeline, micro_factor, NONNEGATIVE),
	OPTIONAL(pipeline, overlap, POSITIVE),
	CHOICE(pipeline, mixes, true, mixes_names),
	OPTIONAL(pipeline, order, LINES),
};
const struct fields pipeline_fields = FIELDS(pipeline, "pipeline");

struct shape
pipeline_shape(const struct pipeline *p)
{
	return (struct shape){
		.kind = (enum schedule_kind)p->schedule,
		.stages = p->stages,
		.chunks = p->interleave,
		.micro = p->micro_batches,
		.splits = p->seq_split,
		.group = p->group,
		.order = p->order,
		.fixed = p->transfers != TRANSFERS_HIDDEN && p->comm_time > 0,
	};
}

void
pipeline_check(const struct pipeline *p, struct place at)
{
	struct shape shape = pipeline_shape(p);
	const char *problem;

	if (p->memory_limit.n != 1 && p->memory_limit.n != p->stages)
		place_die(at, "pipeline: memory_limit: %d numbers for %d stages", p->memory_limit.n, p->stages);
	if (p->micro_factor.n > 1 && p->micro_factor.n != p->micro_batches)
		place_die(at, "pipeline: micro_factor: %d numbers for %d micro-batches", p->micro_factor.n,
		    p->micro_batches);
	if (p->order != NULL && p->schedule != SCHEDULE_CUSTOM)
		place_die(at, "pipeline: order is for the schedule custom, not '%s'", schedule_names[p->schedule]);
	if (p->overlap > 1)
		place_die(at, "pipeline: overlap: more than 1 '%g'", p->overlap);
	problem = p->schedule == SCHEDULE_CUSTOM ? schedule_problem(&shape) : NULL;
	if (problem != NULL)
		place_die(at, "pipeline: %s", problem);
}
