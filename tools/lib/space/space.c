#include "space.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/cost/in_flight.h"
#include "listed.h"
#include "rule.h"

const char *const framework_names[] = { "megatron", "mindformers", NULL };
const char *const dimension_names[DIMENSIONS] = { "dp", "tp", "cp", "pp", "ep", "etp", "zero", "shard", "vp", "mbs",
	"mb" };

static const int usual_mbs[] = { 1, 2, 4, 8, 16 };

struct space_walk {
	const struct space *s;
	space_each *each;
	void *context;
	struct configuration c;
	/* number of the first violated rule that does not depend on chunks or micro-batches; number of rules if none */
	int outer;
	int ndivisors;
	int zero;	/* ZeRO stage that the loop is at; member zero of c may be higher */
	int nvariants;
	struct configuration *variant;	/* [nvariants] */
	bool fused_asked;		/* the option -fused was given */
	int *divisor;	/* divisors of the number of devices, ascending: candidates for degrees */
};

static bool
chosen(const struct space_walk *w, enum dimension d, int value)
{
	const struct choice *c = &w->s->choice[d];

	return !c->given || (value <= c->most && c->at[value]);
}

static void
find_divisors(struct space_walk *w)
{
	int n = w->s->devices;

	for (int pass = 0; pass < 2; pass++) {
		w->ndivisors = 0;
		for (int d = 1; d <= n / d; d++)
			if (n % d == 0) {
				if (pass == 1)
					w->divisor[w->ndivisors] = d;
				w->ndivisors++;
			}
		for (int d = w->ndivisors; d-- > 0 && pass == 1; )
			if (w->divisor[d] != n / w->divisor[d])
				w->divisor[w->ndivisors++] = n / w->divisor[d];
		if (pass == 0)
			w->divisor = xcalloc(2 * (size_t)w->ndivisors, sizeof *w->divisor);
	}
}

/*
 * Pass the configuration on with the first rule that it violates. Before OUTER only rules that depend on chunks or
 * micro-batches need a check.
 */
static bool
visit_variant(struct space_walk *w)
{
	for (int r = 0; r < w->outer; r++)
		if (rule_is_inner(r) && rule_broken(r, w->s, &w->c, NULL))
			return w->each(w->context, &w->c, r);
	return w->each(w->context, &w->c, w->outer < rules_count() ? w->outer : -1);
}

/* Keep the possible fused operators of the base, unless -fused asks for certain ones. */
static void
keep_fusable(struct space_walk *w, const struct configuration *variant)
{
	const size_t member = offsetof(struct configuration, fused);

	if (w->s->variants.base.fused == 0 || w->fused_asked)
		return;
	w->c.fused = variant->fused & configuration_fusable(&w->c, w->s->net->experts > 0);
	w->c.given &= ~field_bit(&configuration_fields, member);
	if (w->c.fused != 0)
		field_give(&configuration_fields, &w->c, member);
}

static bool
visit(struct space_walk *w)
{
	int64_t sequences = (int64_t)w->c.dp * w->c.mbs;

	w->c.micro_batches = (int)(w->s->batch / sequences > 0 ? w->s->batch / sequences : 1);
	if (!chosen(w, DIM_MB, w->c.micro_batches) || !listed_has(w->s, &w->c))
		return true;
	/* With one micro-batch, MindFormers divides gradients as they are computed: none are accumulated. */
	w->c.zero = w->zero;
	if (w->s->framework == MINDFORMERS && w->zero == 1 && w->c.micro_batches == 1 && !w->s->choice[DIM_ZERO].given)
		w->c.zero = 2;
	w->c.schedule = w->c.pp == 1 ? ORDER_NONE : w->c.vp == 1 ? ORDER_1F1B : ORDER_INTERLEAVED;
	if (w->nvariants == 1) {	/* it was set at the start */
		keep_fusable(w, w->variant);
		return visit_variant(w);
	}
	for (int i = 0; i < w->nvariants; i++) {
		variant_apply(&w->c, &w->variant[i]);
		keep_fusable(w, &w->variant[i]);
		if (!visit_variant(w))
			return false;
	}
	return true;
}

static bool
walk_mbs(struct space_walk *w)
{
	const struct choice *mbs = &w->s->choice[DIM_MBS], *mb = &w->s->choice[DIM_MB];

	/* If options give numbers of micro-batches, the sizes follow from these. */
	for (int n = mb->most; !mbs->given && n > 0; n--) {
		if (!mb->at[n] || (w->s->batch / w->c.dp) % n != 0 || w->s->batch % w->c.dp != 0)
			continue;
		w->c.mbs = w->s->batch / w->c.dp / n;
		if (!visit(w))
			return false;
	}
	for (int i = 0; !mbs->given && !mb->given && i < (int)(sizeof usual_mbs / sizeof usual_mbs[0]); i++) {
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
walk_vp(struct space_walk *w)
{
	/* Embedding or loss may be alone in a piece only if options ask for it, directly or by a number of pieces. */
	bool asked = w->s->empty || (w->s->choice[DIM_PP].given && w->s->choice[DIM_VP].given);
	bool alone = w->s->framework == MEGATRON && asked;
	int most = w->c.pp == 1 ? 1 : (w->s->net->layers + (alone ? PIECES_ALONE : 0)) / w->c.pp;

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
walk_shard(struct space_walk *w)
{
	int all = w->s->framework == MEGATRON ? w->c.dp * w->c.cp : w->c.dp, replicas = w->c.dp * w->c.cp;
	bool every = w->s->shard_all || w->s->choice[DIM_SHARD].given;

	if (w->c.zero == 0)
		every = false, all = 1;
	w->c.shard = all;
	if (!every)
		return replicas % all != 0 || walk_vp(w);
	for (int i = 0; i < w->ndivisors && w->divisor[i] <= replicas; i++) {
		w->c.shard = w->divisor[i];
		if (replicas % w->c.shard == 0 && chosen(w, DIM_SHARD, w->c.shard) && !walk_vp(w))
			return false;
	}
	return true;
}

static bool
walk_zero(struct space_walk *w)
{
	const struct choice *zero = &w->s->choice[DIM_ZERO];

	for (int z = 0; z <= 3; z++) {
		w->zero = w->c.zero = z;
		if ((!zero->given ? z == 1 : chosen(w, DIM_ZERO, z)) && !walk_shard(w))
			return false;
	}
	return true;
}

static bool
walk_ep(struct space_walk *w)
{
	int64_t grid = (int64_t)w->c.dp * (w->s->framework == MEGATRON ? w->c.cp : 1) * w->c.tp / w->c.etp;

	if (w->s->net->experts == 0)
		grid = 1;
	for (int i = 0; i < w->ndivisors && w->divisor[i] <= grid; i++) {
		w->c.ep = w->divisor[i];
		if (grid % w->c.ep == 0 && chosen(w, DIM_EP, w->c.ep) && !walk_zero(w))
			return false;
	}
	return true;
}

static bool
walk_etp(struct space_walk *w)
{
	const struct choice *etp = &w->s->choice[DIM_ETP];

	for (int i = 0; i < w->ndivisors && w->divisor[i] <= (w->s->net->experts > 0 ? w->c.tp : 1); i++) {
		int x = w->c.etp = w->divisor[i];

		if (w->c.tp % x != 0)
			continue;
		if ((x == w->c.tp && w->s->etp_tp) || (etp->given ? chosen(w, DIM_ETP, x) : x == 1 && !w->s->etp_tp) ||
		    w->s->net->experts == 0)
			if (!walk_ep(w))
				return false;
	}
	return true;
}

static bool
walk_pp(struct space_walk *w, int left)
{
	for (int i = 0; i < w->ndivisors && w->divisor[i] <= left; i++) {
		int p = w->c.pp = w->divisor[i];

		w->c.dp = left / p;
		if (left % p == 0 && chosen(w, DIM_PP, p) && chosen(w, DIM_DP, w->c.dp) && !walk_etp(w))
			return false;
	}
	return true;
}

static bool
walk_cp_kind(struct space_walk *w, int left)
{
	const bool *asked = w->s->cp_kind;

	for (int k = CONTEXT_RING; k <= CONTEXT_ULYSSES; k++) {
		w->c.cp_kind = k;
		/* If one device has a whole sequence, the kind does not matter. */
		if (w->c.cp == 1 || (!asked[CONTEXT_RING] && !asked[CONTEXT_ULYSSES]) ? k == CONTEXT_RING : asked[k])
			if (!walk_pp(w, left))
				return false;
	}
	return true;
}

void
space_enumerate(const struct space *s, space_each *each, void *context)
{
	struct space_walk w = { .s = s, .each = each, .context = context, .c = configuration_plain };

	bool more = true;

	w.variant = variants_list(&s->variants, &w.nvariants);
	for (int i = 0; i < FUSED_SETS; i++)
		w.fused_asked |= s->variants.fused[i];
	variant_apply(&w.c, &w.variant[0]);
	find_divisors(&w);
	for (int i = 0; i < w.ndivisors && more; i++) {
		int t = w.c.tp = w.divisor[i];

		w.c.sp = t > 1;
		for (int k = 0; k < w.ndivisors && more && chosen(&w, DIM_TP, t); k++) {
			int c = w.c.cp = w.divisor[k];

			if (s->devices / t % c == 0 && chosen(&w, DIM_CP, c))
				more = walk_cp_kind(&w, s->devices / t / c);
		}
	}
	free(w.divisor);
	free(w.variant);
	if (more)
		listed_tell(s);
}

void
space_free(struct space *s)
{
	for (int d = 0; d < DIMENSIONS; d++)
		free(s->choice[d].at);
	free(s->variants.modules);
	free(s->variants.host.at);
	free(s->listed);
}
