#include "target.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/schedule/schedule.h"

#define BIT(x) (1u << (x))
#define EVERY_KIND (BIT(RECOMPUTE_KINDS) - 1)
#define EVERY_SCHEDULE (BIT(SCHEDULE_KINDS) - 1)
#define MEGATRON_KINDS (BIT(RECOMPUTE_NONE) | BIT(RECOMPUTE_SELECT) | BIT(RECOMPUTE_FULL))
#define SPLIT (BIT(SCHEDULE_ZB_H1) | BIT(SCHEDULE_ZBV) | BIT(SCHEDULE_V_HALF) | BIT(SCHEDULE_V_MIN))
#define PLAIN (BIT(SCHEDULE_1F1B) | BIT(SCHEDULE_VPP))
#define MEGATRON_TRANSFERS .plain = BIT(SCHEDULE_1F1B), .transfers = { TRANSFERS_BATCHED, TRANSFERS_OVERLAP }

const struct framework frameworks[TARGETS] = {
	[TARGET_ANY] = { .schedules = EVERY_SCHEDULE, .kinds = EVERY_KIND, .rule = RULE_PIECE, .groups = GROUPS_SIZED,
		.splits = true, .words = WORDS_OFFLOAD, .empty = true },
	[TARGET_MINDFORMERS] = { .schedules = PLAIN | BIT(SCHEDULE_GPIPE) | BIT(SCHEDULE_VPP_LESS) |
			BIT(SCHEDULE_ZERO_BUBBLE_V),
		.kinds = EVERY_KIND, .rule = RULE_PIECE, .groups = GROUPS_ANY, .splits = true, .one_step = true,
		.plain = BIT(SCHEDULE_GPIPE) | BIT(SCHEDULE_1F1B),
		.transfers = { TRANSFERS_STREAMS_1, TRANSFERS_STREAMS_4 } },
	[TARGET_MEGATRON] = { .schedules = PLAIN | BIT(SCHEDULE_VPP_OVERLAP), .kinds = MEGATRON_KINDS,
		.rule = RULE_FIRST, .groups = GROUPS_SIZED, .words = WORDS_OFFLOAD, .alone = true, .empty = true,
		.predicting = PREDICTING_LAST_CHUNK, .whole = BIT(SCHEDULE_VPP_OVERLAP), MEGATRON_TRANSFERS },
	[TARGET_MINDSPEED] = { .schedules = PLAIN | BIT(SCHEDULE_DUALPIPEV), .kinds = MEGATRON_KINDS,
		.rule = RULE_FIRST, .groups = GROUPS_OWN, .words = WORDS_SWAP, .predicting = PREDICTING_LAST_PIECE,
		.even = BIT(SCHEDULE_DUALPIPEV), .unknown = BIT(SCHEDULE_DUALPIPEV), MEGATRON_TRANSFERS },
	[TARGET_PYTORCH] = { .schedules = EVERY_SCHEDULE & ~BIT(SCHEDULE_DUALPIPE), .kinds = MEGATRON_KINDS,
		.rule = RULE_ALL, .groups = GROUPS_SIZED, .any_order = true,
		.plain = BIT(SCHEDULE_GPIPE) | BIT(SCHEDULE_1F1B),
		.transfers = { TRANSFERS_BATCHED, TRANSFERS_STREAMS_1 } },
	[TARGET_PRIMUS] = { .schedules = PLAIN | SPLIT, .kinds = MEGATRON_KINDS, .rule = RULE_WHOLE,
		.groups = GROUPS_SIZED, .words = WORDS_OFFLOAD, .anywhere = true,
		.predicting = PREDICTING_LAST_CHUNK, .kept = SPLIT, .unknown = SPLIT, MEGATRON_TRANSFERS },
	[TARGET_FLAGSCALE] = { .schedules = PLAIN, .kinds = MEGATRON_KINDS, .rule = RULE_WHOLE, .groups = GROUPS_SIZED,
		.words = WORDS_OFFLOAD, .alone = true, .empty = true, .predicting = PREDICTING_LAST_CHUNK,
		MEGATRON_TRANSFERS },
	[TARGET_HYPERPARALLEL] = { .schedules = PLAIN | BIT(SCHEDULE_GPIPE), .kinds = MEGATRON_KINDS,
		.rule = RULE_WHOLE, .groups = GROUPS_OWN, .one_step = true, .no_chunks = true,
		.unknown = PLAIN | BIT(SCHEDULE_GPIPE) },
};

const char *const target_names[] = {
	[TARGET_ANY] = "any", [TARGET_MINDFORMERS] = "mindformers", [TARGET_MEGATRON] = "megatron",
	[TARGET_MINDSPEED] = "mindspeed", [TARGET_PYTORCH] = "pytorch", [TARGET_PRIMUS] = "primus",
	[TARGET_FLAGSCALE] = "flagscale", [TARGET_HYPERPARALLEL] = "hyperparallel", NULL
};
const char *const target_titles[] = {
	[TARGET_ANY] = "any framework", [TARGET_MINDFORMERS] = "MindFormers", [TARGET_MEGATRON] = "Megatron-LM",
	[TARGET_MINDSPEED] = "MindSpeed-LLM", [TARGET_PYTORCH] = "torchtitan", [TARGET_PRIMUS] = "Primus",
	[TARGET_FLAGSCALE] = "FlagScale", [TARGET_HYPERPARALLEL] = "HyperParallel"
};

unsigned
target_kinds(enum target t, enum schedule_kind kind, unsigned named)
{
	if (frameworks[t].kept & BIT(kind))
		return BIT(RECOMPUTE_NONE);
	if (frameworks[t].whole & BIT(kind))
		return (frameworks[t].kinds & ~BIT(RECOMPUTE_FULL)) | named;
	return frameworks[t].kinds | named;
}

enum transfer_mode
target_transfers(enum target t, enum schedule_kind kind, enum transfer_mode measured)
{
	const unsigned one_runtime = BIT(SCHEDULE_GPIPE) | BIT(SCHEDULE_1F1B) | BIT(SCHEDULE_VPP) |
	    BIT(SCHEDULE_VPP_LESS) | BIT(SCHEDULE_CUSTOM);

	if (t == TARGET_ANY)
		return one_runtime & BIT(kind) ? measured : TRANSFERS_HIDDEN;
	if (frameworks[t].unknown & BIT(kind))
		return TRANSFERS_HIDDEN;
	return frameworks[t].transfers[!(frameworks[t].plain & BIT(kind))];
}

bool
target_predicts(const char *name)
{
	return strcasestr(name, "mtp") != NULL || strcasestr(name, "nextn") != NULL;
}

/* Return the schedules that the target has, such as "1f1b, vpp". Caller frees. */
static char *
schedules(enum target t)
{
	char *all = NULL;
	size_t size;
	FILE *f = memstream_open(&all, &size);
	const char *divider = "";

	for (int k = 0; k < SCHEDULE_KINDS; k++)
		if (frameworks[t].schedules & BIT(k)) {
			fprintf(f, "%s%s", divider, schedule_names[k]);
			divider = ", ";
		}
	memstream_close(f);
	return all;
}

/*
 * Check the group if sequences are split. Its number of micro-batches, or of parts of sequences, must be the number of
 * stages. Return the error (caller frees), or NULL.
 */
static char *
parts_problem(enum target t, const struct shape *q, int group)
{
	bool few = group * q->splits == q->stages;

	if (few || (q->kind == SCHEDULE_VPP && group == q->stages))
		return NULL;
	if (q->stages % q->splits != 0)
		return xasprintf("%s interleaves parts of sequences in groups of stages / parts micro-batches, but %d "
		    "/ %d is not a whole number: plan with another -seq%s", target_titles[t], q->stages, q->splits,
		    q->kind == SCHEDULE_VPP ? ", or without -group" : "");
	return xasprintf("%s interleaves %d parts of sequences in groups of %d micro-batches: plan with -group %d",
	    target_titles[t], q->splits, q->stages / q->splits, q->stages / q->splits);
}

/*
 * Check the size of the groups in which an interleaved schedule visits the chunks. Return the error (caller frees), or
 * NULL.
 */
static char *
group_problem(enum target t, const struct shape *q)
{
	enum target_groups groups = frameworks[t].groups;
	int group = q->group > 0 ? q->group : q->stages, m = q->micro, left = m % group;

	if (groups == GROUPS_ANY && q->splits > 1)
		return parts_problem(t, q, group);
	if (groups == GROUPS_ANY && group != q->stages)
		return xasprintf("%s has no groups of %d micro-batches: plan without -group", target_titles[t], group);
	if (groups == GROUPS_OWN && group != q->stages)
		return xasprintf("%s groups as many micro-batches as there are stages: plan without -group",
		    target_titles[t]);
	if (m == 0 || groups == GROUPS_ANY)
		return NULL;
	if (groups == GROUPS_OWN && m % q->stages != 0)
		return xasprintf("%s interleaves only if the number of micro-batches is a multiple of the %d stages, "
		    "not %d",
		    target_titles[t], q->stages, m);
	if (groups == GROUPS_SIZED && m >= q->stages && group > m)
		return xasprintf("%s interleaves in groups of at most %d micro-batches, not %d: plan with -group %d",
		    target_titles[t], m, group, m);
	if (groups == GROUPS_SIZED && m < q->stages)
		return xasprintf("%s interleaves only with at least as many micro-batches as the %d stages, not %d",
		    target_titles[t], q->stages, m);
	/*
	 * If the remainder is large enough, it is the last group. Otherwise it joins the first group, which may be the
	 * only one.
	 */
	if (groups == GROUPS_SIZED && left > 0 && left < q->stages && m >= 2 * group)
		return xasprintf("%s interleaves %d micro-batches only in groups that divide them evenly, or with a "
		    "remainder of at least %d: plan with such a -group, or another -mb", target_titles[t], m,
		    q->stages);
	return NULL;
}

char *
target_shape_problem(enum target t, const struct shape *q)
{
	const struct framework *row = &frameworks[t];
	bool interleaved = q->kind == SCHEDULE_VPP || q->kind == SCHEDULE_VPP_LESS || q->kind == SCHEDULE_VPP_OVERLAP;
	char *problem, *known;

	if (t == TARGET_ANY)
		return NULL;
	if (!(row->schedules & BIT(q->kind))) {
		known = schedules(t);
		problem = xasprintf("%s has no schedule '%s': plan with sapp-lp -target %s -S one of %s",
		    target_titles[t], schedule_names[q->kind], target_names[t], known);
		free(known);
		return problem;
	}
	if (q->kind == SCHEDULE_VPP && q->chunks == 1 && q->stages > 1 && !row->any_order)
		return xasprintf("%s runs one chunk per stage as 1f1b, which starts fewer forwards than vpp: plan with "
		    "-S 1f1b", target_titles[t]);
	if (q->kind == SCHEDULE_VPP_OVERLAP && q->chunks == 1 && !row->any_order)
		return xasprintf("%s runs vpp-overlap only with several chunks per stage: plan with -i 2 or more",
		    target_titles[t]);
	if (!row->splits && q->splits > 1)
		return xasprintf("%s does not divide sequences into %d parts: plan without -seq", target_titles[t],
		    q->splits);
	if (row->one_step && q->micro > 0 && q->micro < q->stages)
		return xasprintf("%s needs at least as many micro-batches as the %d stages, not %d", target_titles[t],
		    q->stages, q->micro);
	if (q->splits > 1 && q->kind == SCHEDULE_VPP_LESS && q->stages % 2 != 0)
		return xasprintf("%s runs seqsmartvpp only on an even number of stages, not %d", target_titles[t],
		    q->stages);
	if (q->splits > 1 && (q->kind == SCHEDULE_GPIPE || q->kind == SCHEDULE_ZERO_BUBBLE_V))
		return xasprintf("%s divides sequences only in 1f1b, vpp and vpp-less, not in %s", target_titles[t],
		    schedule_names[q->kind]);
	if (!row->any_order && (q->kind == SCHEDULE_DUALPIPEV || q->kind == SCHEDULE_ZBV) && q->micro > 0 &&
	    q->micro < 2 * q->stages - 1)
		return xasprintf("%s runs %s only with at least %d micro-batches on %d stages, not %d",
		    target_titles[t], schedule_names[q->kind], 2 * q->stages - 1, q->stages, q->micro);
	if (row->any_order && q->chunks == 1 && (q->kind == SCHEDULE_1F1B || q->kind == SCHEDULE_VPP_LESS) &&
	    q->micro > 0 && q->micro < q->stages)
		return xasprintf("%s runs 1f1b only with at least as many micro-batches as the %d stages, not %d: plan "
		    "with -S gpipe, or more micro-batches", target_titles[t], q->stages, q->micro);
	if (!row->any_order && q->kind == SCHEDULE_ZB_H1 && q->micro > 0 && q->micro < q->stages)
		return xasprintf("%s runs zb-h1 only with at least as many micro-batches as the %d stages, not %d",
		    target_titles[t], q->stages, q->micro);
	if (row->no_chunks && q->kind == SCHEDULE_GPIPE && q->chunks > 1)
		return xasprintf("%s runs several chunks per stage only by interleaved 1F1B: plan with -S vpp",
		    target_titles[t]);
	if (interleaved && q->chunks > 1 && !row->any_order)
		return group_problem(t, q);
	return NULL;
}

/* all layers; layers other than multi-token prediction; multi-token prediction layers */
enum some { ALL, DECODERS, PREDICTING };

/* Return the number of layers on a piece, over all bodies, that have a kind of recomputation. SOME: layers to count. */
static int
layers_with(const struct plan *p, int kind, int piece, enum some some)
{
	const struct body_counts *body = p->counts.at;
	int n = 0;

	for (int b = 0; b < p->counts.n; b++)
		if (some == ALL || target_predicts(body[b].name) == (some == PREDICTING))
			n += body[b].kind[kind].at != NULL ? body[b].kind[kind].at[piece] : 0;
	return n;
}

/* Return whether the multi-token prediction layers are fully recomputed. */
static bool
predicting_whole(const struct plan *p)
{
	bool any = false;

	for (int i = 0; i < p->offset.chunks * p->offset.stages; i++)
		any |= layers_with(p, RECOMPUTE_FULL, i, PREDICTING) > 0;
	return any;
}

bool
uniform_of(const struct plan *p, unsigned kinds, struct uniform *u)
{
	int pieces = p->offset.chunks * p->offset.stages;

	*u = (struct uniform){ .kind = RECOMPUTE_NONE };
	for (int k = RECOMPUTE_NONE + 1; k < RECOMPUTE_KINDS; k++)
		for (int i = 0; i < pieces; i++) {
			int n = layers_with(p, k, i, ALL);

			if (n > 0 && (!(kinds & BIT(k)) || (u->kind != RECOMPUTE_NONE && (int)u->kind != k)))
				return false;
			if (n > 0)
				u->kind = (enum recompute)k;
			if (n > u->layers)
				u->layers = n;
		}
	for (int i = 0; i < pieces && u->kind != RECOMPUTE_NONE; i++) {
		int with = layers_with(p, (int)u->kind, i, ALL);

		/* Full recomputation of the first layers starts with the decoder's layers. */
		if (with < u->layers &&
		    layers_with(p, RECOMPUTE_NONE, i, u->kind == RECOMPUTE_FULL ? DECODERS : ALL) > 0)
			return false;
	}
	return true;
}

/* Return whether all layers of all pieces have the kind of *U. */
static bool
everywhere(const struct plan *p, const struct uniform *u)
{
	for (int i = 0; i < p->offset.chunks * p->offset.stages; i++)
		if (u->kind != RECOMPUTE_NONE && layers_with(p, RECOMPUTE_NONE, i, ALL) > 0)
			return false;
	return true;
}

/* Return whether no layer recomputes only a part. */
static bool
whole_only(const struct plan *p)
{
	for (int k = RECOMPUTE_NONE + 1; k < RECOMPUTE_KINDS; k++)
		for (int i = 0; k != RECOMPUTE_FULL && i < p->offset.chunks * p->offset.stages; i++)
			if (layers_with(p, k, i, ALL) > 0)
				return false;
	return true;
}

char *
target_plan_problem(enum target t, const struct plan *p, unsigned named, struct uniform *u)
{
	const struct framework *row = &frameworks[t];
	unsigned kinds = target_kinds(t, (enum schedule_kind)p->schedule, named);
	bool one = uniform_of(p, kinds, u);

	if (row->rule == RULE_PIECE)
		return NULL;
	if (kinds == BIT(RECOMPUTE_NONE) && (!one || u->kind != RECOMPUTE_NONE))
		return xasprintf("%s cannot recompute in %s, but this plan does: plan with sapp-lp -target %s",
		    target_titles[t], schedule_names[p->schedule], target_names[t]);
	if (!one && (row->whole & BIT(p->schedule)) && uniform_of(p, row->kinds, u))
		return xasprintf("%s cannot recompute whole layers in %s, but this plan does: plan with sapp-lp "
		    "-target %s", target_titles[t], schedule_names[p->schedule], target_names[t]);
	if (row->rule == RULE_WHOLE && one && u->kind != RECOMPUTE_FULL && everywhere(p, u))
		return NULL;
	if ((row->rule == RULE_FIRST || (row->rule == RULE_WHOLE && !row->anywhere)) && predicting_whole(p))
		return xasprintf("%s cannot recompute whole layers for multi-token prediction, but this plan does: "
		    "plan with sapp-lp -target %s", target_titles[t], target_names[t]);
	if (row->rule == RULE_WHOLE) {
		if (!whole_only(p))
			return xasprintf("%s recomputes whole layers of a piece, or the same part of all layers, but "
			    "this plan does not: plan with sapp-lp -target %s", target_titles[t], target_names[t]);
		*u = (struct uniform){ RECOMPUTE_FULL, 0 };
		return NULL;
	}
	if (row->rule == RULE_FIRST && (!one || (u->kind != RECOMPUTE_FULL && !everywhere(p, u))))
		return xasprintf("%s recomputes the same number of first layers in every piece, or the same part of "
		    "all layers, but this plan does not: plan with sapp-lp -target %s", target_titles[t],
		    target_names[t]);
	if (row->rule == RULE_ALL && (!one || !everywhere(p, u)))
		return xasprintf("%s recomputes in all layers or in none, but this plan does not: plan with sapp-lp "
		    "-target %s", target_titles[t], target_names[t]);
	return NULL;
}
