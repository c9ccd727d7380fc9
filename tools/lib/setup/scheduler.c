/* The words of pipeline_scheduler in MindSpore. */
#include "scheduler.h"

#include <string.h>

#include "lib/base/spelling.h"

static const struct word {
	const char *name;
	enum schedule_kind one, several;	/* chunks a stage */
	bool parts;				/* of sequences */
} words[] = {
	{ "1f1b", SCHEDULE_1F1B, SCHEDULE_VPP, false },
	{ "gpipe", SCHEDULE_GPIPE, SCHEDULE_GPIPE, false },
	{ "seqpipe", SCHEDULE_1F1B, SCHEDULE_VPP, true },
	{ "seqvpp", SCHEDULE_1F1B, SCHEDULE_VPP, true },
	{ "seqsmartvpp", SCHEDULE_1F1B, SCHEDULE_VPP_LESS, true },
	{ "zero_bubble_v", SCHEDULE_ZBV, SCHEDULE_ZBV, false },
};
enum { WORDS = sizeof words / sizeof words[0] };

const char *
scheduler_word(const struct shape *q)
{
	if (q->kind == SCHEDULE_GPIPE)
		return "gpipe";
	if (q->kind == SCHEDULE_ZBV)
		return "zero_bubble_v";
	if (q->splits <= 1)
		return "1f1b";
	return q->chunks == 1 ? "seqpipe" : q->kind == SCHEDULE_VPP_LESS ? "seqsmartvpp" : "seqvpp";
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
	if ((w->parts && splits > 1 ? splits : 1) != (q->splits > 1 ? q->splits : 1))
		return false;
	/* One chunk in the less-memory order is 1f1b; so is anything on one stage. */
	if (q->chunks == 1 && (q->kind == SCHEDULE_VPP_LESS || (q->kind == SCHEDULE_VPP && q->stages == 1)))
		return kind == SCHEDULE_1F1B;
	return kind == q->kind || (kind == SCHEDULE_VPP && q->kind == SCHEDULE_VPP_LESS && q->splits <= 1);
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
	if (q->kind == SCHEDULE_VPP && less && q->splits == 1)
		q->kind = SCHEDULE_VPP_LESS;
	if (q->kind == SCHEDULE_ZBV && chunks != 2)
		place_die(at, "pipeline_scheduler: zero_bubble_v takes pipeline_interleave and pp_interleave_num 2, "
		    "not '%d'", chunks);
}
