#include "wanted.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/whole.h"
#include "lib/setup/launched.h"
#include "lib/setup/layout.h"
#include "sapp-yaml/plan/degrees.h"

enum { NUMBER_MOST = 100000000 };

/* Return the number in the script; 0: none, or unknown before it runs. */
static long
said(const struct launch *a, enum launch_option o)
{
	const char *value = a->value[o];
	char *end;
	long n;

	if (value == NULL)
		return 0;
	n = strtol(value, &end, 10);
	return *value == '\0' || *end != '\0' || n < 0 || n > NUMBER_MOST ? 0 : n;
}

static bool
has(const struct launch *a, enum launch_option o)
{
	return a->value[o] != NULL;
}

static bool
says(const struct launch *a, enum launch_option o, const char *value)
{
	return a->value[o] != NULL && strcmp(a->value[o], value) == 0;
}

static void
set(struct wanted *w, enum launch_option o, char *value)
{
	launch_set(&w->launch, o, value);
	w->decided[o] = true;
}

static long
noop_layers(const struct launch *l)
{
	const char *c = l->value[LAUNCH_NOOP];
	long n = c != NULL && *c != '\0';

	for (; c != NULL && *c != '\0'; c++)
		n += *c == ',';
	return n;
}

/* The network must not change. */
static void
check_layers(const struct wanted *w, const struct launch *a)
{
	struct place at = a->place[LAUNCH_LAYERS];
	long layers = said(a, LAUNCH_LAYERS) - noop_layers(a);
	long want = whole_of(w->launch.value[LAUNCH_LAYERS], INT_MAX) - noop_layers(&w->launch);
	long predicting = w->launch.value[LAUNCH_MTP] != NULL ? whole_of(w->launch.value[LAUNCH_MTP], INT_MAX) : 0;

	if (!has(a, LAUNCH_LAYERS))
		place_die((struct place){ a->source, 0 }, "no --num-layers in the arguments");
	if (said(a, LAUNCH_LAYERS) == 0)
		place_die(at, "--num-layers: not a whole number '%s'", a->value[LAUNCH_LAYERS]);
	if (layers != want || said(a, LAUNCH_MTP) != predicting)
		place_die(at, "--num-layers makes %ld layers and %ld that predict further tokens, "
		    "but the plan has %ld and %ld", layers, said(a, LAUNCH_MTP), want, predicting);
}

/* The number of chunks has two names: keep the script's. */
static void
keep_chunks(struct wanted *w, const struct launch *a, const struct yaml_question *q)
{
	if (w->launch.value[LAUNCH_PER_VIRTUAL] == NULL || !has(a, LAUNCH_VIRTUAL))
		return;
	launch_set(&w->launch, LAUNCH_PER_VIRTUAL, NULL);
	launch_set(&w->launch, LAUNCH_VIRTUAL, xasprintf("%d", q->shape.chunks));
}

static bool
same_grid(struct grid a, struct grid b)
{
	return a.chunks == b.chunks && a.stages == b.stages &&
	    memcmp(a.at, b.at, (size_t)a.chunks * (size_t)a.stages * sizeof *a.at) == 0;
}

/* Keep a layout with equal meaning. */
static void
keep_layout(struct wanted *w, const struct launch *a, const struct yaml_question *q)
{
	const char *value = a->value[LAUNCH_LAYOUT];
	struct grid now, want, now_extra, want_extra;

	if (value == NULL || w->launch.value[LAUNCH_LAYOUT] == NULL ||
	    said(a, LAUNCH_STAGES) != q->shape.stages)
		return;
	layout_read(value, q->shape.stages, &now, &now_extra, a->place[LAUNCH_LAYOUT]);
	layout_read(w->launch.value[LAUNCH_LAYOUT], q->shape.stages, &want, &want_extra, q->place);
	if (same_grid(now, want) && same_grid(now_extra, want_extra))
		launch_set(&w->launch, LAUNCH_LAYOUT, xstrdup(value));
	free(now.at);
	free(now_extra.at);
	free(want.at);
	free(want_extra.at);
}

/* Keep other arguments for equal recomputation. */
static void
keep_recomputation(struct wanted *w, const struct launch *a, const struct yaml_question *q)
{
	struct launch *l = &w->launch;
	int most = 0;

	for (int i = 0; i < q->pieces.chunks * q->pieces.stages; i++)
		most = q->pieces.at[i] > most ? q->pieces.at[i] : most;
	if (l->value[LAUNCH_METHOD] != NULL && q->extra == 0 && q->uniform.layers >= most &&
	    says(a, LAUNCH_METHOD, "uniform") && says(a, LAUNCH_RECOMPUTE, "1")) {
		launch_set(l, LAUNCH_METHOD, xstrdup("uniform"));
		launch_set(l, LAUNCH_RECOMPUTE, xstrdup("1"));
	}
	if (l->value[LAUNCH_GRANULARITY] != NULL && strcmp(l->value[LAUNCH_GRANULARITY], "selective") == 0 &&
	    has(a, LAUNCH_ACTIVATIONS) && !has(a, LAUNCH_GRANULARITY)) {
		launch_set(l, LAUNCH_GRANULARITY, NULL);
		launch_set(l, LAUNCH_ACTIVATIONS, xstrdup(""));
	}
}

/* Decide settings other than degrees, if the candidate differs from the script. */
static void
decide_settings(struct wanted *w, const struct launch *a, const struct configuration *now, bool experts,
    enum target target)
{
	const struct configuration *c = &w->candidate;
	bool there[LAUNCH_OPTIONS];

	for (int o = 0; o < LAUNCH_OPTIONS; o++)
		there[o] = has(a, (enum launch_option)o);
	/* The kind has two names: keep the script's. */
	if (there[LAUNCH_CONTEXT_ALGORITHM] && target != TARGET_MINDSPEED) {
		launch_set(&w->launch, LAUNCH_CONTEXT_KIND, NULL);
		launch_set(&w->launch, LAUNCH_CONTEXT_ALGORITHM, c->cp_kind == CONTEXT_ULYSSES ?
		    xstrdup("ulysses_cp_algo") : NULL);
	}
	candidate_decide(w->decided, there, c, now, experts);
	/* The default differs between releases. */
	w->decided[LAUNCH_CONTEXT_ALGORITHM] |= target == TARGET_MINDSPEED && c->cp > 1;
}

/* Set the devices required by the degrees: change the number of nodes, or of devices per node. */
static void
decide_devices(struct wanted *w, const struct launch *a)
{
	const struct configuration *c = &w->candidate;
	long want = (long)configuration_devices(c), each = said(a, LAUNCH_NODE_DEVICES), nodes =
	    has(a, LAUNCH_NODES) ? said(a, LAUNCH_NODES) : 1;
	struct place at = has(a, LAUNCH_NODE_DEVICES) ? a->place[LAUNCH_NODE_DEVICES] : (struct place){ a->source, 0 };

	if (want == 0)
		return;
	if (each == 0 || nodes == 0) {
		place_say(at, "it does not say how many devices it starts; the "
		    "plan is for %ld", want);
		return;
	}
	if (each * nodes == want)
		return;
	if (want % each != 0 && want > each)
		place_die(at, "%s: the plan's %ld devices are no whole number of nodes of '%ld'",
		    launch_name(LAUNCH_NODE_DEVICES), want, each);
	if (want < each) {
		set(w, LAUNCH_NODE_DEVICES, xasprintf("%ld", want));
		each = want;
	}
	if (nodes != want / each)
		set(w, LAUNCH_NODES, xasprintf("%ld", want / each));
	place_say(at, "it starts %ld node%s of %ld devices now: the plan is for %ld",
	    want / each, want / each == 1 ? "" : "s", each, want);
}

static void
decide_degrees(struct wanted *w, const struct launch *a, const struct started *started, const struct yaml_question *q,
    enum target target, bool micro)
{
	struct configuration now;
	long experts = said(a, LAUNCH_EXPERTS), batch;
	bool known = degrees_of_script(&now, started, 0);

	w->of_stream = q->degrees != NULL;
	w->candidate = w->of_stream ? *q->degrees : now;
	w->candidate.pp = q->shape.stages;
	if (w->of_stream) {
		struct candidate_words words = { target, LAUNCH_ARGUMENTS, experts > 0 };

		launch_add_candidate(&w->launch, &w->candidate, &words, q->place);
		w->decided[LAUNCH_TENSOR] = has(a, LAUNCH_TENSOR) || w->candidate.tp > 1;
		w->decided[LAUNCH_CONTEXT] = has(a, LAUNCH_CONTEXT) || w->candidate.cp > 1;
		w->decided[LAUNCH_MICRO_BATCH] = w->decided[LAUNCH_GLOBAL_BATCH] = true;
		decide_settings(w, a, &now, experts > 0, target);
	} else {
		w->candidate.dp = known ? now.dp : 0;
		batch = (long)q->micro_batches * now.mbs * w->candidate.dp;
		if (micro && batch == 0)
			place_die((struct place){ a->source, 0 }, "-mb: it does not say how many devices share "
			    "the batch");
		if (micro)
			set(w, LAUNCH_GLOBAL_BATCH, xasprintf("%ld", batch));
		else if (q->micro_batches > 0 && batch > 0 && said(a, LAUNCH_GLOBAL_BATCH) != batch)
			place_warn((struct place){ a->source, 0 }, "--global-batch-size %ld is not the plan's %d "
			    "micro-batches (-mb writes it)", said(a, LAUNCH_GLOBAL_BATCH), q->micro_batches);
	}
	/* The division of layers in the script does not matter. */
	free(now.stage_layers.at);
	if (!w->of_stream)
		w->candidate.stage_layers = (struct grid){ 0 };
	decide_devices(w, a);
}

void
wanted_make(struct wanted *w, const struct launch *a, const struct started *started, const struct plan *p,
    const struct yaml_question *q, enum target target, bool micro)
{
	*w = (struct wanted){ .launch = launch_of_plan(p, q, target, LAUNCH_ARGUMENTS) };
	check_layers(w, a);
	keep_chunks(w, a, q);
	keep_layout(w, a, q);
	keep_recomputation(w, a, q);
	for (int o = LAUNCH_STAGES; o <= LAUNCH_LOSS_COUNTS; o++)
		w->decided[o] = true;
	w->decided[LAUNCH_LAYERS] = said(a, LAUNCH_LAYERS) != whole_of(w->launch.value[LAUNCH_LAYERS], INT_MAX);
	/* With one stage there is no pipeline order. */
	w->decided[LAUNCH_OVERLAP] = q->shape.stages > 1 || w->launch.value[LAUNCH_OVERLAP] != NULL;
	decide_degrees(w, a, started, q, target, micro);
	launched_check_fsdp(a, &w->launch);
}

void
wanted_verify(const struct wanted *w, const struct launch *a, const struct started *started)
{
	const struct configuration *c = &w->candidate;
	struct place at = { a->source, 0 };
	struct configuration now;
	char *wrong;

	for (int o = 0; o < LAUNCH_OPTIONS; o++) {
		const char *want = w->launch.value[o], *value = a->value[o];

		if (w->decided[o] && ((value == NULL) != (want == NULL) || (want != NULL && strcmp(value, want) != 0)))
			place_die(at, "not written: %s would be '%s', not '%s'", launch_name((enum launch_option)o),
			    value != NULL ? value : "", want != NULL ? want : "");
	}
	if (!w->of_stream)
		return;
	if (!degrees_of_script(&now, started, 0)) {
		free(now.stage_layers.at);
		if (!degrees_of_script(&now, started, configuration_devices(c)))
			place_die(at, "not written: no degrees could be read back");
	}
	wrong = degrees_difference(c, &now, said(a, LAUNCH_EXPERTS) > 0);
	if (wrong != NULL)
		place_die(at, "not written: it would not say the plan's degrees: %s", wrong);
	free(now.stage_layers.at);
}

void
wanted_free(struct wanted *w)
{
	launch_free(&w->launch);
}
