/* The space of configurations. */
#include "space.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "rule.h"

const char *const framework_names[] = { "megatron", "mindformers", NULL };
const char *const dimension_names[DIMENSIONS] = { "dp", "tp", "cp", "pp", "ep", "etp", "zero", "shard", "vp", "mbs" };

static const int usual_mbs[] = { 1, 2, 4, 8, 16 };

struct walk {
	const struct space *s;
	space_each *each;
	void *context;
	struct configuration c;
	int outer;	/* the first rule broken whatever chunks and micro-batches are, or the number of rules */
};

static bool
chosen(const struct walk *w, enum dimension d, int value)
{
	const struct choice *c = &w->s->choice[d];

	return !c->given || (value <= c->most && c->at[value]);
}

/* The first rule before OUTER that depends on chunks or micro-batches and is broken. */
static bool
visit(struct walk *w)
{
	int64_t sequences = (int64_t)w->c.dp * w->c.mbs;

	w->c.micro_batches = (int)(w->s->batch / sequences > 0 ? w->s->batch / sequences : 1);
	w->c.schedule = w->c.pp == 1 ? ORDER_NONE : w->c.vp == 1 ? ORDER_1F1B : ORDER_INTERLEAVED;
	for (int r = 0; r < w->outer; r++)
		if (rule_is_inner(r) && rule_broken(r, w->s, &w->c, NULL))
			return w->each(w->context, &w->c, r);
	return w->each(w->context, &w->c, w->outer < rules_count() ? w->outer : -1);
}

static bool
walk_mbs(struct walk *w)
{
	const struct choice *mbs = &w->s->choice[DIM_MBS];

	for (int i = 0; !mbs->given && i < (int)(sizeof usual_mbs / sizeof usual_mbs[0]); i++) {
		w->c.mbs = usual_mbs[i];
		if (!visit(w))
			return false;
	}
	for (w->c.mbs = 1; w->c.mbs <= mbs->most; w->c.mbs++)
		if (mbs->at[w->c.mbs] && !visit(w))
			return false;
	return true;
}

static bool
walk_vp(struct walk *w)
{
	int most = w->c.pp == 1 ? 1 : w->s->net->layers / w->c.pp;

	w->outer = 0;
	while (w->outer < rules_count() && (rule_is_inner(w->outer) || !rule_broken(w->outer, w->s, &w->c, NULL)))
		w->outer++;
	for (int v = 1; v <= (most > 1 ? most : 1); v++) {
		w->c.vp = v;
		if (chosen(w, DIM_VP, v) && !walk_mbs(w))
			return false;
	}
	return true;
}

static bool
walk_shard(struct walk *w)
{
	int all = w->s->framework == MEGATRON ? w->c.dp * w->c.cp : w->c.dp, replicas = w->c.dp * w->c.cp;
	bool every = w->s->shard_all || w->s->choice[DIM_SHARD].given;

	if (w->c.zero == 0)
		every = false, all = 1;
	for (int shard = every ? 1 : all; shard <= (every ? replicas : all); shard++) {
		if (replicas % shard != 0 || (w->c.zero > 0 && !chosen(w, DIM_SHARD, shard)))
			continue;
		w->c.shard = shard;
		if (!walk_vp(w))
			return false;
	}
	return true;
}

static bool
walk_zero(struct walk *w)
{
	const struct choice *zero = &w->s->choice[DIM_ZERO];

	for (int z = 0; z <= 3; z++) {
		w->c.zero = z;
		if ((!zero->given ? z == 1 : chosen(w, DIM_ZERO, z)) && !walk_shard(w))
			return false;
	}
	return true;
}

static bool
walk_ep(struct walk *w)
{
	int64_t grid = w->s->framework == MEGATRON ? (int64_t)w->c.dp * w->c.cp * w->c.tp / w->c.etp :
	    (int64_t)w->c.dp * w->c.tp;

	if (w->s->net->experts == 0)
		grid = 1;
	for (int e = 1; e <= grid; e++) {
		w->c.ep = e;
		if (grid % e == 0 && chosen(w, DIM_EP, e) && !walk_zero(w))
			return false;
	}
	return true;
}

static bool
walk_etp(struct walk *w)
{
	const struct choice *etp = &w->s->choice[DIM_ETP];

	for (int x = 1; x <= (w->s->net->experts > 0 ? w->c.tp : 1); x++) {
		w->c.etp = x;
		if (w->c.tp % x != 0 && x > 1)
			continue;
		if ((x == w->c.tp && w->s->etp_tp) || (etp->given ? chosen(w, DIM_ETP, x) : x == 1 && !w->s->etp_tp) ||
		    w->s->net->experts == 0)
			if (!walk_ep(w))
				return false;
	}
	return true;
}

static bool
walk_pp(struct walk *w, int left)
{
	for (int p = 1; p <= left; p++) {
		w->c.pp = p;
		w->c.dp = left / p;
		if (left % p == 0 && chosen(w, DIM_PP, p) && chosen(w, DIM_DP, w->c.dp) && !walk_etp(w))
			return false;
	}
	return true;
}

void
space_enumerate(const struct space *s, space_each *each, void *context)
{
	struct walk w = { .s = s, .each = each, .context = context, .c = { .recompute = KEEP_FIRST } };

	for (int t = 1; t <= s->devices; t++) {
		if (s->devices % t != 0 || !chosen(&w, DIM_TP, t))
			continue;
		w.c.tp = t;
		w.c.sp = t > 1;
		for (int c = 1; c <= s->devices / t; c++) {
			w.c.cp = c;
			if (s->devices / t % c == 0 && chosen(&w, DIM_CP, c) && !walk_pp(&w, s->devices / t / c))
				return;
		}
	}
}

void
space_free(struct space *s)
{
	for (int d = 0; d < DIMENSIONS; d++)
		free(s->choice[d].at);
}
