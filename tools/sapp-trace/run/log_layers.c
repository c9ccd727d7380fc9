#include "log_layers.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/cost/layer_work.h"
#include "lib/draft/draft.h"
#include "lib/script/started.h"
#include "lib/setup/launch.h"
#include "lib/setup/launched.h"

/* Factor by which the loss may be more or less efficient than layers; gives the accuracy of its time. */
static const double unlike = 2;

struct log_load {			/* operations on a device in the forward of one stage and micro-batch */
	double layers;
	double again;		/* operations that the backward repeats */
};

struct parts {
	struct place at;
	const struct profile *profile;
	struct architecture net;
	struct division division;
	struct forward_work work;
	int stages;
	struct log_load *load;	/* [stages] */
	bool selects;		/* whether attention scores are recomputed; the measured times include this */
	enum stages_told told;
};

struct log_times {			/* times of the forward, or of the backward */
	/* ms per operation of layers; of a backward, per operation of the forward, without recomputation */
	double rate;
	double head, tail;	/* ms */
	bool by_operations;	/* whether the time of the tail is taken as proportional to its operations */
};

/* Set the operations of each stage to the sum over its layers. */
static void
fill_loads(struct parts *p, const struct launched *x)
{
	int *order = schedule_pieces(&x->shape), layer = 0;
	double scores = p->work.scores;

	p->load = xcalloc((size_t)p->stages, sizeof *p->load);
	for (int i = 0; i < x->shape.chunks * p->stages; i++) {
		struct log_load *to = &p->load[order[i] % p->stages];
		int full = x->kind[RECOMPUTE_FULL].at[order[i]], select = x->kind[RECOMPUTE_SELECT].at[order[i]];
		int n = full + select + x->kind[RECOMPUTE_NONE].at[order[i]];

		p->selects |= select > 0;
		for (int j = 0; j < n; j++, layer++) {
			int last = layer < p->net.layers ? layer : p->net.layers - 1;
			double one = p->work.layer[architecture_class_of(&p->net, last)];

			to->layers += one;
			to->again += j < full ? one : j < full + select ? scores : 0;
		}
	}
	free(order);
}

static double
stage_time(const struct table *t, int stage)
{
	double x = 0;

	for (int v = 0; v < t->chunks; v++)
		x += t->at[v * t->stages + stage];
	return x;
}

/* Divide the time of all stages in proportion to operations. The embedding gets no time. */
static struct log_times
by_operations(const struct parts *p, const struct table *t, double again)
{
	struct log_times x = { .by_operations = true };
	double time = 0, work = p->work.head;

	for (int s = p->told == TOLD_EACH ? 0 : p->stages - 1; s < p->stages; s++) {
		time += stage_time(t, s) - again * p->load[s].again;
		work += p->load[s].layers;
	}
	x.rate = fmax(time, 0) / work;
	x.tail = x.rate * p->work.head;
	return x;
}

/*
 * Solve for the times of layers and of the model's ends. AGAIN: ms per recomputed operation of a backward; 0 for
 * forwards.
 */
static struct log_times
solve(const struct parts *p, const struct table *t, double again)
{
	int last = p->stages - 1, from = p->stages > 2 ? 1 : 0;
	double time = 0, work = 0;
	struct log_times x = { 0 };

	if (p->told == TOLD_LAST || p->stages < 2 || (p->told == TOLD_EACH && p->stages < 3))
		return by_operations(p, t, again);
	for (int s = from; s < last && p->load[s].layers > 0; s++) {
		time += stage_time(t, s) - again * p->load[s].again;
		work += p->load[s].layers;
	}
	x.rate = work > 0 ? time / work : 0;
	x.tail = stage_time(t, last) - again * p->load[last].again - x.rate * p->load[last].layers;
	if (p->told == TOLD_EACH)
		x.head = stage_time(t, 0) - again * p->load[0].again - x.rate * p->load[0].layers;
	/* The times of the middle stages would leave a negative time for the loss. */
	if (x.rate <= 0 || x.tail < 0)
		return by_operations(p, t, again);
	x.head = fmax(x.head, 0);
	return x;
}

/*
 * Get the range of relative errors of layer times. An operation of the loss takes between 1 / UNLIKE and UNLIKE times
 * as long as an operation of layers.
 */
static void
range(const struct parts *p, double *low, double *high)
{
	double layers = 0;

	for (int s = p->told == TOLD_EACH ? 0 : p->stages - 1; s < p->stages; s++)
		layers += p->load[s].layers;
	*low = (layers + p->work.head) / (layers + unlike * p->work.head) - 1;
	*high = (layers + p->work.head) / (layers + p->work.head / unlike) - 1;
}

static void
say(const struct parts *p, const struct log_times *forward, struct log_waits waits, double way)
{
	double layer = forward->rate * p->load[p->stages - 1].layers, low, high;

	if (forward->by_operations) {
		range(p, &low, &high);
		place_warn(p->at, "times of layers and loss are divided by their numbers of operations: if operations "
		    "of the loss take half or twice as long as those of layers, times of layers are off by %.1f to "
		    "%+.1f %%; the embedding's time is set to 0", 100 * low, 100 * high);
	} else if (p->told == TOLD_ENDS) {
		place_warn(p->at, "the log has no time of the first stage: the embedding's time is set to 0");
	}
	if (p->told == TOLD_LAST && waits.first > 0 && p->stages > 2) {
		double each = waits.first / (p->stages - 1) - way;

		place_warn(p->at, "a forward of the last stage's layers takes %.2f ms; at the start of a step the last "
		    "stage waits %.2f ms per other stage (%+.1f %%)", layer, each, 100 * (each / layer - 1));
	}
}

static void
put_layer(FILE *out, const char *model, const char *name, enum layer_type type, int n, double forward,
    double backward, double work, double scores)
{
	struct layer l = { .name = xstrdup(name), .type = type, .nb_layer = n };

	GIVE(layer, &l, model_name, xstrdup(model));
	GIVE(layer, &l, time, forward);
	GIVE(layer, &l, backward[RECOMPUTE_NONE], backward);
	if (type == LAYER_BODY) {
		GIVE(layer, &l, backward[RECOMPUTE_FULL], backward + forward);
		if (scores > 0)
			GIVE(layer, &l, backward[RECOMPUTE_SELECT], backward + forward * scores / work);
	}
	record_put(out, RECORD_LAYER, &l);
	fields_free(&layer_fields, &l);
}

/*
 * Return the ms per step outside of the pipeline. They include the final wait of the last stage that layers do not
 * explain, which is the all-reduce of the tied embedding, a part of that timer.
 */
static double
outside(const struct parts *p, const struct log_times *forward, const struct log_times *backward,
    struct log_waits waits,
    double way, double elapsed, double pipeline)
{
	double layers = 0;

	for (int s = 0; s < p->stages - 1; s++)
		layers += backward->rate * p->load[s].layers + forward->rate * p->load[s].again + way;
	if (p->told == TOLD_LAST && p->profile->of.forward.chunks == 1 && waits.end > layers)
		pipeline -= waits.end - layers;
	return elapsed - pipeline;
}

static void
put_records(FILE *out, const struct parts *p, const struct log_times *forward, const struct log_times *backward,
    double overhead)
{
	struct model m = { .name = xstrdup(p->profile->of.name) };
	int n = p->net.classes.n, count[CLASSES_MOST], first = architecture_class_of(&p->net, 0);

	if (overhead >= 0) {
		GIVE(model, &m, overhead, list_new(1));
		m.overhead.at[0] = overhead;
	}
	record_put(out, RECORD_MODEL, &m);
	put_layer(out, m.name, "embedding", LAYER_HEAD, 1, forward->head, backward->head, 1, 0);
	architecture_counts(&p->net, count);
	count[parameters_last(&p->net)] += p->net.mtp_layers;
	for (int i = 0; i < n; i++) {
		int k = (first + i) % n;
		double work = p->work.layer[k];

		if (count[k] > 0)
			put_layer(out, m.name, count[k] < p->net.layers + p->net.mtp_layers ?
			    architecture_class(&p->net, k)->name : "layer", LAYER_BODY, count[k],
			    forward->rate * work, backward->rate * work, work, p->selects ? p->work.scores : 0);
	}
	put_layer(out, m.name, "loss", LAYER_TAIL, 1, forward->tail, backward->tail, 1, 0);
	fields_free(&model_fields, &m);
}

/* Return whether kinds of layers alternate, which layer records cannot express. */
static bool
alternates(const struct architecture *n)
{
	int changes = 0;

	for (int l = 1; l < n->layers; l++)
		changes += architecture_class_of(n, l) != architecture_class_of(n, l - 1);
	return changes > 1;
}

void
log_layers_write(FILE *out, const struct log *l, const struct profile *profile, enum stages_told told,
    struct log_waits waits, double elapsed, double pipeline)
{
	static const struct additions nothing;
	struct parts p = { .at = { l->source, 0 }, .profile = profile, .stages = profile->of.forward.stages,
		.told = told };
	double way = profile->of.comm_time.n > 0 ? profile->of.comm_time.at[0] : 0, overhead = -1;
	struct draft d = { 0 };
	struct log_times forward, backward;
	struct launched x;

	if (!l->listed.pipeline)
		return;
	megatron_read(&d, &l->started, NULL, &nothing);
	if (draft_missing(&d) != NULL) {
		if (GIVEN(architecture, &d.net, hidden_size))
			place_warn(p.at, "only times of stages, not of layers: no %s among the arguments",
			    draft_missing(&d));
		draft_free(&d);
		return;
	}
	launched_read(&x, &l->launch, NULL);
	if (x.shape.stages != p.stages || x.shape.chunks != profile->of.forward.chunks || alternates(&d.net)) {
		place_warn(p.at, "only times of stages, not of layers: %s", alternates(&d.net) ?
		    "dense layers and mixtures of experts alternate" : "the arguments are of another pipeline");
	} else {
		draft_write(out, &d, &nothing, p.at, true);
		p.net = d.net;
		p.division = (struct division){ .tp = d.current.tp, .cp = d.current.cp, .ep = d.current.ep,
		    .etp = d.current.etp, .mbs = d.current.mbs, .sp = d.current.sp };
		p.work = forward_work_of(&p.net, &p.division, p.net.causal && p.net.flash);
		fill_loads(&p, &x);
		forward = solve(&p, &profile->of.forward, 0);
		backward = solve(&p, &profile->of.backward, forward.rate);
		say(&p, &forward, waits, way);
		if (pipeline >= 0 && pipeline <= elapsed)
			overhead = outside(&p, &forward, &backward, waits, way, elapsed, pipeline);
		put_records(out, &p, &forward, &backward, overhead);
		free(p.load);
	}
	draft_free(&d);
	launched_free(&x);
}
