/* From plan: a plan as arguments of Megatron-LM or MindSpeed-LLM. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/schedule/schedule.h"
#include "lib/setup/hybrid.h"
#include "lib/setup/layout.h"
#include "lib/setup/own_lists.h"
#include "arguments.h"

struct pieces {
	/* number of multi-token prediction layers (extra) and of all other layers, [chunk][stage] */
	struct grid layers, extra;
	int all_layers, all_extra;
};

static struct pieces
pieces_of(const struct plan *p, const struct yaml_question *q)
{
	const struct body_counts *body = p->counts.at;
	struct pieces x = { grid_new(q->pieces.chunks, q->pieces.stages), grid_new(q->pieces.chunks, q->pieces.stages),
	    0, 0 };

	for (int b = 0; b < p->counts.n; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			for (int i = 0; body[b].kind[k].at != NULL && i < q->pieces.chunks * q->pieces.stages; i++)
				(target_predicts(body[b].name) ? x.extra : x.layers).at[i] += body[b].kind[k].at[i];
	for (int i = 0; i < q->pieces.chunks * q->pieces.stages; i++)
		x.extra.at[i] += question_predicting_ends(p, i);
	x.all_layers = grid_sum(x.layers);
	x.all_extra = grid_sum(x.extra);
	/* In estimates the tail is the loss together with the layers that predict further tokens. */
	if (x.all_extra == 0 && q->net != NULL && q->net->mtp_layers > 0) {
		x.extra.at[q->pieces.chunks * q->pieces.stages - 1] = q->net->mtp_layers;
		x.all_extra = q->net->mtp_layers;
	}
	return x;
}

static void
set_number(struct launch *l, enum launch_option o, int n)
{
	launch_set(l, o, xasprintf("%d", n));
}

/* Return whether pieces FROM to TO - 1 have equal numbers of layers. */
static bool
same_between(struct grid g, int from, int to)
{
	for (int i = from + 1; i < to; i++)
		if (g.at[i] != g.at[from])
			return false;
	return true;
}

/* Write the blocks of multi-token prediction, which are in the piece of the loss, one per depth. */
static void
put_predicting(FILE *f, const struct plan *p, const struct yaml_question *q)
{
	const struct architecture *net = q->net;

	for (int m = 0; net != NULL && m < net->mtp_layers; m++) {
		putc('/', f);
		for (int i = 0; i < net->mtp_pattern.n; i++)
			if (hybrid_symbol(net->mtp_pattern.at[i]) == NULL)
				place_die(q->place, "'%s': Megatron-LM has no symbol for this layer for multi-token "
				    "prediction '%s'", p->name, net->mtp_pattern.at[i]);
			else
				fputs(hybrid_symbol(net->mtp_pattern.at[i]), f);
	}
}

/*
 * Write the blocks of a hybrid network by their symbols, in model order. Return false if the network is not a hybrid.
 */
static bool
hybrid_pieces(struct launch *l, const struct plan *p, const struct yaml_question *q)
{
	const struct body_counts *body = p->counts.at;
	int n = q->pieces.chunks * q->pieces.stages;
	bool hybrid = false;
	char *text;
	size_t size;
	FILE *f;

	for (int b = 0; b < p->counts.n; b++)
		hybrid |= hybrid_name(body[b].name);
	if (!hybrid)
		return false;
	for (int b = 0; b < p->counts.n; b++)
		if (hybrid_symbol(body[b].name) == NULL)
			place_die(q->place, "'%s': Megatron-LM divides a hybrid model by blocks, but has no symbol for "
			    "layer '%s'", p->name, body[b].name);
	f = memstream_open(&text, &size);
	for (int i = 0; i < n; i++) {
		if (i > 0)
			putc('|', f);
		for (int b = 0; b < p->counts.n; b++)
			for (int k = 0; k < RECOMPUTE_KINDS; k++)
				if (body[b].kind[k].at != NULL)
					for (int c = 0; c < body[b].kind[k].at[i]; c++)
						fputs(hybrid_symbol(body[b].name), f);
	}
	put_predicting(f, p, q);
	memstream_close(f);
	launch_set(l, LAUNCH_HYBRID, text);
	return true;
}

static void
megatron_pieces(struct launch *l, const struct pieces *x, const struct plan *p, const struct yaml_question *q)
{
	int n = q->pieces.chunks * q->pieces.stages;
	bool plain = x->all_extra == 0 || x->extra.at[n - 1] == x->all_extra;

	if (hybrid_pieces(l, p, q)) {
		/* The pieces of this argument are chunks. */
	} else if (plain && x->layers.at[0] > 0 && same_between(x->layers, 0, n)) {
		if (q->pieces.chunks > 1)
			set_number(l, LAUNCH_VIRTUAL, q->pieces.chunks);
	} else if (plain && q->pieces.chunks == 1 && n > 2 && x->layers.at[0] > 0 && x->layers.at[1] > 0 &&
	    x->layers.at[n - 1] > 0 && same_between(x->layers, 1, n - 1)) {
		set_number(l, LAUNCH_FIRST, x->layers.at[0]);
		set_number(l, LAUNCH_LAST, x->layers.at[n - 1]);
	} else {
		launch_set(l, LAUNCH_LAYOUT, layout_write(x->layers, x->extra));
	}
	if (q->shape.kind == SCHEDULE_VPP_OVERLAP)
		launch_set(l, LAUNCH_OVERLAP, xstrdup(""));
	if (q->pieces.chunks > 1 && q->micro_batches > 0) {
		int group = q->shape.group > 0 ? q->shape.group : q->shape.stages;

		/* A remainder too small for a group joins the first group. So one group holds all micro-batches. */
		if (q->micro_batches % group != 0 && q->micro_batches % group < q->shape.stages)
			group = q->micro_batches;
		if (group != q->shape.stages)
			set_number(l, LAUNCH_GROUP, group);
	} else if (q->pieces.chunks > 1 && q->shape.group > 0 && q->shape.group != q->shape.stages) {
		set_number(l, LAUNCH_GROUP, q->shape.group);
	}
}

/* Fill up uneven pieces with layers that do nothing, at their ends. */
static void
noop_layers(struct launch *l, const struct pieces *x, int each)
{
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);
	const char *divider = "";

	for (int i = 0; i < x->layers.chunks * x->layers.stages; i++)
		for (int k = x->layers.at[i]; k < each; k++) {
			fprintf(f, "%s%d", divider, i * each + k);
			divider = ",";
		}
	memstream_close(f);
	launch_set(l, LAUNCH_NOOP, text);
}

static void
mindspeed_pieces(struct launch *l, const struct pieces *x, const struct yaml_question *q, const struct plan *p)
{
	int n = q->pieces.chunks * q->pieces.stages, each = 0;
	bool even = same_between(x->layers, 0, n);

	for (int i = 0; i < n; i++)
		each = x->layers.at[i] > each ? x->layers.at[i] : each;
	if (q->shape.kind == SCHEDULE_DUALPIPEV) {
		if (!even)
			place_die(q->place, "'%s': MindSpeed-LLM runs dualpipev only with the same number of layers in "
			    "every piece", p->name);
		launch_set(l, LAUNCH_SCHEDULE, xstrdup("dualpipev"));
	} else if (q->pieces.chunks > 1) {
		set_number(l, LAUNCH_LAYERS, each * n);
		set_number(l, LAUNCH_PER_VIRTUAL, each);
		if (!even)
			noop_layers(l, x, each);
	} else if (!even) {
		launch_set(l, LAUNCH_LIST, split_list_text(x->layers, SCHEDULE_1F1B));
	}
}

static void
set_words(struct launch *l, enum launch_option o, struct texts t, char divider)
{
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	for (int i = 0; i < t.n; i++) {
		if (i > 0)
			putc(divider, f);
		fputs(t.at[i], f);
	}
	memstream_close(f);
	launch_set(l, o, text);
}

/* Set the recomputation of parts in all layers, as a kind record names them. */
static void
parts(struct launch *l, const struct operators *o, enum target_words words)
{
	if (o == NULL || o->recompute_modules.n > 0)
		launch_set(l, LAUNCH_GRANULARITY, xstrdup("selective"));
	if (o == NULL)
		return;
	if (o->recompute_modules.n > 0)
		set_words(l, LAUNCH_MODULES, o->recompute_modules, ' ');
	if (words == WORDS_OFFLOAD && o->offload_modules.n > 0) {
		launch_set(l, LAUNCH_OFFLOAD, xstrdup(""));
		set_words(l, LAUNCH_OFFLOAD_MODULES, o->offload_modules, ' ');
	}
	if (words == WORDS_SWAP && o->swap_modules.n > 0) {
		launch_set(l, LAUNCH_SWAP, xstrdup(""));
		set_words(l, LAUNCH_SWAP_MODULES, o->swap_modules, ',');
	}
}

/* Return the numbers in data order instead of [chunk][stage]; caller frees. */
static struct grid
by_data(struct grid g, const struct shape *q)
{
	struct grid data = grid_new(g.chunks, g.stages);
	int *order = schedule_pieces(q);

	for (int i = 0; i < g.chunks * g.stages; i++)
		data.at[i] = g.at[order[i]];
	free(order);
	return data;
}

/* Set a schedule that the framework's own runtime has. */
static void
own_order(struct launch *l, const struct pieces *x, const struct yaml_question *q)
{
	struct grid layers = by_data(x->layers, &q->shape), extra = by_data(x->extra, &q->shape);

	launch_set(l, LAUNCH_LAYOUT, layout_write(layers, extra));
	launch_set(l, LAUNCH_OWN_RUNTIME, xstrdup(""));
	launch_set(l, LAUNCH_ALGORITHM, xstrdup(own_schedule_word(q->shape.kind)));
	free(layers.at);
	free(extra.at);
}

/* Set the numbers of the layers that are fully recomputed. */
static void
by_number(struct launch *l, const struct plan *p, const struct yaml_question *q)
{
	int *kind = question_layer_kinds(q, p);
	char *ids = layer_ids_text(kind, q->layers);

	free(kind);
	if (ids == NULL)
		return;
	launch_set(l, LAUNCH_GRANULARITY, xstrdup("full"));
	launch_set(l, LAUNCH_METHOD, xstrdup("null"));
	launch_set(l, LAUNCH_LAYER_IDS, ids);
}

/* Set how many of the first layers of each piece are fully recomputed. */
static void
by_piece(struct launch *l, const struct plan *p, const struct yaml_question *q)
{
	struct grid kind[RECOMPUTE_KINDS];

	plan_kinds(p, q->pieces.chunks, q->pieces.stages, kind);
	if (grid_sum(kind[RECOMPUTE_FULL]) > 0) {
		if (q->micro_batches == 0)
			place_die(q->place, "'%s': lists of FlagScale need a number of micro-batches, but the plan and "
			    "the pipeline record have none", p->name);
		launch_set(l, LAUNCH_GRANULARITY, xstrdup("full"));
		launch_set(l, LAUNCH_METHOD, xstrdup("block"));
		launch_set(l, LAUNCH_RECOMPUTE, xstrdup("1"));
		launch_set(l, LAUNCH_STAGE_LAYERS, piece_lists_text(kind[RECOMPUTE_FULL], q->micro_batches));
	}
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(kind[k].at);
}

static void
recomputation(struct launch *l, const struct plan *p, const struct yaml_question *q, const struct framework *to)
{
	const struct uniform *u = &q->uniform;

	if (to->rule == RULE_WHOLE && u->kind == RECOMPUTE_FULL) {
		if (to->anywhere)
			by_number(l, p, q);
		else
			by_piece(l, p, q);
	} else if (u->kind == RECOMPUTE_FULL) {
		launch_set(l, LAUNCH_GRANULARITY, xstrdup("full"));
		launch_set(l, LAUNCH_METHOD, xstrdup("block"));
		set_number(l, LAUNCH_RECOMPUTE, u->layers);
	} else if (u->kind != RECOMPUTE_NONE) {
		parts(l, q->modules.of[u->kind], to->words);
	}
}

struct launch
launch_of_plan(const struct plan *p, const struct yaml_question *q, enum target target, enum launch_dialect dialect)
{
	const struct framework *to = &frameworks[target];
	struct launch l = { .source = xstrdup("the arguments") };
	struct pieces x = pieces_of(p, q);

	for (int o = 0; o < LAUNCH_OPTIONS; o++)
		l.place[o] = q->place;
	set_number(&l, LAUNCH_LAYERS, x.all_layers);
	if (x.all_extra > 0)
		set_number(&l, LAUNCH_MTP, x.all_extra);
	set_number(&l, LAUNCH_STAGES, q->pieces.stages);
	if (target_in(to->kept, q->shape.kind))
		own_order(&l, &x, q);
	else if (to->words == WORDS_SWAP)
		mindspeed_pieces(&l, &x, q, p);
	else
		megatron_pieces(&l, &x, p, q);
	recomputation(&l, p, q, to);
	/* Use the older argument, which more users know. */
	if (dialect == LAUNCH_ARGUMENTS && to->rule == RULE_FIRST && l.value[LAUNCH_VIRTUAL] != NULL) {
		launch_set(&l, LAUNCH_VIRTUAL, NULL);
		set_number(&l, LAUNCH_PER_VIRTUAL, x.layers.at[0]);
	}
	free(x.layers.at);
	free(x.extra.at);
	return l;
}
