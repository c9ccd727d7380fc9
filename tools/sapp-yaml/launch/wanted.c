#include "wanted.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/whole.h"
#include "lib/script/processes.h"
#include "lib/script/spelled.h"
#include "lib/setup/launched.h"
#include "lib/setup/layout.h"
#include "lib/setup/own_lists.h"
#include "sapp-yaml/plan/degrees.h"

enum { NUMBER_MOST = 100000000 };

/* Return the number that the script has for an option; 0: none, or unknown before it runs. */
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

/* Exit if the number of layers would change. */
static void
check_layers(const struct wanted *w, const struct launch *a, const struct wanted_for *f)
{
	const struct launch *l = &w->launch;
	struct place at = a->place[has(a, LAUNCH_LAYERS) ? LAUNCH_LAYERS : LAUNCH_MTP];
	int given = f->layers > 0 ? f->layers : f->question->net != NULL ? f->question->net->layers : 0;
	long layers = has(a, LAUNCH_LAYERS) ? said(a, LAUNCH_LAYERS) - noop_layers(a) : given;
	long want = whole_of(l->value[LAUNCH_LAYERS], INT_MAX) - noop_layers(l);
	long more = said(a, LAUNCH_MTP), predicting = has(l, LAUNCH_MTP) ? whole_of(l->value[LAUNCH_MTP], INT_MAX) : 0;

	if (layers == 0 && !has(a, LAUNCH_LAYERS))
		place_die((struct place){ a->source, 0 }, "no --num-layers in the arguments; give the number of layers "
		    "with -layers");
	if (said(a, LAUNCH_LAYERS) == 0 && has(a, LAUNCH_LAYERS))
		place_die(at, "--num-layers: not a whole number '%s'", a->value[LAUNCH_LAYERS]);
	if (layers != want || more != predicting)
		place_die(at, "%s makes %ld layers and %ld for multi-token prediction, but the plan has %ld and %ld",
		    has(a, LAUNCH_LAYERS) ? "--num-layers" : "the network", layers, more, want, predicting);
}

static void
keep(struct launch *l, enum launch_option o, const char *value)
{
	launch_set(l, o, value != NULL ? xstrdup(value) : NULL);
}

/* Keep the pieces in the form of a list, if the file has a list. */
static void
keep_list(struct launch *want, const struct launch *now, const struct yaml_question *q)
{
	static const enum launch_option places[] = { LAUNCH_VIRTUAL, LAUNCH_PER_VIRTUAL, LAUNCH_FIRST, LAUNCH_LAST,
		LAUNCH_LAYOUT };
	bool hetero = has(now, LAUNCH_HETERO);
	struct grid data = grid_copy(q->pieces);
	int *order = schedule_pieces(&q->shape), least = q->layers;

	for (int i = 0; i < data.chunks * data.stages; i++) {
		data.at[i] = q->pieces.at[order[i]];
		least = data.at[i] < least ? data.at[i] : least;
	}
	free(order);
	if (hetero && q->shape.chunks > 1)
		place_die(now->place[LAUNCH_HETERO], "%s: not allowed with several chunks per stage",
		    launch_key(LAUNCH_HETERO));
	if ((hetero || has(now, LAUNCH_SPLIT_LIST)) && least > 0 && q->extra == 0 && !has(want, LAUNCH_MTP)) {
		for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
			keep(want, places[i], NULL);
		if (q->shape.chunks > 1)
			launch_set(want, LAUNCH_VIRTUAL, xasprintf("%d", q->shape.chunks));
		launch_set(want, hetero ? LAUNCH_HETERO_LIST : LAUNCH_SPLIT_LIST, split_list_text(data,
		    q->shape.kind));
	}
	free(data.at);
}

/* Keep the file's name for the number of chunks, which has two names. */
static void
keep_chunks(struct launch *want, const struct launch *now, const struct yaml_question *q)
{
	if (has(want, LAUNCH_PER_VIRTUAL) && has(now, LAUNCH_VIRTUAL)) {
		keep(want, LAUNCH_PER_VIRTUAL, NULL);
		launch_set(want, LAUNCH_VIRTUAL, xasprintf("%d", q->shape.chunks));
	} else if (!has(want, LAUNCH_PER_VIRTUAL) && has(now, LAUNCH_PER_VIRTUAL) && has(want, LAUNCH_VIRTUAL) &&
	    !has(want, LAUNCH_SPLIT_LIST)) {
		keep(want, LAUNCH_VIRTUAL, NULL);
		launch_set(want, LAUNCH_PER_VIRTUAL, xasprintf("%d", q->pieces.at[0]));
	}
}

static bool
same_grid(struct grid a, struct grid b)
{
	return a.chunks == b.chunks && a.stages == b.stages &&
	    memcmp(a.at, b.at, (size_t)a.chunks * (size_t)a.stages * sizeof *a.at) == 0;
}

/* Keep a layout that means the same. */
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

/* Keep other arguments that mean the same recomputation. */
static void
keep_recomputation(struct wanted *w, const struct launch *a, const struct yaml_question *q, bool keys)
{
	struct launch *l = &w->launch;
	int most = 0;

	for (int i = 0; i < q->pieces.chunks * q->pieces.stages; i++)
		most = q->pieces.at[i] > most ? q->pieces.at[i] : most;
	if (l->value[LAUNCH_METHOD] != NULL && q->extra == 0 && q->uniform.layers >= most &&
	    launch_is(a, LAUNCH_METHOD, "uniform") && launch_is(a, LAUNCH_RECOMPUTE, "1")) {
		launch_set(l, LAUNCH_METHOD, xstrdup("uniform"));
		launch_set(l, LAUNCH_RECOMPUTE, xstrdup("1"));
	}
	if (l->value[LAUNCH_GRANULARITY] != NULL && strcmp(l->value[LAUNCH_GRANULARITY], "selective") == 0 &&
	    has(a, LAUNCH_ACTIVATIONS) && !has(a, LAUNCH_GRANULARITY)) {
		launch_set(l, LAUNCH_GRANULARITY, NULL);
		launch_set(l, LAUNCH_ACTIVATIONS, xstrdup(""));
	}
	/* Without recomputation, its method does not matter. */
	if (keys && !has(l, LAUNCH_GRANULARITY)) {
		keep(l, LAUNCH_METHOD, a->value[LAUNCH_METHOD]);
		keep(l, LAUNCH_RECOMPUTE, a->value[LAUNCH_RECOMPUTE]);
	}
	/* A schedule of Megatron-LM has no name here. */
	if (!has(l, LAUNCH_OWN_RUNTIME))
		keep(l, LAUNCH_ALGORITHM, a->value[LAUNCH_ALGORITHM]);
}

/* Mark the settings other than degrees in which the candidate differs from the script. */
static void
decide_settings(struct wanted *w, const struct launch *a, const struct configuration *now, bool experts,
    enum target target)
{
	const struct configuration *c = &w->candidate;
	bool there[LAUNCH_OPTIONS];

	for (int o = 0; o < LAUNCH_OPTIONS; o++)
		there[o] = has(a, (enum launch_option)o);
	/* Keep the script's name for the kind, which has two names. */
	if (there[LAUNCH_CONTEXT_ALGORITHM] && target != TARGET_MINDSPEED) {
		launch_set(&w->launch, LAUNCH_CONTEXT_KIND, NULL);
		launch_set(&w->launch, LAUNCH_CONTEXT_ALGORITHM, c->cp_kind == CONTEXT_ULYSSES ?
		    xstrdup("ulysses_cp_algo") : NULL);
	}
	candidate_decide(w->decided, there, c, now, experts);
	/* The default differs between releases, so the value is always written. */
	w->decided[LAUNCH_CONTEXT_ALGORITHM] |= target == TARGET_MINDSPEED && c->cp > 1;
}

/* Set the number of devices that the degrees require: change the number of nodes, or of devices per node. */
static void
decide_devices(struct wanted *w, const struct launch *a)
{
	const struct configuration *c = &w->candidate;
	long want = (long)configuration_devices(c), all = said(a, LAUNCH_WORLD), each = said(a, LAUNCH_NODE_DEVICES);
	long nodes = has(a, LAUNCH_NODES) ? said(a, LAUNCH_NODES) : 1;
	bool whole = has(a, LAUNCH_WORLD);
	enum launch_option per = each > 0 ? LAUNCH_NODE_DEVICES : LAUNCH_WORLD;
	struct place at = has(a, per) ? a->place[per] : (struct place){ a->source, 0 };

	if (want == 0)
		return;
	if (whole && each == 0 && nodes > 0)
		each = has(a, LAUNCH_NODES) ? all / nodes : want;
	if (each == 0 || nodes == 0 || (whole && all == 0)) {
		place_say(at, "it has no number of devices; the plan is for %ld", want);
		return;
	}
	if ((whole ? all : each * nodes) == want)
		return;
	if (want % each != 0 && want > each)
		place_die(at, "%s: the plan's %ld devices do not fill whole nodes of '%ld'",
		    per == LAUNCH_WORLD ? "processes of the launcher" : launch_name(per), want, each);
	if (want < each) {
		if (has(a, LAUNCH_NODE_DEVICES))
			set(w, LAUNCH_NODE_DEVICES, xasprintf("%ld", want));
		each = want;
	}
	if (nodes != want / each && (has(a, LAUNCH_NODES) || !whole))
		set(w, LAUNCH_NODES, xasprintf("%ld", want / each));
	if (whole)
		set(w, LAUNCH_WORLD, xasprintf("%ld", want));
	if (!has(a, LAUNCH_NODES) && !has(a, LAUNCH_NODE_DEVICES))
		place_say(at, "it now starts %ld processes: the plan is for as many devices", want);
	else
		place_say(at, "it now starts %ld node%s of %ld devices: the plan is for %ld",
		    want / each, want / each == 1 ? "" : "s", each, want);
}

/* Set the settings of the candidate in the stream. */
static void
decide_candidate(struct wanted *w, const struct launch *a, const struct configuration *now, const struct wanted_for *f,
    bool keys, bool experts)
{
	const struct configuration *c = &w->candidate;
	struct candidate_words words = { f->target, f->dialect, experts };

	launch_add_candidate(&w->launch, c, &words, f->question->place);
	if (!GIVEN(configuration, c, zero)) {
		keep(&w->launch, LAUNCH_OPTIMIZER, a->value[LAUNCH_OPTIMIZER]);
		keep(&w->launch, LAUNCH_OPTIMIZERS, a->value[LAUNCH_OPTIMIZERS]);
	}
	/* Write all keys, because the presets of a file may differ. */
	for (int o = 0; keys && o < LAUNCH_OPTIONS; o++)
		w->decided[o] |= w->launch.value[o] != NULL && o != LAUNCH_LAYERS && o != LAUNCH_MTP;
	w->decided[LAUNCH_TENSOR] |= has(a, LAUNCH_TENSOR) || c->tp > 1;
	w->decided[LAUNCH_CONTEXT] |= has(a, LAUNCH_CONTEXT) || c->cp > 1;
	w->decided[LAUNCH_MICRO_BATCH] = w->decided[LAUNCH_GLOBAL_BATCH] = true;
	decide_settings(w, a, now, experts, f->target);
}

/* Set the batch, or print that it is not the plan's batch. */
static void
decide_batch(struct wanted *w, const struct launch *a, const struct configuration *now, const struct wanted_for *f)
{
	long batch = (long)f->question->micro_batches * now->mbs * w->candidate.dp;

	if (f->micro && batch == 0)
		place_die((struct place){ a->source, 0 }, "-mb: the number of devices that share the batch is unknown");
	if (f->micro)
		set(w, LAUNCH_GLOBAL_BATCH, xasprintf("%ld", batch));
	else if (f->question->micro_batches > 0 && batch > 0 && said(a, LAUNCH_GLOBAL_BATCH) != batch)
		place_warn((struct place){ a->source, 0 }, "--global-batch-size %ld does not give the plan's %d "
		    "micro-batches (write it with -mb)", said(a, LAUNCH_GLOBAL_BATCH), f->question->micro_batches);
}

static void
decide_degrees(struct wanted *w, const struct launch *a, const struct started *started, const struct wanted_for *f)
{
	const struct yaml_question *q = f->question;
	struct configuration now;
	bool experts = said(a, LAUNCH_EXPERTS) > 0 || (started->keys && question_experts(q));
	bool known;

	w->of_stream = q->degrees != NULL;
	known = degrees_of_started(&now, started, started->keys && w->of_stream ? configuration_devices(q->degrees) : 0,
	    started->keys && experts);
	w->candidate = w->of_stream ? *q->degrees : now;
	w->candidate.pp = q->shape.stages;
	if (w->of_stream) {
		decide_candidate(w, a, &now, f, started->keys, experts);
	} else {
		w->candidate.dp = known ? now.dp : 0;
		if (!started->keys)
			decide_batch(w, a, &now, f);
	}
	/* The file's division of layers does not matter. */
	free(now.stage_layers.at);
	if (!w->of_stream)
		w->candidate.stage_layers = (struct grid){ 0 };
	if (!started->keys)
		decide_devices(w, a);
}

/* Exit if the plan needs an argument that forks with DeepSpeed's pipeline do not have, unless the script has it. */
static void
check_deepspeed(const struct wanted *w, const struct launch *a, const struct started *started)
{
	static const enum launch_option missing[] = { LAUNCH_VIRTUAL, LAUNCH_PER_VIRTUAL, LAUNCH_FIRST, LAUNCH_LAST,
		LAUNCH_LAYOUT, LAUNCH_EMBEDDING_COUNTS, LAUNCH_LOSS_COUNTS, LAUNCH_MODULES };

	for (int i = 0; i < started->program.arguments.n && w->candidate.pp > 1; i++)
		if (spelled_alike(started->program.arguments.at[i], "no_pipeline_parallel"))
			place_die(started_place(started, i), "not written: with this argument DeepSpeed has one stage, "
			    "and the plan has more '%s'", started->program.arguments.at[i]);
	for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
		enum launch_option o = missing[i];

		if (has(&w->launch, o) && (!has(a, o) || strcmp(w->launch.value[o], a->value[o]) != 0))
			place_die((struct place){ a->source, 0 }, "not written: DeepSpeed's pipeline has no argument "
			    "for it '%s'; plan with one chunk and equal stages", launch_name(o));
	}
	if (launch_is(&w->launch, LAUNCH_METHOD, "block"))
		place_die((struct place){ a->source, 0 }, "not written: DeepSpeed's pipeline recomputes all layers or "
		    "none, and the plan has some '%s block'", launch_name(LAUNCH_METHOD));
}

void
wanted_make(struct wanted *w, const struct launch *a, const struct started *started, const struct wanted_for *f)
{
	const struct yaml_question *q = f->question;

	*w = (struct wanted){ .launch = launch_of_plan(f->plan, q, f->target, f->dialect) };
	check_layers(w, a, f);
	if (has(a, LAUNCH_HYBRID) && has(&w->launch, LAUNCH_LAYOUT))
		place_die(a->place[LAUNCH_HYBRID], "%s: the plan's layers are not blocks of this pattern; "
		    "plan the layers that sapp-est -layers makes of the network '%s'", launch_name(LAUNCH_HYBRID),
		    a->value[LAUNCH_HYBRID]);
	keep_list(&w->launch, a, q);
	keep_chunks(&w->launch, a, q);
	keep_layout(w, a, q);
	keep_recomputation(w, a, q, started->keys);
	for (int o = LAUNCH_STAGES; o <= LAUNCH_PARTIAL; o++)
		w->decided[o] = o != LAUNCH_HETERO;
	w->decided[LAUNCH_LAYERS] = has(a, LAUNCH_LAYERS) &&
	    said(a, LAUNCH_LAYERS) != whole_of(w->launch.value[LAUNCH_LAYERS], INT_MAX);
	/* With one stage the pipeline has no order. */
	w->decided[LAUNCH_OVERLAP] = started->keys || q->shape.stages > 1 || has(&w->launch, LAUNCH_OVERLAP);
	decide_degrees(w, a, started, f);
	launched_check_fsdp(a, &w->launch);
	if (started_of_deepspeed(started))
		check_deepspeed(w, a, started);
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

		if (!started->keys && w->decided[o] && ((value == NULL) != (want == NULL) ||
		    (want != NULL && strcmp(value, want) != 0)))
			place_die(at, "not written: %s would be '%s', not '%s'", launch_name((enum launch_option)o),
			    value != NULL ? value : "", want != NULL ? want : "");
	}
	if (w->decided[LAUNCH_NODES] && processes_allocated(started) != NULL &&
	    strcmp(processes_allocated(started), w->launch.value[LAUNCH_NODES]) != 0)
		place_warn(at, "the number of nodes that start it stays %s, and it needs %s",
		    processes_allocated(started), w->launch.value[LAUNCH_NODES]);
	if (!w->of_stream || started->keys)
		return;
	if (!degrees_of_started(&now, started, 0, false)) {
		free(now.stage_layers.at);
		if (!degrees_of_started(&now, started, configuration_devices(c), false))
			place_die(at, "not written: the degrees of the edited file cannot be read back");
	}
	wrong = degrees_difference(c, &now, said(a, LAUNCH_EXPERTS) > 0);
	if (wrong != NULL)
		place_die(at, "not written: the edited file would not have the plan's degrees: %s", wrong);
	free(now.stage_layers.at);
}

void
wanted_free(struct wanted *w)
{
	launch_free(&w->launch);
}
