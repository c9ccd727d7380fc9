#include "pipeline.h"

#include <stdlib.h>

#include "lib/base/alloc.h"

const char *const mixes_names[] = { "all", "yaml", "uniform", NULL };

enum { STAGES_MOST = 10000, MICRO_BATCHES_MOST = 10000000 };

static const struct field pipeline_field[] = {
	REQUIRED(pipeline, stages, POSITIVE),
	REQUIRED(pipeline, micro_batches, POSITIVE),
	REQUIRED(pipeline, interleave, POSITIVE),
	CHOICE(pipeline, schedule, false, schedule_names),
	REQUIRED(pipeline, memory_limit, POSITIVE),
	OPTIONAL(pipeline, seq_split, POSITIVE),
	OPTIONAL(pipeline, group, POSITIVE),
	OPTIONAL(pipeline, comm_time, NONNEGATIVE),
	OPTIONAL(pipeline, speed, POSITIVE),
	OPTIONAL(pipeline, offload, POSITIVE),
	CHOICE(pipeline, transfers, true, transfers_names),
	OPTIONAL(pipeline, micro_factor, NONNEGATIVE),
	OPTIONAL(pipeline, spread, NONNEGATIVE),
	OPTIONAL(pipeline, overlap, POSITIVE),
	CHOICE(pipeline, mixes, true, mixes_names),
	OPTIONAL(pipeline, empty, ANY),
	OPTIONAL(pipeline, fixed_order, ANY),
	OPTIONAL(pipeline, order, LINES),
};
const struct fields pipeline_fields = EXACT_FIELDS(pipeline, "pipeline");

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
		.fixed = p->fixed_order,
	};
}

struct devices
pipeline_devices(const struct pipeline *p)
{
	return (struct devices){ .speed = p->speed, .delay = p->comm_time, .overlap = p->overlap,
	    .transfers = (enum transfer_mode)p->transfers };
}

double
devices_overlap(const struct devices *d)
{
	return d->overlap > 0 ? d->overlap : 1;
}

bool
devices_delayed(const struct devices *d)
{
	return list_any(d->delay);
}

double
devices_pace(const struct devices *d, int stage)
{
	return d->speed.n == 0 ? 1 : 1 / list_get(d->speed, stage);
}

double
devices_delay(const struct devices *d, int stages, int edge)
{
	if (d->delay.n <= 1)
		return d->delay.n == 0 ? 0 : d->delay.at[0];
	return edge < stages && edge < d->delay.n ? d->delay.at[edge] : 0;
}

char *
boundaries_problem(struct list l, int stages)
{
	if (l.n > 1 && l.n != stages && l.n != stages - 1)
		return xasprintf("%d numbers for the boundaries of %d stages", l.n, stages);
	/* With 2 stages, the transfer from the last stage to the first crosses the same boundary. */
	if (stages == 2 && l.n == 2 && l.at[0] != l.at[1])
		return xasprintf("two numbers for the one boundary of 2 stages '%g' '%g'", l.at[0], l.at[1]);
	return NULL;
}

/*
 * In schedules where two stages hold the same pieces, both stages must have equal devices, because one plan serves
 * both.
 */
static char *
mirror_problem(const struct devices *d, int stages)
{
	for (int s = 0; s < stages / 2; s++) {
		int other = stages - 1 - s;

		if (d->speed.n > 1 && d->speed.at[s] != d->speed.at[other])
			return xasprintf("speed: stages %d and %d hold the same pieces, but have different speeds", s,
			    other);
		if (d->delay.n > 1 && d->delay.at[s] != d->delay.at[other - 1])
			return xasprintf("comm_time: stages %d and %d hold the same pieces, but the boundaries after "
			    "stages %d and %d differ", s, other, s, other - 1);
	}
	return NULL;
}

char *
devices_problem(const struct devices *d, const struct shape *q)
{
	char *wrong = boundaries_problem(d->delay, q->stages), *named;

	if (wrong != NULL) {
		named = xasprintf("comm_time: %s", wrong);
		free(wrong);
		return named;
	}
	if (d->speed.n > 1 && d->speed.n != q->stages)
		return xasprintf("speed: %d numbers for %d stages", d->speed.n, q->stages);
	return schedule_mirrored(q->kind) ? mirror_problem(d, q->stages) : NULL;
}

void
pipeline_check(const struct pipeline *p, struct place at)
{
	struct shape shape = pipeline_shape(p);
	struct devices devices = pipeline_devices(p);
	const char *problem;
	char *wrong;

	/* These limits keep all products of counts within an int. */
	if (p->stages > STAGES_MOST)
		place_die(at, "pipeline: stages: above %d '%d'", STAGES_MOST, p->stages);
	if (p->interleave > STAGES_MOST)
		place_die(at, "pipeline: interleave: above %d '%d'", STAGES_MOST, p->interleave);
	if (p->micro_batches > MICRO_BATCHES_MOST)
		place_die(at, "pipeline: micro_batches: above %d '%d'", MICRO_BATCHES_MOST, p->micro_batches);
	wrong = devices_problem(&devices, &shape);
	if (wrong != NULL)
		place_die(at, "pipeline: %s", wrong);

	if (p->memory_limit.n != 1 && p->memory_limit.n != p->stages)
		place_die(at, "pipeline: memory_limit: %d numbers for %d stages", p->memory_limit.n, p->stages);
	if (p->micro_factor.n > 1 && p->micro_factor.n != p->micro_batches)
		place_die(at, "pipeline: micro_factor: %d numbers for %d micro-batches", p->micro_factor.n,
		    p->micro_batches);
	if (p->order != NULL && p->schedule != SCHEDULE_CUSTOM)
		place_die(at, "pipeline: order: only with the schedule custom, not '%s'", schedule_names[p->schedule]);
	if (p->overlap > 1)
		place_die(at, "pipeline: overlap: above 1 '%g'", p->overlap);
	problem = p->schedule == SCHEDULE_CUSTOM ? schedule_problem(&shape) : NULL;
	if (problem != NULL)
		place_die(at, "pipeline: %s", problem);
}
