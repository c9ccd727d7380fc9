#include "chunks.h"

#include "lib/schedule/schedule.h"
#include "pipeline.h"

#define FACTORS(member) { .name = #member, .type = FIELD_TABLE, .offset = offsetof(struct chunks, member), \
	.optional = true, .flat = true, .sign = NONNEGATIVE }

static const struct field chunks_field[] = {
	REQUIRED(chunks, name, ANY),
	CHOICE(chunks, schedule, false, schedule_names),
	REQUIRED(chunks, micro_batches, POSITIVE),
	REQUIRED(chunks, forward, NONNEGATIVE),
	OPTIONAL(chunks, backward_ratio, NONNEGATIVE),
	OPTIONAL(chunks, backward, NONNEGATIVE),
	OPTIONAL(chunks, recompute, NONNEGATIVE),
	OPTIONAL(chunks, activation, NONNEGATIVE),
	OPTIONAL(chunks, parameter, NONNEGATIVE),
	OPTIONAL(chunks, constant, ANY),
	OPTIONAL(chunks, weight, NONNEGATIVE),
	OPTIONAL(chunks, weight_activation, NONNEGATIVE),
	OPTIONAL(chunks, transient, NONNEGATIVE),
	OPTIONAL(chunks, overlap, POSITIVE),
	OPTIONAL(chunks, seq_split, POSITIVE),
	OPTIONAL(chunks, group, POSITIVE),
	OPTIONAL(chunks, order, LINES),
	OPTIONAL(chunks, comm_time, NONNEGATIVE),
	CHOICE(chunks, transfers, true, transfers_names),
	OPTIONAL(chunks, send_delay_forward, NONNEGATIVE),
	OPTIONAL(chunks, send_delay_backward, NONNEGATIVE),
	OPTIONAL(chunks, post_time, NONNEGATIVE),
	OPTIONAL(chunks, overhead, NONNEGATIVE),
	OPTIONAL(chunks, overhead_early, NONNEGATIVE),
	FACTORS(forward_factor),
	FACTORS(backward_factor),
	FACTORS(forward_sample),
	FACTORS(backward_sample),
};
const struct fields chunks_fields = FIELDS(chunks, "chunks");

static void
same_shape(const struct chunks *c, const char *name, struct table t, struct place at)
{
	if (t.at == NULL || (t.chunks == 1 && t.stages == 1))
		return;
	if (t.chunks != c->forward.chunks || t.stages != c->forward.stages)
		place_die(at, "chunks: %s: %d x %d numbers, but forward has %d x %d", name, t.chunks, t.stages,
		    c->forward.chunks, c->forward.stages);
}

/* Exit if a part is larger than its whole. */
static void
part_check(const char *part, double of_part, const char *whole, double of_whole, int stage, struct place at)
{
	if (of_part > of_whole * (1 + 1e-9))
		place_die(at, "chunks: %s: more than %s on stage %d '%g'", part, whole, stage, of_part);
}

static void
parts_check(const struct chunks *c, struct place at)
{
	for (int v = 0; v < c->forward.chunks; v++)
		for (int s = 0; s < c->forward.stages; s++) {
			double ratio = c->backward_ratio.at ? table_get(c->backward_ratio, v, s) : 2;

			if (c->weight.at != NULL)
				part_check("weight", table_get(c->weight, v, s), "backward", c->backward.at ?
				    table_get(c->backward, v, s) : ratio * table_get(c->forward, v, s), s, at);
			/*
			 * The activations kept for weight gradients may include recomputed ones, so they may exceed the
			 * stored activations.
			 */
			if (c->weight_activation.at != NULL &&
			    (c->recompute.at == NULL || table_get(c->recompute, v, s) == 0))
				part_check("weight_activation", table_get(c->weight_activation, v, s), "activation",
				    c->activation.at ? table_get(c->activation, v, s) : 0, s, at);
		}
}

/* Check that the table has one row, or one row per piece in stage order. */
static void
rows_check(const struct chunks *c, const char *name, struct table t, struct place at)
{
	int pieces = c->forward.chunks * c->forward.stages;

	if (t.at != NULL && t.chunks != 1 && (t.chunks != pieces || schedule_mirrored((enum schedule_kind)c->schedule)))
		place_die(at, "chunks: %s: %d rows; expected one row for all pieces%s", name, t.chunks,
		    schedule_mirrored((enum schedule_kind)c->schedule) ? "" : ", or one row per piece");
}

/* Check that each row has one number, or one number per micro-batch. */
static void
factor_check(const struct chunks *c, const char *name, struct table t, struct place at)
{
	if (t.at != NULL && t.stages != 1 && t.stages != c->micro_batches)
		place_die(at, "chunks: %s: %d numbers for %d micro-batches", name, t.stages, c->micro_batches);
	rows_check(c, name, t, at);
}

/* Check the samples. Forward and backward need equal numbers of samples, since both are drawn together. */
static void
sample_check(const struct chunks *c, struct place at)
{
	rows_check(c, "forward_sample", c->forward_sample, at);
	rows_check(c, "backward_sample", c->backward_sample, at);
	if (c->backward_sample.at != NULL && c->forward_sample.at == NULL)
		place_die(at, "chunks: backward_sample without forward_sample");
	if (c->backward_sample.at != NULL && c->backward_sample.stages != c->forward_sample.stages)
		place_die(at, "chunks: backward_sample: %d numbers, but forward_sample has %d",
		    c->backward_sample.stages, c->forward_sample.stages);
	if (c->forward_sample.at != NULL && (c->forward_factor.at != NULL || c->backward_factor.at != NULL))
		place_die(at, "chunks: micro-batches have both factors and forward_sample; give one of them");
}

static void
edges_check(struct list l, int stages, const char *name, struct place at)
{
	char *wrong = boundaries_problem(l, stages);

	if (wrong != NULL)
		place_die(at, "chunks: %s: %s", name, wrong);
}

struct shape
chunks_shape(const struct chunks *c)
{
	return (struct shape){
		.kind = (enum schedule_kind)c->schedule,
		.stages = c->forward.stages,
		.chunks = c->forward.chunks,
		.micro = c->micro_batches,
		.splits = c->seq_split,
		.group = c->group,
		.order = c->order,
	};
}

void
chunks_check(const struct chunks *c, struct place at)
{
	struct shape shape = chunks_shape(c);
	const char *problem = schedule_problem(&shape);
	int stages = c->forward.stages;

	if (problem != NULL)
		place_die(at, "chunks: %s", problem);
	if (GIVEN(chunks, c, backward) && GIVEN(chunks, c, backward_ratio))
		place_die(at, "chunks: backward and backward_ratio exclude each other");
	same_shape(c, "backward_ratio", c->backward_ratio, at);
	same_shape(c, "backward", c->backward, at);
	same_shape(c, "recompute", c->recompute, at);
	same_shape(c, "activation", c->activation, at);
	same_shape(c, "weight", c->weight, at);
	same_shape(c, "weight_activation", c->weight_activation, at);
	same_shape(c, "transient", c->transient, at);
	parts_check(c, at);
	if (c->parameter.n > 1 && c->parameter.n != stages)
		place_die(at, "chunks: parameter: %d numbers for %d stages", c->parameter.n, stages);
	edges_check(c->comm_time, stages, "comm_time", at);
	edges_check(c->send_delay_forward, stages, "send_delay_forward", at);
	edges_check(c->send_delay_backward, stages, "send_delay_backward", at);
	if (c->order != NULL && shape.kind != SCHEDULE_CUSTOM)
		place_die(at, "chunks: order: only with the schedule custom, not '%s'", schedule_names[shape.kind]);
	overhead_check(c->overhead, c->overhead_early, stages, "chunks", at);
	factor_check(c, "forward_factor", c->forward_factor, at);
	factor_check(c, "backward_factor", c->backward_factor, at);
	sample_check(c, at);
	if (c->overlap > 1)
		place_die(at, "chunks: overlap: above 1 '%g'", c->overlap);
}
