#include "result.h"

#include "lib/schedule/schedule.h"

static const struct field bubble_field[] = {
	REQUIRED(bubble, real, ANY),
	REQUIRED(bubble, ideal, ANY),
	REQUIRED(bubble, imba, ANY),
	OPTIONAL(bubble, recompute, ANY),
	OPTIONAL(bubble, comm, ANY),
};
const struct fields bubble_fields = FIELDS(bubble, "bubble");

static const struct field critical_field[] = {
	REQUIRED(critical, stage, NONNEGATIVE),
	REQUIRED(critical, share, NONNEGATIVE),
	REQUIRED(critical, why, ANY),
	OPTIONAL(critical, forward, NONNEGATIVE),
	OPTIONAL(critical, backward, NONNEGATIVE),
	OPTIONAL(critical, weight, NONNEGATIVE),
	OPTIONAL(critical, delay, NONNEGATIVE),
};
const struct fields critical_fields = FIELDS(critical, "critical");

static const struct field idle_field[] = {
	REQUIRED(idle, fill, NONNEGATIVE),
	REQUIRED(idle, forward, NONNEGATIVE),
	REQUIRED(idle, backward, NONNEGATIVE),
	REQUIRED(idle, comm, NONNEGATIVE),
	REQUIRED(idle, drain, NONNEGATIVE),
};
static const struct fields idle_fields = FIELDS(idle, "idle");

static const char *const price_causes[] = { "stage", "uneven", "link", "transfers", "micro_batch", "micro_batches",
	"recompute", "stages", "chunks", "outside", NULL };

static const struct field price_field[] = {
	CHOICE(price, cause, false, price_causes),
	OPTIONAL(price, stage, NONNEGATIVE),
	OPTIONAL(price, micro, NONNEGATIVE),
	REQUIRED(price, time, NONNEGATIVE),
	REQUIRED(price, text, ANY),
};
const struct fields price_fields = FIELDS(price, "price");

static const struct field sim_field[] = {
	REQUIRED(sim, name, ANY),
	CHOICE(sim, schedule, false, schedule_names),
	OPTIONAL(sim, stages, POSITIVE),
	OPTIONAL(sim, interleave, POSITIVE),
	OPTIONAL(sim, micro_batches, POSITIVE),
	REQUIRED(sim, step_time, NONNEGATIVE),
	OPTIONAL(sim, step_p10, NONNEGATIVE),
	OPTIONAL(sim, step_p90, NONNEGATIVE),
	OPTIONAL(sim, pipeline_time, NONNEGATIVE),
	OPTIONAL(sim, lower_bound, NONNEGATIVE),
	OPTIONAL(sim, relative, NONNEGATIVE),
	NESTED(FIELD_OBJECT, sim, bubble, false, &bubble_fields),
	REQUIRED(sim, peak_memory, ANY),
	OPTIONAL(sim, memory_limit, POSITIVE),
	OPTIONAL(sim, comm_time, NONNEGATIVE),
	{ .name = "over", .type = FIELD_GRID, .offset = offsetof(struct sim, over), .optional = true, .flat = true,
	  .sign = NONNEGATIVE },
	NESTED(FIELD_OBJECT, sim, critical, false, &critical_fields),
	NESTED(FIELD_OBJECT, sim, idle, true, &idle_fields),
	NESTED(FIELD_ARRAY, sim, prices, true, &price_fields),
	OPTIONAL(sim, tokens_per_second, NONNEGATIVE),
	OPTIONAL(sim, tokens_per_second_per_device, NONNEGATIVE),
};
const struct fields sim_fields = FIELDS(sim, "sim");

static const struct field block_field[] = {
	REQUIRED(block, plan, ANY),
	REQUIRED(block, stage, NONNEGATIVE),
	REQUIRED(block, chunk, NONNEGATIVE),
	REQUIRED(block, micro, NONNEGATIVE),
	CHOICE(block, phase, false, phase_names),
	REQUIRED(block, start, NONNEGATIVE),
	REQUIRED(block, end, NONNEGATIVE),
	REQUIRED(block, memory, ANY),
	OPTIONAL(block, peak, ANY),
	OPTIONAL(block, recompute, NONNEGATIVE),
};
const struct fields block_fields = FIELDS(block, "block");

double
bubble_waiting(const struct bubble *b)
{
	/* With work 1, recomputation takes b->recompute and the step takes 1 + b->real. */
	return (b->real - (GIVEN(bubble, b, recompute) ? b->recompute : 0)) / (1 + b->real);
}

struct idle
idle_new(int stages)
{
	return (struct idle){ .fill = list_new(stages), .forward = list_new(stages), .backward = list_new(stages),
	    .comm = list_new(stages), .drain = list_new(stages) };
}

struct idle
idle_copy(const struct idle *i)
{
	return (struct idle){ .fill = list_copy(i->fill), .forward = list_copy(i->forward),
	    .backward = list_copy(i->backward), .comm = list_copy(i->comm), .drain = list_copy(i->drain) };
}

void
idle_free(struct idle *i)
{
	fields_free(&idle_fields, i);
}
