/* A plan as arguments of Megatron-LM or MindSpeed-LLM. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/schedule/schedule.h"
#include "lib/setup/hybrid.h"
#include "lib/setup/layout.h"
#include "arguments.h"
#include "own_words.h"

struct pieces {
	struct grid layers, extra;	/* in data order for chunks in rounds */
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
	/* In estimates the tail is the loss with the layers that predict further tokens. */
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

/* Whether pieces from FROM to TO have equal numbers. */
static bool
same_between(struct grid g, int from, int to)
{
	for (int i = from + 1; i < to; i++)
		if (g.at[i] != g.at[from])
			return false;
	return true;
}

/* Write blocks of multi-token prediction, which are with the loss, once per depth. */
static void
put_predicting(FILE *f, const struct plan *p, const struct yaml_question *q)
{
	const struct architecture *net = q->net;

	for (int m = 0; net != NULL && m < net->mtp_layers; m++) {
		putc('/', f);
		for (int i = 0; i < net->mtp_pattern.n; i++)
			if (hybrid_symbol(net->mtp_pattern.at[i]) == NULL)
				place_die(q->place, "'%s': Megatron-LM has no symbol for a layer that predicts further "
				    "tokens '%s'", p->name, net->mtp_pattern.at[i]);
			else
				fputs(hybrid_symbol(net->mtp_pattern.at[i]), f);
	}
}

/* Write blocks of a hybrid by their symbols in model order. */
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
			place_die(q->place, "'%s': Megatron-LM divides a hybrid by blocks, and has no symbol for layer "
			    "'%s'", p->name, body[b].name);
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
		/* Its pieces are chunks. */
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

		/* A remainder too small for a group joins the first: the only group then grows. */
		if (q->micro_batches % group != 0 && q->micro_batches % group < q->shape.stages)
			group = q->micro_batches;
		if (group != q->shape.stages)
			set_number(l, LAUNCH_GROUP, group);
	} else if (q->pieces.chunks > 1 && q->shape.group > 0 && q->shape.group != q->shape.stages) {
		set_number(l, LAUNCH_GROUP, q->shape.group);
	}
}

/* Fill up uneven pieces at their ends with layers that do nothing. */
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
layer_list(struct launch *l, struct grid layers)
{
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	for (int s = 0; s < layers.stages; s++)
		fprintf(f, "%s%d", s > 0 ? "," : "", layers.at[s]);
	memstream_close(f);
	launch_set(l, LAUNCH_LIST, text);
}

static void
mindspeed_pieces(struct launch *l, const struct pieces *x, const struct yaml_question *q, const struct plan *p)
{
	int n = q->pieces.chunks * q->pieces.stages, each = 0;
	bool even = same_between(x->layers, 0, n);

	for (int i = 0; i < n; i++)
		each = x->layers.at[i] > each ? x->layers.at[i] : each;
	if (q->shape.kind == SCHEDULE_DUALPIPEV) {
		if (target_even(TARGET_MINDSPEED, q->shape.kind) && !even)
			place_die(q->place, "'%s': MindSpeed-LLM runs dualpipev only with as many layers in every "
			    "piece", p->name);
		launch_set(l, LAUNCH_SCHEDULE, xstrdup("dualpipev"));
	} else if (q->pieces.chunks > 1) {
		set_number(l, LAUNCH_LAYERS, each * n);
		set_number(l, LAUNCH_PER_VIRTUAL, each);
		if (!even)
			noop_layers(l, x, each);
	} else if (!even) {
		layer_list(l, x->layers);
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

/* Set partial recomputation of all layers, as named by a kind record. */
static void
parts(struct launch *l, const struct operators *o, enum target target)
{
	if (o == NULL || o->recompute_modules.n > 0)
		launch_set(l, LAUNCH_GRANULARITY, xstrdup("selective"));
	if (o == NULL)
		return;
	if (o->recompute_modules.n > 0)
		set_words(l, LAUNCH_MODULES, o->recompute_modules, ' ');
	if (target != TARGET_MINDSPEED && o->offload_modules.n > 0) {
		launch_set(l, LAUNCH_OFFLOAD, xstrdup(""));
		set_words(l, LAUNCH_OFFLOAD_MODULES, o->offload_modules, ' ');
	}
	if (target == TARGET_MINDSPEED && o->swap_modules.n > 0) {
		launch_set(l, LAUNCH_SWAP, xstrdup(""));
		set_words(l, LAUNCH_SWAP_MODULES, o->swap_modules, ',');
	}
}

static void
recomputation(struct launch *l, const struct plan *p, const struct yaml_question *q, enum target target)
{
	const struct uniform *u = &q->uniform;

	if (target_rule(target) == RULE_WHOLE && u->kind == RECOMPUTE_FULL) {
		own_recomputation(l, p, q, target);
	} else if (u->kind == RECOMPUTE_FULL) {
		launch_set(l, LAUNCH_GRANULARITY, xstrdup("full"));
		launch_set(l, LAUNCH_METHOD, xstrdup("block"));
		set_number(l, LAUNCH_RECOMPUTE, u->layers);
	} else if (u->kind != RECOMPUTE_NONE) {
		parts(l, q->modules.of[u->kind], target);
	}
}

struct launch
launch_of_plan(const struct plan *p, const struct yaml_question *q, enum target target, enum launch_dialect dialect)
{
	struct launch l = { .source = xstrdup("the arguments") };
	struct pieces x = pieces_of(p, q);

	for (int o = 0; o < LAUNCH_OPTIONS; o++)
		l.place[o] = q->place;
	set_number(&l, LAUNCH_LAYERS, x.all_layers);
	if (x.all_extra > 0)
		set_number(&l, LAUNCH_MTP, x.all_extra);
	set_number(&l, LAUNCH_STAGES, q->pieces.stages);
	if (target == TARGET_PRIMUS && own_order(&l, q, x.layers, x.extra)) {
		/* Schedules forth and back, and those requested by name, are handled elsewhere. */
	} else if (target != TARGET_MINDSPEED) {
		megatron_pieces(&l, &x, p, q);
	} else {
		mindspeed_pieces(&l, &x, q, p);
	}
	recomputation(&l, p, q, target);
	/* Prefer the older, well-known argument. */
	if (dialect == LAUNCH_ARGUMENTS && target == TARGET_MEGATRON && l.value[LAUNCH_VIRTUAL] != NULL) {
		launch_set(&l, LAUNCH_VIRTUAL, NULL);
		set_number(&l, LAUNCH_PER_VIRTUAL, x.layers.at[0]);
	}
	free(x.layers.at);
	free(x.extra.at);
	return l;
}
