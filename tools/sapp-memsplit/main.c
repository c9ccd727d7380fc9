/* sapp-memsplit: find the memory of each part of a model from measured peaks of its stages. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/status.h"
#include "lib/cost/parameters.h"
#include "lib/record/document.h"
#include "answer.h"
#include "explain.h"
#include "floor.h"
#include "input.h"
#include "run.h"
#include "split.h"
#include "system.h"

static const char usage[] =
	"usage: sapp-memsplit [-o LAYERS.json] [-m NAME] [-peak actual|used] [-ranks N] [-layers N] [-vocab WORDS]\n"
	"                     [-robust] [-force] [-hVvjH] INIT.yaml|TRAINING.yaml|ARGUMENTS [LOG|DIR ...]\n"
"example: sapp-memsplit -H init.yaml peaks.txt\n";

/* Get the most negative unknown, ignoring const, in *WORST. Return false if none is negative. */
static bool
most_negative(const struct split *s, int *worst)
{
	double least = -0.5;	/* MB, the resolution of logs */
	int constant = system_unknown(s->system, 0, UNKNOWN_CONSTANT);

	for (int j = 0; j < s->system->n; j++)
		if (s->system->unknown[j] != constant && s->fit.x[j] < least) {
			least = s->fit.x[j];
			*worst = s->system->unknown[j];
		}
	return least < -0.5;
}

/*
 * Check that no memory is negative, which would mean a wrong measurement or setting. If some memory is, exit, or with
 * FORCE hold the unknown at 0. Return whether an unknown is held.
 */
static bool
check_signs(struct system *sys, struct split *s, bool robust, bool force)
{
	struct place at = { sys->init->place.source, 0 };
	int u;

	while (most_negative(s, &u)) {
		if (!force) {
			place_warn(at,
			    "%s is negative, %.1f MB: a peak is wrong, or was measured with other settings; find it "
			    "with -robust and the residuals, or hold the value at 0 with -force",
			    sys->name[u], s->value[u]);
			return false;
		}
		place_warn(at, "%s was negative, %.1f MB, and is held at 0", sys->name[u], s->value[u]);
		system_drop(sys, u);
		split_free(s);
		*s = split_new(sys, robust);
		s->solved[u] = true;	/* the unknown is 0 */
	}
	/* Set unknowns that are below 0 by rounding errors to 0. */
	for (int i = 0; i < UNKNOWNS_MAX; i++)
		if (i != system_unknown(sys, 0, UNKNOWN_CONSTANT) && s->value[i] < 0)
			s->value[i] = 0;
	return true;
}

static void
say_what_is_odd(const struct split *s)
{
	const struct system *sys = s->system;
	struct place at = { sys->init->place.source, 0 };

	if (sys->constant != CONSTANT_UNKNOWN)
		place_warn(at, "memory that is the same on every stage (const) is counted as part of the layers: %s",
		    sys->constant == CONSTANT_TOO_FEW ? "too few middle stages were measured to separate it"
		    : "the peaks do not separate it");
	if (sys->margin > 0)
		place_warn(at, "the peaks are memory in use: devices held up to %.0f MB more (fragments, memory kept "
		    "by the allocator); a memory limit must leave room for it", sys->margin);
	for (int i = 0; i < sys->m; i++)
		if (split_outlier(s, i))
			place_warn(sys->measured[i].place, "stage %d of round %d is an outlier: measured %.0f MB, %.0f "
			    "MB by the other measurements%s",
			    sys->measured[i].stage, sys->measured[i].round, sys->measured[i].memory,
			    sys->measured[i].memory - s->fit.residual[i],
			    s->robust ? "" : "; measure it again, or use -robust");
}

/*
 * If peaks do not determine all unknowns, fix the activations to the values in the layer records. Return false if no
 * layer record gives any.
 */
static bool
hold_measured(struct system *sys, const struct records *stream)
{
	bool any = false;

	for (int j = sys->n; j-- > 0;) {
		int body, u = sys->unknown[j];
		enum recompute k;

		if (!system_activation(sys, u, &body, &k))
			continue;
		for (size_t i = 0; i < stream->n; i++) {
			const struct layer *l = &stream->at[i].layer;

			struct kind_figures of;

			if (stream->at[i].kind != RECORD_LAYER || l->type != LAYER_BODY)
				continue;
			of = layer_figures(l, (int)k);
			if (of.activation > 0 && strcmp(l->name, sys->bodies.name[body]) == 0) {
				system_hold(sys, u, of.activation);
				any = true;
				break;
			}
		}
	}
	return any;
}

/* Return whether UNKNOWN is solved for. */
static bool
is_unknown(const struct system *sys, int unknown)
{
	for (int j = 0; j < sys->n; j++)
		if (sys->unknown[j] == unknown)
			return true;
	return false;
}

/*
 * Tie the memory of the embedding to that of a layer, by their numbers of parameters in the last network record. Return
 * false if no network record exists, or if layers are of several kinds.
 */
static bool
tie_head(struct system *sys, const struct records *stream)
{
	int head = system_unknown(sys, 0, UNKNOWN_HEAD);

	for (size_t i = stream->n; i-- > 0 && is_unknown(sys, head) && sys->bodies.n == 1;) {
		const struct architecture *net = &stream->at[i].network;
		struct device_parameters p;
		double times;

		if (stream->at[i].kind != RECORD_NETWORK || net->experts > 0)
			continue;
		p = parameters_on_device(net, 1, 1, 1, true);
		times = (double)p.embedding / (double)p.layer[KIND_DENSE].dense;
		system_tie(sys, head, times, 0);
		place_warn((struct place){ sys->init->place.source, 0 },
		    "head is set to %.4g times the parameters of a layer, the size of the network's embedding", times);
		return true;
	}
	return false;
}

/* Tie head or tail to a layer by the network's numbers of parameters, if no peak of its stage was measured. */
static bool
tie_unmeasured(struct system *sys, const struct memsplit_shapes *shapes)
{
	const int ends[] = { system_unknown(sys, 0, UNKNOWN_HEAD), system_unknown(sys, 0, UNKNOWN_TAIL) };
	int kind = shapes->known ? shapes_kind(shapes, &sys->bodies, 0) : -1;
	bool any = false;

	for (int e = 0; e < 2 && kind >= 0 && sys->bodies.n == 1; e++) {
		int stage = e == 0 ? 0 : sys->init->stages - 1;
		bool measured = false;

		for (int i = 0; i < sys->m; i++)
			measured |= sys->measured[i].stage == stage;
		if (measured || !is_unknown(sys, ends[e]))
			continue;
		system_tie(sys, ends[e], (e == 0 ? shapes_head(shapes) : shapes_tail(shapes)) /
		    shapes_parameters(shapes, kind), e == 0 ? 0 : shapes_logits(shapes));
		sys->unmeasured[e] = any = true;
	}
	return any;
}

/*
 * Print the error of tied ends. It is the error of the other end relative to its own shapes, if that end was measured.
 */
static void
say_ends(const struct split *s, const struct memsplit_shapes *shapes)
{
	const struct system *sys = s->system;
	const int ends[] = { system_unknown(sys, 0, UNKNOWN_HEAD), system_unknown(sys, 0, UNKNOWN_TAIL) };
	int kind = shapes->known ? shapes_kind(shapes, &sys->bodies, 0) : -1;
	double bytes;

	if (kind < 0)
		return;
	bytes = s->value[UNKNOWN_PARAMETER] / shapes_parameters(shapes, kind);
	for (int e = 0; e < 2; e++) {
		double other = e == 0 ? shapes_tail(shapes) * bytes + shapes_logits(shapes) :
		    shapes_head(shapes) * bytes;
		double error = sys->unmeasured[1 - e] ? split_shapes * s->value[ends[e]] :
		    fmax(split_shapes / 2 * s->value[ends[e]], fabs(s->value[ends[1 - e]] - other));

		if (sys->unmeasured[e])
			place_warn((struct place){ sys->init->place.source, 0 }, "no peak of stage %d: its %s is "
			    "computed as %.0f MB from the network's parameters%s, error up to %.0f MB", e == 0 ? 0 :
			    sys->init->stages - 1, e == 0 ? "head" : "tail", s->value[ends[e]], e == 0 ? "" :
			    " and logits", error);
	}
}

/*
 * Use the shapes of the network for undetermined unknowns. Activations of kinds that were not measured are computed
 * from those of measured kinds, and other unknowns are held.
 */
static bool
hold_computed(struct system *sys, const struct memsplit_shapes *shapes)
{
	bool any = false;

	for (int j = sys->n; j-- > 0 && shapes->known;) {
		int body, kind, u = sys->unknown[j];
		enum recompute k;
		bool occurs = false;
		double kept;

		if (!system_activation(sys, u, &body, &k) || (kind = shapes_kind(shapes, &sys->bodies, body)) < 0 ||
		    (kept = shapes_kept(shapes, kind, k)) < 0)
			continue;
		for (int i = 0; i < sys->m; i++)
			occurs |= sys->row[i][u] > 0;
		if (occurs) {
			system_hold(sys, u, kept);
			sys->computed[u] = split_unmeasured * kept;
		} else {
			system_drop(sys, u);
		}
		any = true;
	}
	return any;
}

static void
again(struct split *s, const struct system *sys, bool robust)
{
	split_free(s);
	*s = split_new(sys, robust);
}

/* Solve. If unknowns are undetermined, solve again with other knowledge. *OPEN: some are still undetermined. */
static struct split
split_measured(struct system *sys, const struct input *in, bool robust, bool *open)
{
	struct split s = split_new(sys, robust);
	bool held;

	*open = false;
	/* If the state is known, the rest is not parameters, and shapes separate it from activations. */
	if (sys->bodies.parameter[0] > 0 && sys->constant != CONSTANT_UNKNOWN && hold_computed(sys, &in->shapes)) {
		system_solve_constant(sys);
		again(&s, sys, robust);
	}
	if (s.fit.rank < sys->n && tie_unmeasured(sys, &in->shapes))
		again(&s, sys, robust);
	held = s.fit.rank < sys->n && hold_measured(sys, &in->stream);
	if (held)
		again(&s, sys, robust);
	if (held && s.fit.rank < sys->n && tie_head(sys, &in->stream))
		again(&s, sys, robust);
	if (s.fit.rank < sys->n && hold_computed(sys, &in->shapes))
		again(&s, sys, robust);
	if (floor_find(sys, &s))
		again(&s, sys, robust);
	*open = held && s.fit.rank < sys->n;
	if (*open) {
		char *range = explain_range(&s);

		place_warn((struct place){ sys->init->place.source, 0 },
		    "%d peaks and the measured activations cannot separate the parameters of layers from those of head "
		    "and tail%s: the smallest possible values are used; to plan with them, measure with other offsets, "
		    "or give the network record of sapp-model", sys->m, range);
		free(range);
	}
	return s;
}

/* Print the kinds of recomputation whose memory was computed to stderr. */
static void
say_computed(const struct split *s, const struct memsplit_shapes *shapes)
{
	const struct system *sys = s->system;
	struct place at = { sys->init->place.source, 0 };
	bool full = false, none = false;

	for (int u = 0; u < UNKNOWNS_MAX; u++) {
		int body;
		enum recompute k;

		if (!system_activation(sys, u, &body, &k))
			continue;
		if (s->computed[u] > 0)
			place_warn(at, "%s is computed from the network's shapes as %.1f MB, error up to %.1f MB; to "
			    "measure it, make a run in which some layers use it", sys->name[u], s->value[u],
			    s->computed[u]);
		full |= s->solved[u] && k != RECOMPUTE_NONE;
		none |= s->solved[u] && k == RECOMPUTE_NONE;
	}
	if (!full || !none)
		place_warn(at, "no layer was measured %s recomputation, so no plan will have it; measure a run that "
		    "has, or give %s", full ? "without" : "with", shapes_wanted(shapes));
}

/* Write the input without fits and replaced layers, then the peaks from logs. */
static void
pass_on(const struct input *in)
{
	for (size_t i = 0; i < in->stream.n; i++) {
		const struct record *r = &in->stream.at[i];

		if (r->kind != RECORD_LAYER && r->kind != RECORD_MODEL && r->kind != RECORD_FIT)
			record_write(stdout, r);
	}
	for (int i = 0; i < in->npeaks && !in->peaks_given; i++)
		record_put(stdout, RECORD_PEAK, &in->peaks[i]);
}

static void
write_fit(const struct split *s)
{
	struct fit fit = answer_fit(s);

	record_put(stdout, RECORD_FIT, &fit);
	fields_free(&fit_fields, &fit);
}

static void
write_answer(const struct input *in, const struct split *s, const char *name, const char *path)
{
	struct memsplit_answer a = answer_new(in, s, name);
	struct output file;

	if (path != NULL) {
		for (int i = 0; i < a.n; i++)
			if (!GIVEN(layer, a.layer[i], time))
				place_warn((struct place){ path, 0 }, "layer '%s' has no measured time",
				    a.layer[i]->name);
		output_open(&file, path);
		document_write(file.file, &a.model, (const struct layer *const *)a.layer, a.n);
		output_commit(&file);
	}
	if (!option_report()) {
		pass_on(in);
		write_fit(s);
		run_write(stdout, in);
		for (int i = 0; i < in->init.kinds.n; i++)
			record_put(stdout, RECORD_KIND, &in->init.kinds.at[i]);
		record_put(stdout, RECORD_MODEL, &a.model);
		for (int i = 0; i < a.n; i++)
			record_put(stdout, RECORD_LAYER, a.layer[i]);
	}
	memsplit_answer_free(&a);
}

int
main(int argc, char *argv[])
{
	struct input_options opt = { .which = -1 };
	const char *path = NULL, *name = NULL;
	bool robust = false, force = false, solved, good, open;
	struct input in;
	struct fitted_peak *measured;
	struct bodies bodies;
	struct system sys;
	struct split split;
	const struct option_row options[] = {
		{ "o", "LAYERS.json", "also write a layer-description document", .text = &path },
		{ "m", "NAME", "name of the model (model)", .text = &name },
		{ "peak", "actual or used", "which peak of a log to use (actual, if all logs have it)",
			.choice = &opt.which, .names = peak_kinds },
		{ "ranks", "N", "number of ranks of the run, to find the stage of a rank (guessed)",
		    .whole = &opt.ranks,
			.min = 2, .max = 100000000 },
		{ "layers", "N", "number of body layers, if the training YAML or arguments lack it",
		    .whole = &opt.layers,
			.min = 1, .max = 100000 },
		{ "vocab", "WORDS", "vocabulary, if neither the arguments nor a log say it", .whole = &opt.vocabulary,
			.min = 1, .max = 1 << 28 },
		{ "robust", NULL, "use least absolute deviations, which ignore one wrong peak", .flag = &robust },
		{ "force", NULL, "set negative memory to 0 and solve for the rest again", .flag = &force },
		{ 0 }
	};
	char **operands = options_take(argc, argv, usage, options);
	int m;

	if (*operands == NULL)
		option_usage("missing operand: the init YAML");

	input_read(&in, operands[0], operands + 1, &opt);
	m = input_measured(&in, &measured);
	bodies = input_bodies(&in);
	shapes_state(&in.shapes, &bodies, measured, m, &in.init);
	sys = system_new(&in.init, &bodies, measured, m);
	sys.margin = in.npeaks > 0 && in.peaks[0].which == PEAK_USED ? peaklog_margin(&in.logs) : 0;
	split = split_measured(&sys, &in, robust, &open);
	solved = split.fit.rank == sys.n || open;
	good = solved && check_signs(&sys, &split, robust, force);
	if (good)
		split_compute(&split, &in.shapes);
	if (good)
		write_answer(&in, &split, name, path);
	else if (!option_report())
		write_fit(&split);
	if (option_report())
		memsplit_answer_report(stdout, &split);
	if (!solved) {
		fflush(stdout);
		explain(stderr, &split);
		if (!in.shapes.known)
			fprintf(stderr, "  or give %s\n", shapes_wanted(&in.shapes));
	} else if (!option_report()) {
		say_what_is_odd(&split);
		say_ends(&split, &in.shapes);
		floor_say(&split);
		if (good)
			say_computed(&split, &in.shapes);
	}
	stdout_close();
	split_free(&split);
	system_free(&sys);
	input_free(&in);
	return good ? STATUS_ANSWERED : STATUS_NO_ANSWER;
}
