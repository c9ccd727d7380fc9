#include "device.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "sapp-trace/layers/check.h"
#include "sapp-trace/layers/details.h"

/*
 * Return the instance of a piece. Files of the same stage share their layers; a file of an unknown stage has layers of
 * its own.
 */
static int
instance(struct instances *all, const struct trace_question *q, const struct piece *p, const struct trace_job *job,
    int file,
    struct place at)
{
	int class = p->class, found;
	char *component;

	if (class < 0)
		return -1;
	if (p->part != LAYER_BODY)
		component = xstrdup(q->classes->at[class].name);
	else if (job->stage >= 0)
		component = xasprintf("stage %d layer %d", job->stage, p->layer);
	else
		component = xasprintf("file %d layer %d", file, p->layer);
	found = instance_of(all, (struct text){ component, strlen(component) }, class, 0, at);
	free(component);
	return found;
}

/*
 * Print what was found. If several files are alike, print it once; with -v, print it for each file, with its kernels.
 */
static void
say(const struct layout *l, const struct trace_job *job, struct place at, char **said)
{
	char *stage = job->stage >= 0 && option_verbose ? xasprintf("stage %d of %d: ", job->stage, job->stages) :
	    xstrdup("");
	char *backward = l->period[1] > 0 ? xasprintf(", %zu per backward", l->period[1]) : xstrdup("");
	char *again = l->recomputed > 0 ? xasprintf(", %zu of them recomputed", l->recomputed) : xstrdup("");
	char *kernels = option_verbose ? xasprintf("; around %.60s, %zu kernels per forward%s%s", l->anchor,
	    l->period[0], backward, again) : xstrdup(""), *text;
	const char *assumed = l->micro_sure ? "" : ", if each row of layers is a micro-batch: with several chunks per "
	    "stage give -mb";

	text = xasprintf("%sno names of layers, so by repetition: %d layers x %d micro-batches x %d steps%s%s", stage,
	    l->layers, l->micro, l->steps, kernels, assumed);
	if (option_verbose || *said == NULL || strcmp(*said, text) != 0)
		place_say(at, "%s", text);
	free(*said);
	*said = text;
	if (l->period[1] == 0)
		place_warn(at, "no layer runs backward in it: inference, or a part of a step; only forwards are known");
	free(stage);
	free(backward);
	free(again);
	free(kernels);
}

static void
say_kinds(const struct body_kinds *k, const struct classes *c, struct place at)
{
	char *text = xstrdup("");
	int kinds = 0;

	for (int i = 0; i < k->n; i++) {
		char *longer;

		if (k->at[i].layers == 0)
			continue;
		longer = xasprintf("%s%s%d %s", text, kinds++ ? ", " : "", k->at[i].layers, c->at[k->at[i].class].said);
		free(text);
		text = longer;
	}
	if (kinds > 1)
		place_say(at, "layers of %d kinds: %s", kinds, text);
	free(text);
}

static void
tell_waits(struct waits *w, const struct sequence *s, const char *source)
{
	struct call_item *calls = NULL;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct item *x = &s->at[i];

		if (s->type[x->type].roles & ROLE_COMMUNICATION)
			*APPEND(calls, n) = (struct call_item){ i, x->type, x->step, s->number[x->step],
			    (double)(x->end - x->start) };
	}
	calls_tell(w, s, calls, n, source);
	free(calls);
}

static void
fill(struct layout *l, const struct sequence *s, const struct trace_question *q, const struct trace_job *job, int file,
    struct answers *a, const char *source)
{
	struct place at = { .source = source };
	struct instances instances = { 0 };
	struct step_tally tally;
	int *of = xcalloc(l->n, sizeof *of);

	if (!q->named)
		classes_nameless(q->classes);
	body_kinds_classify(&a->kinds, q->classes, l, q->named);
	say_kinds(&a->kinds, q->classes, at);
	for (size_t i = 0; i < l->n; i++)
		of[i] = instance(&instances, q, &l->at[i], job, file, at);
	tally_init(&tally, instances.n, s->steps, at);
	tally.busy = true;
	for (size_t i = 0; i < l->n; i++)
		if (of[i] >= 0)
			tally_add(&tally, l->at[i].step, of[i], l->at[i].phase, (struct tally_cell){ l->at[i].wall,
			    l->at[i].busy, l->at[i].idle, l->at[i].kernels, 0 });
	tally.waits = l->waits;
	l->waits = (struct waits){ 0 };
	for (size_t i = 0; i < tally.waits.n; i++) {
		struct wait *w = &tally.waits.at[i];

		w->class = l->at[w->owner].class;
		w->owner = of[w->owner];
	}
	tell_waits(&tally.waits, s, source);
	/* Ignore the steps in which the pattern does not hold. */
	tally_choose_of(&tally, l->good, q->steps, at);
	timings_merge(&a->timings, &tally, &instances, at, source);
	steps_check(&tally, &instances, q->classes, at);
	outside_add(&a->outside, &(struct rank_run){ s, l, tally.counted, *job, source, l->period[1] > 0 });
	if (q->kernels)
		observe(&a->observed, &(struct rank_run){ s, l, tally.counted, *job, source, false });
	memory_add(&a->memory, l, *job, source, source);
	a->stages = job->stages > a->stages ? job->stages : a->stages;
	tally_free(&tally);
	instances_free(&instances);
	free(of);
}

/*
 * List the possible numbers of layers of JOB's stage, from the file of -c, in *LIST (caller frees). Return their
 * number.
 */
static int
layers_said(const struct trace_question *q, struct trace_job job, int **list)
{
	int n = 0;

	*list = NULL;
	for (int i = 0; i < q->settings; i++)
		for (int stage = 0; stage < q->layers[i].stages; stage++) {
			int layers = 0, k = 0;

			if (job.stage >= 0 && job.stages == q->layers[i].stages && job.stage != stage)
				continue;
			for (int chunk = 0; chunk < q->layers[i].chunks; chunk++)
				layers += *grid_at(q->layers[i], chunk, stage);
			while (k < n && (*list)[k] != layers)
				k++;
			if (k == n)
				*APPEND(*list, n) = layers;
		}
	return n;
}

/* Find the layers of a sequence and add them. FINAL: all files were read. *WAIT: another file may help. */
static bool
find_layers(const struct sequence *s, struct trace_job job, const struct trace_question *q, struct answers *a,
    const char *source,
    bool final, bool *wait, char **why)
{
	struct layout_hints hints = { .anchor = q->anchor, .micro = q->micro, .job_micro = a->micro_sure ? a->micro : 0,
	    .stage = job.stage, .stages = job.stages, .model = &a->model, .said = q->said };
	struct place at = { .source = source };
	struct layout l;
	int *layers;
	bool found;

	hints.nlayers = layers_said(q, job, &layers);
	hints.layers = layers;
	/* The number of PyTorch's modules determines the number of layers. */
	if (s->modules > 0) {
		for (int i = 0; i < hints.nlayers && layers[i] != s->modules; i++)
			if (i + 1 == hints.nlayers)
				place_die(at, "it has %d modules %s, but the stage has %d layers by %s", s->modules,
				    s->module, layers[0], q->said);
		hints.nlayers = 1;
		hints.layers = &s->modules;
		hints.said = s->module;
	}
	found = layout_find(&l, s, &hints, why);
	free(layers);
	layer_model_add(&a->model, &l.model);
	if (!found && l.unclear)
		place_die(at, "%s", *why);
	*wait = !final && (found ? !l.micro_sure : l.single);
	if (found && !*wait) {
		say(&l, &job, at, &a->said);
		if (*why != NULL)
			place_warn(at, "%d of %d steps are ignored: %s", s->steps - l.steps, s->steps, *why);
		answers_micro(a, l.micro, l.micro_sure, source);
		fill(&l, s, q, &job, a->files++, a, source);
	}
	if (found || *wait) {
		free(*why);
		*why = NULL;
	}
	layout_free(&l);
	return found;
}

bool
device_measure(struct sequence *s, struct trace_job job, const struct trace_question *q, struct answers *a,
    const char *source,
    char **why)
{
	bool wait, found = find_layers(s, job, q, a, source, false, &wait, why);

	if (!wait)
		return found;
	*APPEND(a->waiting, a->nwaiting) = (struct waiting_device){ *s, job, source };
	*s = (struct sequence){ 0 };
	return true;
}

bool
device_next(const struct trace_question *q, struct answers *a, const char **source, char **why)
{
	struct waiting_device x;
	bool wait, found;

	*source = NULL;
	if (a->nwaiting == 0)
		return false;
	x = a->waiting[0];
	*source = x.source;
	a->nwaiting--;
	for (int i = 0; i < a->nwaiting; i++)
		a->waiting[i] = a->waiting[i + 1];
	found = find_layers(&x.sequence, x.job, q, a, x.source, true, &wait, why);
	sequence_free(&x.sequence);
	return found;
}

bool
device_read(const char *path, const struct trace_question *q, struct answers *a, char **why)
{
	struct sequence s = { 0 };
	struct csv c;
	bool found;

	s.keep = q->kernels;
	csv_open(&c, path);
	details_read(&c, &s);
	csv_close(&c);
	found = device_measure(&s, job_of(path), q, a, path, why);
	sequence_free(&s);
	return found;
}
