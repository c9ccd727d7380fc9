#include "nesting.h"

#include <stdint.h>
#include <string.h>

/* Built-in kinds without records. The patterns of select and comm are unknown, but they differ. */
const struct nesting nesting_built_in = {
	.said = (1u << RECOMPUTE_BUILT_IN) - 1,
	.chains = 2, .levels = { 4, 4 },
	.level = {
		{ 1u << RECOMPUTE_FULL, 1u << RECOMPUTE_BOTH, 1u << RECOMPUTE_SELECT, 1u << RECOMPUTE_NONE },
		{ 1u << RECOMPUTE_FULL, 1u << RECOMPUTE_BOTH, 1u << RECOMPUTE_COMM, 1u << RECOMPUTE_NONE },
	},
};

static void
add_patterns(struct pattern_sets *s, int kind, struct texts list, bool comm, struct place at)
{
	for (int i = 0; i < list.n; i++) {
		int p = 0;

		while (p < s->n && (s->comm[p] != comm || strcmp(s->pattern[p], list.at[i]) != 0))
			p++;
		if (p == PATTERNS_MAX)
			place_die(at, "kind: more than %d different patterns '%s'", PATTERNS_MAX, list.at[i]);
		s->pattern[p] = list.at[i];
		s->comm[p] = comm;
		s->n += p == s->n;
		s->of[kind] |= (uint64_t)1 << p;
	}
}

static void
add_swaps(struct pattern_sets *s, int kind, const struct operators *o, struct place at)
{
	for (int i = 0; i < o->op_swap.n; i++) {
		int p = 0;

		while (p < s->nops && strcmp(s->op[p], o->op_swap.at[i]) != 0)
			p++;
		if (p == PATTERNS_MAX)
			place_die(at, "kind: more than %d different operators '%s'", PATTERNS_MAX, o->op_swap.at[i]);
		s->op[p] = o->op_swap.at[i];
		s->nops += p == s->nops;
		s->moves[kind] |= (uint64_t)1 << p;
	}
	if (o->layer_swap)
		s->moves[kind] |= (uint64_t)1 << SWAP_LAYER;
	s->prefetch[kind] = GIVEN(operators, o, backward_prefetch) ? o->backward_prefetch : 1;
}

struct pattern_sets
pattern_sets_of(const struct records *all)
{
	struct pattern_sets s = { .said = nesting_built_in.said };
	const char *known[RECOMPUTE_KINDS] = { NULL };

	for (size_t i = 0; i < all->n; i++) {
		const struct operators *o = &all->at[i].operators;
		struct place at = all->at[i].place;
		int kind;

		if (all->at[i].kind != RECORD_KIND)
			continue;
		kind = recompute_kind(o->name, at);
		/* A stream repeats the record for each of its questions. */
		if (known[kind] != NULL && strcmp(known[kind], all->at[i].text) == 0)
			continue;
		if (known[kind] != NULL)
			place_die(at, "kind: a second record of the same name '%s'", o->name);
		known[kind] = all->at[i].text;
		add_patterns(&s, kind, o->select_recompute, false, at);
		add_patterns(&s, kind, o->select_comm_recompute, true, at);
		add_swaps(&s, kind, o, at);
		if ((s.of[kind] | s.moves[kind]) != 0)
			s.said |= 1u << kind;
		for (int k = RECOMPUTE_NONE + 1; k < RECOMPUTE_KINDS; k++)
			if (k != kind && (s.of[kind] | s.moves[kind]) != 0 && s.of[k] == s.of[kind] &&
			    s.moves[k] == s.moves[kind])
				place_die(at, "kind: '%s' has the same patterns as '%s'", o->name,
				    recompute_names[k]);
	}
	if (s.of[RECOMPUTE_SELECT] == 0)
		s.of[RECOMPUTE_SELECT] = (uint64_t)1 << PATTERN_SELECT;
	if (s.of[RECOMPUTE_COMM] == 0)
		s.of[RECOMPUTE_COMM] = (uint64_t)1 << PATTERN_COMM;
	s.of[RECOMPUTE_BOTH] = s.of[RECOMPUTE_SELECT] | s.of[RECOMPUTE_COMM];
	s.of[RECOMPUTE_FULL] = ~(uint64_t)0;
	return s;
}

/* Return whether set A contains set B and is larger. */
static bool
contains(uint64_t a, uint64_t b)
{
	return (a & b) == b && a != b;
}

/*
 * Return whether some kind has a set of patterns that ABOVE contains, that contains BELOW, and that differs from both.
 */
static bool
between(const struct pattern_sets *s, uint64_t above, uint64_t below)
{
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		if ((s->said >> k & 1) && contains(above, s->of[k]) && contains(s->of[k], below))
			return true;
	return false;
}

/* Add all chains that extend DONE, N levels, from the set FROM down to the empty set. */
static void
add_chains(const struct pattern_sets *s, uint64_t from, unsigned *done, int n, struct nesting *out)
{
	done[n] = 0;
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		if ((s->said >> k & 1) && s->of[k] == from)
			done[n] |= 1u << k;
	n++;
	if (from == 0) {
		if (out->chains == CHAINS_MAX)
			place_die((struct place){ 0 }, "kind: too many different kinds: their patterns nest in more "
			    "than %d chains",
			    CHAINS_MAX);
		memcpy(out->level[out->chains], done, (size_t)n * sizeof *done);
		out->levels[out->chains++] = n;
		return;
	}
	for (int k = RECOMPUTE_NONE + 1; k < RECOMPUTE_KINDS; k++)
		if ((s->said >> k & 1) && contains(from, s->of[k]) && !between(s, from, s->of[k]))
			add_chains(s, s->of[k], done, n, out);
	if (!between(s, from, 0))
		add_chains(s, 0, done, n, out);
}

struct nesting
nesting_of(const struct records *all)
{
	struct pattern_sets s = pattern_sets_of(all);
	struct nesting out = { .said = s.said };
	unsigned done[RECOMPUTE_KINDS];

	add_chains(&s, s.of[RECOMPUTE_FULL], done, 0, &out);
	return out;
}

void
pattern_order(const struct pattern_sets *s, enum recompute order[RECOMPUTE_KINDS])
{
	for (int i = 0; i < RECOMPUTE_KINDS; i++) {
		/* Keep the order of the built-in lists among kinds with equally many patterns: costlier kinds first. */
		enum recompute kind = recompute_costly_first[i];
		int n = __builtin_popcountll(s->of[kind]), at = i;

		for (; at > 0 && __builtin_popcountll(s->of[order[at - 1]]) < n; at--)
			order[at] = order[at - 1];
		order[at] = kind;
	}
}
