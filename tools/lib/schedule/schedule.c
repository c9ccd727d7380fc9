/* The table of schedules, and the dependencies between operations. */
#include "schedule.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "scheme.h"

enum { STAGES_MAX = 10000, CHUNKS_MAX = 1000, PIECES_MAX = 1000000, OPS_MAX = 1 << 27 };

#define SCHEDULE_SCHEME(kind, name, order) [kind] = &order,
static const struct scheme *const schemes[] = { SCHEDULES(SCHEDULE_SCHEME) };
#define SCHEDULE_NAME(kind, name, order) [kind] = name,
const char *const schedule_names[] = { SCHEDULES(SCHEDULE_NAME) NULL };
const char *const phase_names[] = {
	[PHASE_F] = "F", [PHASE_B] = "B", [PHASE_W] = "W", [PHASE_I] = "B", NULL
};
const char *const phase_words[] = {
	[PHASE_F] = "forward", [PHASE_B] = "backward", [PHASE_W] = "weight gradient", [PHASE_I] = "backward"
};

/* Return the number of units per chunk. */
static uint64_t
units(const struct shape *q)
{
	uint64_t all = (uint64_t)q->micro * (uint64_t)(q->splits > 1 ? q->splits : 1);

	return schemes[q->kind]->placement == PLACE_BOTH ? all / 2 : all;
}

static int
chunks(const struct shape *q)
{
	return schemes[q->kind]->placement == PLACE_BOTH ? 2 : q->chunks;
}

/* Return the maximum number of operations on a stage. */
static uint64_t
stage_ops(const struct shape *q)
{
	return (schemes[q->kind]->split ? 3 : 2) * units(q) * (uint64_t)chunks(q);
}

int
schedule_chunks(enum schedule_kind kind)
{
	if (schemes[kind]->placement == PLACE_V)
		return 2;
	return schemes[kind]->interleaved ? 0 : 1;
}

static const char *
chunks_problem(const struct shape *q)
{
	int own = schedule_chunks(q->kind);

	if (own == 0 || q->chunks == own)
		return NULL;
	if (schedule_mirrored(q->kind))
		return "this schedule takes one chunk per stage, and adds its mirror image itself";
	return own == 2 ? "this schedule needs two chunks per stage, one on the way forth and one on the way back"
	    : "this schedule has one chunk per stage; vpp and vpp-less interleave several";
}

const char *
schedule_problem(const struct shape *q)
{
	const char *problem;

	if (q->stages < 1 || q->chunks < 1 || q->micro < 1 || q->splits < 0 || q->group < 0)
		return "the numbers of stages, chunks and micro-batches must be 1 or more";
	if (q->stages > STAGES_MAX)
		return "more than 10000 stages";
	if (q->chunks > CHUNKS_MAX)
		return "more than 1000 chunks a stage";
	if (q->chunks > PIECES_MAX / q->stages)
		return "more than 1000000 pieces";
	if (q->group > 0 && q->chunks > 1 && (int64_t)q->group * (q->splits > 1 ? q->splits : 1) < q->stages)
		return "a group must have at least as many micro-batches, or parts of them, as there are stages";
	problem = chunks_problem(q);
	if (problem == NULL && schemes[q->kind]->problem != NULL)
		problem = schemes[q->kind]->problem(q);
	if (problem == NULL && q->order != NULL && schedule_mirrored(q->kind))
		problem = custom_both_problem(q);
	if (problem != NULL)
		return problem;
	/* Neither product overflows, since the first test rejects anything above 2^31 x 2^31 x 2^10. */
	if (units(q) > OPS_MAX || stage_ops(q) > OPS_MAX / (uint64_t)q->stages)
		return "more than 134217728 operations: use fewer micro-batches, which show the same";
	return NULL;
}

/* Pieces are numbered in data order. A second copy of the model continues the numbering. */
int *
schedule_pieces(const struct shape *q)
{
	const struct scheme *scheme = schemes[q->kind];
	int n = chunks(q) * q->stages, *piece = xcalloc((size_t)n, sizeof *piece);

	if (scheme->place != NULL) {
		scheme->place(q, piece);
		return piece;
	}
	for (int i = 0; i < n; i++) {
		int turn = i / q->stages, s = i % q->stages;

		piece[i] = turn * q->stages + (scheme->placement != PLACE_ROUND && turn == 1 ? q->stages - 1 - s : s);
	}
	return piece;
}

/* Set the previous and the next piece of each piece. */
static void
connect(struct schedule *s)
{
	bool two = schedule_mirrored(s->shape.kind);
	int pieces = s->chunks * s->stages, *piece = schedule_pieces(&s->shape);

	s->before = xcalloc((size_t)pieces, sizeof *s->before);
	s->after = xcalloc((size_t)pieces, sizeof *s->after);
	for (int i = 0; i < pieces; i++) {
		bool begins = i == 0 || (two && i == s->stages);
		bool ends = i == pieces - 1 || (two && i == s->stages - 1);

		s->before[piece[i]] = begins ? -1 : piece[i - 1];
		s->after[piece[i]] = ends ? -1 : piece[i + 1];
	}
	free(piece);
}

bool
schedule_mirrored(enum schedule_kind kind)
{
	return schemes[kind]->placement == PLACE_BOTH;
}

const struct scheme *
schedule_scheme(enum schedule_kind kind)
{
	return schemes[kind];
}

bool
schedule_begins(const struct shape *q)
{
	bool alone = q->chunks == 1 && schemes[q->kind]->interleaved;

	return schemes[q->kind]->begins && !alone && schedule_problem(q) == NULL;
}

enum schedule_kind
schedule_usual(int chunks, bool less)
{
	return chunks == 1 ? SCHEDULE_1F1B : less ? SCHEDULE_VPP_LESS : SCHEDULE_VPP;
}

bool
schedule_provable(enum schedule_kind kind)
{
	return schemes[kind]->placement != PLACE_BOTH && schemes[kind]->place == NULL;
}

/*
 * Stages advance together, so results at distances of a power of two would evict each other from the cache. For large
 * numbers, use an odd number of cache lines as the distance.
 */
static int
stride(int micro)
{
	enum { LINE = 8, MANY = 64 };

	return micro < MANY ? micro : ((micro + LINE - 1) / LINE | 1) * LINE;
}

struct schedule
schedule_new(const struct shape *q)
{
	const struct scheme *scheme = schemes[q->kind];
	struct schedule s = { .shape = *q, .stages = q->stages, .chunks = chunks(q), .micro = (int)units(q),
	    .planes = scheme->split ? 3 : 2 };
	struct op *op;

	s.first = xcalloc((size_t)s.stages + 1, sizeof *s.first);
	s.op = xcalloc(stage_ops(q) * (size_t)s.stages, sizeof *s.op);
	s.stride = stride(s.micro);
	if (q->order != NULL && schedule_mirrored(q->kind)) {
		custom_both_arrange(&s);
		connect(&s);
		return s;
	}
	op = s.op;
	for (int i = 0; i < s.stages && scheme->order != NULL; i++) {
		op = scheme->order(q, i, op);
		s.first[i + 1] = (size_t)(op - s.op);
	}
	connect(&s);
	if (scheme->arrange != NULL)
		scheme->arrange(&s);
	return s;
}

struct schedule
schedule_copy(const struct schedule *s)
{
	size_t pieces = (size_t)s->stages * (size_t)s->chunks;
	struct schedule copy = *s;

	copy.first = xcalloc((size_t)s->stages + 1, sizeof *copy.first);
	copy.op = xcalloc(schedule_ops(s), sizeof *copy.op);
	copy.before = xcalloc(pieces, sizeof *copy.before);
	copy.after = xcalloc(pieces, sizeof *copy.after);
	memcpy(copy.first, s->first, ((size_t)s->stages + 1) * sizeof *copy.first);
	memcpy(copy.op, s->op, schedule_ops(s) * sizeof *copy.op);
	memcpy(copy.before, s->before, pieces * sizeof *copy.before);
	memcpy(copy.after, s->after, pieces * sizeof *copy.after);
	return copy;
}

void
schedule_free(struct schedule *s)
{
	free(s->first);
	free(s->op);
	free(s->before);
	free(s->after);
	*s = (struct schedule){ 0 };
}

size_t
schedule_ops(const struct schedule *s)
{
	return s->first[s->stages];
}

size_t
schedule_slots(const struct schedule *s)
{
	return (size_t)s->stages * (size_t)s->chunks * (size_t)s->planes * (size_t)s->stride;
}

size_t
schedule_slot(const struct schedule *s, int stage, struct op op)
{
	size_t piece = (size_t)stage * (size_t)s->chunks + op.chunk;
	size_t plane = op.phase == PHASE_I ? PHASE_B : op.phase;

	return (piece * (size_t)s->planes + plane) * (size_t)s->stride + op.micro;
}

bool
schedule_occurs(const struct schedule *s, struct op op)
{
	return s->planes > 2 || op.phase == PHASE_F || op.phase == PHASE_B;
}

struct need
schedule_need(const struct schedule *s, int stage, struct op op)
{
	int at = op.chunk * s->stages + stage, from = -1;

	switch ((enum phase)op.phase) {
	case PHASE_F:
		from = s->before[at];
		break;
	case PHASE_B:
	case PHASE_I:
		from = s->after[at];
		if (from < 0) {		/* after the last piece, the data turn back */
			from = at;
			op.phase = PHASE_F;
		}
		break;
	case PHASE_W:
		from = at;
		op.phase = PHASE_I;
		break;
	case PHASES:
		break;
	}
	if (from < 0)
		return (struct need){ .stage = -1 };
	op.chunk = (uint16_t)(from / s->stages);
	return (struct need){ from % s->stages, op };
}

int
schedule_receiver(const struct schedule *s, int stage, struct op op)
{
	int at = op.chunk * s->stages + stage, to;

	if (op.phase == PHASE_W)
		return -1;
	to = op.phase == PHASE_F ? s->after[at] : s->before[at];
	return to < 0 || to % s->stages == stage ? -1 : to % s->stages;
}

int
schedule_posts(const struct schedule *s, int stage, struct op op)
{
	struct need need = schedule_need(s, stage, op);

	return (need.stage >= 0 && need.stage != stage) + (schedule_receiver(s, stage, op) >= 0);
}
