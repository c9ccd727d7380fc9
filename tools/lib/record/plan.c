#include "plan.h"

static const char *const origin_names[] = { "planner", "naive", "manual", NULL };
const char *const plan_status_names[] = { "optimal", "feasible", "infeasible", NULL };

#define KIND(k, name) NAMED(name, body_counts, kind[k], true, NONNEGATIVE)
static const struct field body_counts_field[] = {
	KIND(RECOMPUTE_NONE, "none"),
	KIND(RECOMPUTE_SELECT, "select"),
	KIND(RECOMPUTE_COMM, "comm"),
	KIND(RECOMPUTE_BOTH, "both"),
	KIND(RECOMPUTE_FULL, "full"),
};

static const struct field other_kind = NAMED(NULL, body_counts, kind[RECOMPUTE_BUILT_IN], true, NONNEGATIVE);

static int
other(const char *name, struct place at)
{
	return recompute_kind(name, at) - RECOMPUTE_BUILT_IN;
}

const struct fields body_counts_fields = { .name = "counts", .size = sizeof(struct body_counts),
	.n = RECOMPUTE_BUILT_IN, .field = body_counts_field, .others = &other_kind,
	.nothers = RECOMPUTE_KINDS - RECOMPUTE_BUILT_IN, .other = other,
	.other_names = recompute_names + RECOMPUTE_BUILT_IN };

static const struct field plan_field[] = {
	REQUIRED(plan, name, ANY),
	CHOICE(plan, origin, false, origin_names),
	CHOICE(plan, schedule, false, schedule_names),
	REQUIRED(plan, interleave, POSITIVE),
	OPTIONAL(plan, micro_batches, POSITIVE),
	NESTED(FIELD_MAP, plan, counts, false, &body_counts_fields),
	NESTED(FIELD_MAP, plan, ends, true, &body_counts_fields),
	REQUIRED(plan, offset, ANY),
	REQUIRED(plan, recompute, NONNEGATIVE),
	REQUIRED(plan, select_recompute, NONNEGATIVE),
	REQUIRED(plan, select_comm_recompute, NONNEGATIVE),
	OPTIONAL(plan, step_time, NONNEGATIVE),
	OPTIONAL(plan, step_p50, NONNEGATIVE),
	OPTIONAL(plan, step_p90, NONNEGATIVE),
	OPTIONAL(plan, lower_bound, NONNEGATIVE),
	OPTIONAL(plan, gap, ANY),
	CHOICE(plan, status, true, plan_status_names),
	OPTIONAL(plan, target, ANY),
	OPTIONAL(plan, picture, ANY),
	OPTIONAL(plan, solve_seconds, NONNEGATIVE),
	OPTIONAL(plan, excess, ANY),
	OPTIONAL(plan, excess_at_least, POSITIVE),
	OPTIONAL(plan, binding_stage, NONNEGATIVE),
};
const struct fields plan_fields = FIELDS(plan, "plan");

struct shape
plan_shape(const struct plan *p, const struct pipeline *asked)
{
	static const struct pipeline none;
	struct shape q = pipeline_shape(asked != NULL ? asked : &none);

	if (q.kind != (enum schedule_kind)p->schedule)
		q.order = NULL;
	q.kind = (enum schedule_kind)p->schedule;
	if (asked == NULL)
		q.stages = p->offset.stages;
	q.chunks = p->interleave;
	if (p->micro_batches > 0)
		q.micro = p->micro_batches;
	return q;
}

static void
counts_check(const struct plan *p, const struct array *all, const char *name, struct place at)
{
	const struct body_counts *body = all->at;

	for (int b = 0; b < all->n; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			struct grid g = body[b].kind[k];

			if (g.chunks != 0 && (g.chunks != p->interleave || g.stages != p->offset.stages))
				place_die(at, "plan: %s: %s: %s: %d x %d entries, not %d x %d", name, body[b].name,
				    recompute_names[k], g.chunks, g.stages, p->interleave, p->offset.stages);
		}
}

void
plan_check(const struct plan *p, struct place at)
{
	struct { const char *name; struct grid grid; } list[] = {
		{ "offset", p->offset },
		{ "recompute", p->recompute },
		{ "select_recompute", p->select_recompute },
		{ "select_comm_recompute", p->select_comm_recompute },
	};

	for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
		if (list[i].grid.chunks != p->interleave)
			place_die(at, "plan: %s: %d chunks, but interleave is '%d'", list[i].name,
			    list[i].grid.chunks, p->interleave);
		if (list[i].grid.stages != p->offset.stages)
			place_die(at, "plan: %s: %d stages, but offset has '%d'", list[i].name,
			    list[i].grid.stages, p->offset.stages);
	}
	counts_check(p, &p->counts, "counts", at);
	counts_check(p, &p->ends, "ends", at);
}

void
plan_kinds(const struct plan *p, int chunks, int stages, struct grid kind[RECOMPUTE_KINDS])
{
	const struct body_counts *counts = p->counts.at;

	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		kind[k] = grid_new(chunks, stages);
		for (int b = 0; b < p->counts.n; b++)
			for (int i = 0; counts[b].kind[k].at != NULL && i < chunks * stages; i++)
				kind[k].at[i] += counts[b].kind[k].at[i];
	}
}
