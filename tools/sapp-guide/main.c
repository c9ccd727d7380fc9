/* sapp-guide: propose settings to measure, from which the memory of layers can be computed. */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memstream.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/place.h"
#include "lib/base/status.h"
#include "lib/setup/setup.h"
#include "design.h"
#include "dialogue.h"
#include "proposal.h"

/* condition number that is good enough, so that no stage needs twice its even share of layers */
static const double WELL = 10;

static const char usage[] =
	"usage: sapp-guide [-s STAGES] [-n LAYERS[,...]] [-k KIND,...|none] [-rounds R] [-most LAYERS]\n"
	"                  [-mem MB -guess NAME=MB,...] [-random N] [-o INIT.yaml] [-plans] [-hVvjH]\n"
	"                  [TRAIN.yaml|SCRIPT]\n"
	"       sapp-guide -i [-most LAYERS] [-mem MB -guess NAME=MB,...] [-o INIT.yaml] [-hVvjH]\n"
"example: sapp-guide -s 16 -n 96 -k select,comm,both -o init.yaml\n";

struct wanted_settings {
	struct guide_question q;
	bool plans;		/* whether -plans was given */
	int rounds;		/* number of rounds; 0: as few as needed */
	/* maximum number of layers per stage if the condition needs more than q.most; 0: -most was given */
	int wide;
	int random;		/* number of random designs to make instead; 0: none */
	bool guessed[UNKNOWNS];
	bool any_guess, ask;
	const char *path;
};

static void
take_guesses(void *into, const char *option, char *text)
{
	struct wanted_settings *w = into;
	char *word;

	w->any_guess = true;
	while ((word = strsep(&text, ",")) != NULL) {
		char *value = strchr(word, '=');
		int u;

		if (value == NULL)
			option_usage("-guess: expected NAME=MB '%s'", word);
		*value++ = '\0';
		u = option_choice(option, word, unknown_names);
		w->q.guess[u] = option_megabytes(option, value, u == UNKNOWN_CONSTANT ? -1e9 : 0, 1e9);
		w->guessed[u] = true;
	}
}

static void
take_layers(void *into, const char *option, char *text)
{
	struct guide_question *q = into;
	char *word;

	q->bodies = q->layers = 0;
	while ((word = strsep(&text, ",")) != NULL) {
		if (q->bodies == MOST_BODIES)
			option_usage("-n: more than %d numbers, one for each kind of layers", MOST_BODIES);
		q->body[q->bodies] = option_int(option, word, 1, 100000);
		q->layers += q->body[q->bodies++];
	}
}

static bool
any_above_zero(const struct grid *g)
{
	for (int i = 0; i < g->chunks * g->stages; i++)
		if (g->at[i] > 0)
			return true;
	return false;
}

/*
 * Take what no option gives from the training YAML or script at PATH: stages, layers, and its kinds of recomputation.
 * If it has none, all kinds remain.
 */
static void
take_training(struct wanted_settings *w, const char *path, bool kinds_given)
{
	struct setup s;
	bool full, select, comm;

	setup_read(&s, path, w->q.layers, NULL, NULL, NULL);
	if (w->q.stages == 0)
		w->q.stages = s.pipeline.stages;
	if (w->q.layers == 0)
		w->q.layers = s.layers;
	full = any_above_zero(&s.settings.recompute);
	select = any_above_zero(&s.settings.select_recompute);
	comm = any_above_zero(&s.settings.select_comm_recompute);
	if (!kinds_given && (full || select || comm)) {
		memset(w->q.kind, 0, sizeof w->q.kind);
		w->q.kind[RECOMPUTE_FULL] = full;
		w->q.kind[RECOMPUTE_SELECT] = select;
		w->q.kind[RECOMPUTE_COMM] = comm;
		w->q.kind[RECOMPUTE_BOTH] = select && comm;
	}
	if (s.named.n > 0)
		place_warn(s.place, "its lists by operator are left out: their kinds are not proposed");
	setup_free(&s);
}

static void
take_options(struct wanted_settings *w, int argc, char *argv[])
{
	bool kind[RECOMPUTE_KINDS] = { false }, kinds_given;
	const struct option_row options[] = {
		{ "s", "STAGES", "number of pipeline stages", .whole = &w->q.stages, .min = 2, .max = 10000 },
		{ "n", "LAYERS[,...]", "number of body layers; several numbers for several kinds of layers",
		    .take = take_layers,
			.into = &w->q },
		{ "k", "KIND[,...]", "kinds of recomputation to measure: full, select, comm, both; or none (all)",
			.marks = kind, .names = recompute_names },
		{ "rounds", "R", "number of runs with different settings (as few as needed)", .whole = &w->rounds,
			.min = 1, .max = MOST_ROUNDS },
		{ "most", "LAYERS", "maximum number of layers on a stage (1.5 times the even share, or twice)",
		    .whole = &w->q.most,
			.min = 1, .max = 100000 },
		{ "mem", "MB", "memory limit of the proposed runs", .real = &w->q.limit,
			.megabytes = true, .min = 1, .max = 1e9 },
		{ "guess", "NAME=MB[,...]", "with -mem: estimate of the memory of layers",
			.take = take_guesses, .into = w },
		{ "random", "N", "print the condition numbers of N random sets of settings, and propose none",
			.whole = &w->random, .min = 1, .max = 1000000 },
		{ "o", "INIT.yaml", "write the settings into this file", .text = &w->path },
		{ "plans", NULL, "print the settings of each round as a plan, for sapp-yaml -w", .flag = &w->plans },
		{ "i", NULL, "ask for stages, layers, kinds and rounds on the terminal",
		    .flag = &w->ask },
		{ 0 }
	};
	char **operands = options_take(argc, argv, usage, options);

	kinds_given = memchr(kind, true, sizeof kind) != NULL;
	if (kinds_given)
		memcpy(w->q.kind, kind, sizeof w->q.kind);
	if (*operands != NULL && (w->ask || operands[1] != NULL))
		option_usage("unexpected operand '%s'", operands[!w->ask]);
	if (*operands != NULL)
		take_training(w, *operands, kinds_given);
	w->q.kind[RECOMPUTE_NONE] = true;
	if (!w->ask && (w->q.stages == 0 || w->q.layers == 0))
		option_usage("-s and -n are required, or a training YAML or script, or -i to be asked");
	if ((w->q.limit > 0) != w->any_guess)
		option_usage("-mem and -guess need each other");
	if (w->any_guess && w->q.bodies > 1)
		option_usage("-guess: only with one kind of layers");
}

/* Exit if no design can answer the question. */
static void
check(struct wanted_settings *w)
{
	struct guide_question *q = &w->q;
	int even = (q->layers + q->stages - 1) / q->stages;

	if (q->layers <= q->stages) {
		errx(STATUS_NO_ANSWER, "%d layers on %d stages: with one layer per stage, the runs cannot separate a "
		    "layer's parameters from the constant: use fewer stages", q->layers, q->stages);
	}
	if (q->most == 0) {
		q->most = (3 * even + 1) / 2;
		w->wide = 2 * even;
	}
	if ((long)q->most * q->stages < q->layers)
		option_usage("-most: %d layers do not fit on %d stages with at most %d each", q->layers,
		    q->stages, q->most);
	for (int j = 0; j < UNKNOWN_CONSTANT && w->any_guess; j++)
		if (!w->guessed[j] && (j == UNKNOWN_PARAMETER || q->kind[j - UNKNOWN_ACTIVATION]))
			option_usage("-guess: %s is missing", unknown_names[j]);
}

static bool
answers(const struct design *d)
{
	return isfinite(d->condition) && (d->question->limit == 0 || d->peak <= d->question->limit);
}

/*
 * Return a design with at most q.most layers on a stage, if its condition number is good enough. Otherwise allow
 * w->wide layers, if that is better. A model with twice the layers on a stage may not fit.
 */
static struct design
design_within(const struct wanted_settings *w, struct guide_question *q, int rounds)
{
	struct design d, other;

	q->most = w->q.most;
	d = design_search(q, rounds);
	if (w->wide == 0 || (answers(&d) && d.condition <= WELL))
		return d;
	q->most = w->wide;
	other = design_search(q, rounds);
	if (!answers(&d) || (answers(&other) && other.condition < d.condition)) {
		design_free(&d);
		return other;
	}
	design_free(&other);
	q->most = w->q.most;
	return d;
}

/*
 * Find the design with the fewest rounds that determines all unknowns, or with the given number of rounds. It refers to
 * Q.
 */
static struct design
find(const struct wanted_settings *w, struct guide_question *q)
{
	int first = w->rounds > 0 ? w->rounds : question_rounds(q), rounds = first;
	int last = w->rounds > 0 ? w->rounds : first + (w->q.bodies == 1 ? UNKNOWNS : MOST_UNKNOWNS);
	struct design d;

	if (w->rounds > 0 && w->rounds < question_rounds(q)) {
		errx(STATUS_NO_ANSWER, "-rounds: %d is too few to determine all unknowns: at least %d are "
		    "needed", w->rounds, question_rounds(q));
	}
	for (;; rounds++) {
		d = design_within(w, q, rounds);
		if (answers(&d) || rounds == last)
			break;
		design_free(&d);
	}
	if (!answers(&d)) {
		if (q->limit > 0 && d.peak > q->limit)
			errx(STATUS_NO_ANSWER, "-mem %.0f: no settings of up to %d round%s stay below it, by the "
			    "estimate of -guess: the best found need %.0f MB", q->limit, rounds,
			    rounds == 1 ? "" : "s", d.peak);
		errx(STATUS_NO_ANSWER, "no settings of %d round%s determine all unknowns%s", rounds,
		    rounds == 1 ? "" : "s", w->rounds > 0 ? "; use more rounds (-rounds)" : "");
	}
	return d;
}

/* Print the condition numbers of random designs that determine all unknowns. */
static void
draw(const struct wanted_settings *w)
{
	uint64_t seed = 1;
	int rounds = w->rounds > 0 ? w->rounds : question_rounds(&w->q);

	for (int n = 0, tries = 0; n < w->random && tries < 1000 * w->random; tries++) {
		struct design d = design_random(&w->q, rounds, &seed);

		if (isfinite(d.condition)) {
			printf("%.6g\n", d.condition);
			n++;
		}
		design_free(&d);
	}
}

/* Return the command that asks Q without a dialogue, with ROUNDS rounds; caller frees. */
static char *
command_of(const struct guide_question *q, int rounds)
{
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	fprintf(f, "sapp-guide -s %d -n ", q->stages);
	for (int b = 0; b < q->bodies; b++)
		fprintf(f, "%s%d", b > 0 ? "," : "", q->body[b]);
	fputs(" -k none", f);
	for (int k = 0; k < RECOMPUTE_BUILT_IN; k++)
		if (q->kind[k] && k != RECOMPUTE_NONE)
			fprintf(f, ",%s", recompute_names[k]);
	fprintf(f, " -rounds %d -most %d", rounds, q->most);
	if (q->limit > 0)
		fprintf(f, " -mem %.15g -guess GUESS", q->limit);
	memstream_close(f);
	return text;
}

int
main(int argc, char *argv[])
{
	struct wanted_settings w = { .q = { .kind = { true, true, true, true, true } } };
	struct output file;
	struct guide_question q;
	struct design d;
	char *command;

	take_options(&w, argc, argv);
	if (w.ask)
		dialogue(&w.q, &w.rounds);
	if (w.q.bodies < 2) {
		w.q.bodies = 1;
		w.q.body[0] = w.q.layers;
	}
	check(&w);
	if (w.random > 0) {
		draw(&w);
		stdout_close();
		return STATUS_ANSWERED;
	}
	q = w.q;
	d = find(&w, &q);
	if (w.path != NULL) {
		output_open(&file, w.path);
		proposal_yaml(file.file, &d);
		output_commit(&file);
	}
	if (d.condition > WELL)
		place_warn((struct place){ NULL, 0 }, "condition number %.4g, above %g: errors of peaks grow by this "
		    "factor; use more rounds (-rounds %d) or fewer kinds (-k)", d.condition, WELL, d.rounds + 1);
	if (w.plans)
		proposal_plans(stdout, &d);
	else if (option_report()) {
		command = command_of(&q, d.rounds);
		proposal_report(stdout, &d, command, w.path);
		free(command);
	}
	else
		proposal_records(stdout, &d);
	if (option_verbose)
		fprintf(stderr, "sapp-guide: %d round%s, condition %.4g\n", d.rounds,
		    d.rounds == 1 ? "" : "s", d.condition);
	design_free(&d);
	stdout_close();
	return STATUS_ANSWERED;
}
