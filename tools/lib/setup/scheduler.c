#include "scheduler.h"

#include <string.h>

#include "lib/base/spelling.h"

static const struct word {
	const char *name;
	enum schedule_kind one, several;	/* schedule with one chunk per stage; with several */
	bool parts;				/* the value can split sequences into parts */
	bool few;	/* with several chunks, the number of parts of sequences in a group is the number of stages */
} words[] = {
	{ "1f1b", SCHEDULE_1F1B, SCHEDULE_VPP, false, false },
	{ "gpipe", SCHEDULE_GPIPE, SCHEDULE_GPIPE, false, false },
	{ "seqpipe", SCHEDULE_1F1B, SCHEDULE_VPP, true, false },
	{ "seqvpp", SCHEDULE_VPP, SCHEDULE_VPP, true, true },
	{ "seqsmartvpp", SCHEDULE_VPP_LESS, SCHEDULE_VPP_LESS, true, true },
	{ "zero_bubble_v", SCHEDULE_ZERO_BUBBLE_V, SCHEDULE_ZERO_BUBBLE_V, false, false },
};
enum { WORDS = sizeof words / sizeof words[0] };

/* Return the number of micro-batches per group. */
static int
size(const struct shape *q)
{
	return q->group > 0 ? q->group : q->stages;
}

const char *
scheduler_word(const struct shape *q)
{
	if (q->kind == SCHEDULE_GPIPE)
		return "gpipe";
	if (q->kind == SCHEDULE_ZERO_BUBBLE_V)
		return "zero_bubble_v";
	if (q->splits <= 1)
		return "1f1b";
	if (q->chunks == 1 || (q->kind == SCHEDULE_VPP && size(q) == q->stages))
		return "seqpipe";
	return q->kind == SCHEDULE_VPP_LESS ? "seqsmartvpp" : "seqvpp";
}

bool
scheduler_interleaves(const struct shape *q)
{
	return q->chunks > 1 || q->splits > 1 || strcmp(scheduler_word(q), "1f1b") != 0;
}

static const struct word *
find(const char *name)
{
	for (int i = 0; i < WORDS; i++)
		if (strcmp(words[i].name, name) == 0)
			return &words[i];
	return NULL;
}

static _Noreturn void
unknown(const char *name, struct place at)
{
	const char *names[WORDS + 1] = { NULL };

	for (int i = 0; i < WORDS; i++)
		names[i] = words[i].name;
	place_die(at, "pipeline_scheduler: unknown '%s'; known:%s", name, spelling_known(name, names));
}

bool
scheduler_means(const char *name, int splits, const struct shape *q)
{
	const struct word *w = find(name);
	enum schedule_kind kind;

	if (w == NULL)
		return false;
	kind = q->chunks > 1 ? w->several : w->one;
	/* With these values, MindSpore spreads a remainder of micro-batches over several groups. */
	if (w->parts && splits <= 1 && q->chunks > 1 && q->micro >= 2 * q->stages && q->micro % q->stages > 1)
		return false;
	if (w->few && (q->chunks == 1 || size(q) * (splits > 1 ? splits : 1) != q->stages))
		return false;
	if (w->parts && !w->few && q->chunks > 1 && size(q) != q->stages)
		return false;
	if ((w->parts && splits > 1 ? splits : 1) != (q->splits > 1 ? q->splits : 1))
		return false;
	/* With one chunk, the order with less memory is 1f1b. With one stage, any order is 1f1b. */
	if (q->chunks == 1 && (q->kind == SCHEDULE_VPP_LESS || (q->kind == SCHEDULE_VPP && q->stages == 1)))
		return kind == SCHEDULE_1F1B;
	return kind == q->kind || (kind == SCHEDULE_VPP && q->kind == SCHEDULE_VPP_LESS && q->splits <= 1);
}

/* Exit if MindSpore refuses the value with these parts of sequences, or if a shape cannot express it. */
static void
check_parts(const struct word *w, const struct shape *q, struct place at)
{
	if (w->few && q->chunks == 1)
		place_die(at, "pipeline_scheduler: '%s' needs pipeline_interleave and a pp_interleave_num above 1",
		    w->name);
	if (w->few && q->splits > 1 && q->stages % q->splits != 0)
		place_die(at, "pipeline_scheduler: '%s' needs pipeline_stage divisible by seq_split_num, not %d / %d",
		    w->name, q->stages, q->splits);
	if (q->splits <= 1 && q->chunks > 1 && q->micro >= 2 * q->stages && q->micro % q->stages > 1)
		place_die(at, "pipeline_scheduler: '%s' without seq_split_num spreads the remainder of %d "
		    "micro-batches over several groups, which is not supported: write 1f1b", w->name, q->micro);
}

void
scheduler_read(struct shape *q, const char *name, int chunks, int splits, bool less, struct place at)
{
	const struct word *w = find(name != NULL ? name : "1f1b");

	if (w == NULL)
		unknown(name, at);
	q->chunks = chunks;
	q->splits = w->parts ? splits : 1;
	q->kind = chunks > 1 ? w->several : w->one;
	if (q->kind == SCHEDULE_VPP && less && !w->parts)
		q->kind = SCHEDULE_VPP_LESS;
	if (q->kind == SCHEDULE_ZERO_BUBBLE_V && chunks != 2)
		place_die(at, "pipeline_scheduler: zero_bubble_v needs pipeline_interleave and pp_interleave_num 2, "
		    "not '%d'", chunks);
	if (w->parts)
		check_parts(w, q, at);
	if (w->few && q->splits > 1)
		q->group = q->stages / q->splits;
}
