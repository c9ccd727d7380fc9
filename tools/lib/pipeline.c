/* The pipeline record. */
#include "pipeline.h"

#include "schedule.h"

static const struct field pipeline_field[] = {
	REQUIRED(pipeline, stages, POSITIVE),
	REQUIRED(pipeline, micro_batches, POSITIVE),
	REQUIRED(pipeline, interleave, POSITIVE),
	CHOICE(pipeline, schedule, false, schedule_names),
	REQUIRED(pipeline, memory_limit, POSITIVE),
	OPTIONAL(pipeline, seq_split, POSITIVE),
	OPTIONAL(pipeline, group, POSITIVE),
	OPTIONAL(pipeline, comm_time, NONNEGATIVE),
};
const struct fields pipeline_fields = FIELDS(pipeline, "pipeline");

void
pipeline_check(const struct pipeline *p, struct place at)
{
	if (p->memory_limit.n != 1 && p->memory_limit.n != p->stages)
		place_die(at, "pipeline: memory_limit: %d numbers for %d stages", p->memory_limit.n, p->stages);
}
