/* sapp-guide: with which settings to measure, so that the memory can be split. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "design.h"
#include "dialogue.h"
#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/place.h"
#include "lib/base/status.h"
#include "proposal.h"

static const char usage[] =
	"usage: sapp-guide -s STAGES -n LAYERS [-k KIND,...|none] [-rounds R] [-most LAYERS]\n"
	"                  [-mem MB -guess NAME=MB,...] [-random N] [-o INIT.yaml] [-hVvjH]\n"
	"       sapp-guide -i [-most LAYERS] [-mem MB -guess NAME=MB,...] [-o INIT.yaml] [-hVvjH]\n"
"example: sapp-guide -s 16 -n 96 -k select,comm,both -o init.yaml\n";

enum {
	OPTION_STAGES = 1, OPTION_LAYERS, OPTION_KINDS, OPTION_ROUNDS, OPTION_MOST, OPTION_MEMORY,
	OPTION_GUESS, OPTION_RANDOM, OPTION_OUTPUT, OPTION_ASK
};

static const struct option_row options[] = {
	{ "s", "STAGES", OPTION_STAGES, "stages of the pipeline" },
	{ "n", "LAYERS", OPTION_LAYERS, "body layers of the model" },
	{ "k", "KIND[,...]", OPTION_KINDS, "kinds of recomputation: full, select, comm, both; or none" },
	{ "rounds", "R", OPTION_ROUNDS, "runs with different settings (as many as are needed)" },
	{ "most", "LAYERS", OPTION_MOST, "layers that a stage holds at most" },
	{ "mem", "MB", OPTION_MEMORY, "memory limit that the runs themselves must keep" },
	{ "guess", "NAME=MB[,...]", OPTION_GUESS, "what layers may take, for -mem" },
	{ "random", "N", OPTION_RANDOM, "random settings tried" },
	{ "o", "INIT.yaml", OPTION_OUTPUT, "write the settings there" },
	{ "i", NULL, OPTION_ASK, "ask for everything" },
	OPTION_COMMON,
	{ 0 }
};

struct wanted {
	struct question q;
	int rounds;		/* 0: as few as needed */
	int random;		/* designs to draw instead; 0: none */
	bool guessed[UNKNOWNS];
	bool any_guess, ask;
	const char *path;
};

static void
take_kinds(struct question *q, char *text)
{
	char *rest = text, *word;

	memset(q->kind, 0, sizeof q->kind);
	while ((word = strsep(&rest, ",")) != NULL)
		q->kind[option_choice("-k", word, recompute_names)] = true;
	q->kind[RECOMPUTE_NONE] = true;
}

static void
take_guesses(struct wanted *w, char *text)
{
	char *rest = text, *word;

	w->any_guess = true;
	while ((word = strsep(&rest, ",")) != NULL) {
		char *value = strchr(word, '=');
		int u;

		if (value == NULL)
			option_usage(usage, "-guess: expected NAME=MB '%s'", word);
		*value++ = '\0';
		u = option_choice("-guess", word, unknown_names);
		w->q.guess[u] = option_real("-guess", value, u == UNKNOWN_CONSTANT ? -1e9 : 0, 1e9);
		w->guessed[u] = true;
	}
}

static void
take_options(struct wanted *w, int argc, char *argv[])
{
	int ch;

	while ((ch = option_next(argc, argv, usage, options)) != -1)
		switch (ch) {
		case OPTION_STAGES:
			w->q.stages = option_int("-s", optarg, 2, 10000);
			break;
		case OPTION_LAYERS:
			w->q.layers = option_int("-n", optarg, 1, 100000);
			break;
		case OPTION_KINDS:
			take_kinds(&w->q, optarg);
			break;
		case OPTION_ROUNDS:
			w->rounds = option_int("-rounds", optarg, 1, MOST_ROUNDS);
			break;
		case OPTION_MOST:
			w->q.most = option_int("-most", optarg, 1, 100000);
			break;
		case OPTION_MEMORY:
			w->q.limit = option_real("-mem", optarg, 1, 1e9);
			break;
		case OPTION_GUESS:
			take_guesses(w, optarg);
			break;
		case OPTION_RANDOM:
			w->random = option_int("-random", optarg, 1, 1000000);
			break;
		case OPTION_OUTPUT:
			w->path = optarg;
			break;
		case OPTION_ASK:
			w->ask = true;
			break;
		}
	if (optind < argc)
		option_usage(usage, "no operand is expected '%s'", argv[optind]);
	if (!w->ask && (w->q.stages == 0 || w->q.layers == 0))
		option_usage(usage, "-s and -n are needed, or -i to be asked");
	if ((w->q.limit > 0) != w->any_guess)
		option_usage(usage, "-mem and -guess belong together");
}

/* A question without an answer ends here. */
static void
check(struct wanted *w)
{
	struct question *q = &w->q;
	struct place nowhere = { NULL, 0 };
	int even = (q->layers + q->stages - 1) / q->stages;

	if (q->layers <= q->stages) {
		place_warn(nowhere, "%d layers on %d stages: each stage would have one layer in every run, "
		    "and a layer's parameters could not be told from the constant", q->layers, q->stages);
		exit(STATUS_NO_ANSWER);
	}
	if (q->most == 0)
		q->most = 2 * even;
	if ((long)q->most * q->stages < q->layers)
		option_usage(usage, "-most: %d layers do not fit on %d stages of at most %d", q->layers,
		    q->stages, q->most);
	for (int j = 0; j < UNKNOWN_CONSTANT && w->any_guess; j++)
		if (!w->guessed[j] && (j == UNKNOWN_PARAMETER || q->kind[j - UNKNOWN_ACTIVATION]))
			option_usage(usage, "-guess: %s is missing", unknown_names[j]);
}

/* The design of the fewest rounds that determine everything, or of those asked for. */
static struct design
find(const struct wanted *w)
{
	const struct question *q = &w->q;
	int first = w->rounds > 0 ? w->rounds : question_rounds(q), rounds = first;
	int last = w->rounds > 0 ? w->rounds : first + UNKNOWNS;
	struct place nowhere = { NULL, 0 };
	struct design d;

	if (w->rounds > 0 && w->rounds < question_rounds(q)) {
		place_warn(nowhere, "-rounds: %d is too few to determine all unknowns: at least %d",
		    w->rounds, question_rounds(q));
		exit(STATUS_NO_ANSWER);
	}
	for (;; rounds++) {
		d = design_search(q, rounds);
		if ((isfinite(d.condition) && (q->limit == 0 || d.peak <= q->limit)) || rounds == last)
			break;
		design_free(&d);
	}
	if (!isfinite(d.condition) || (q->limit > 0 && d.peak > q->limit)) {
		if (q->limit > 0 && d.peak > q->limit)
			place_warn(nowhere,
			    "no %d round%s within %.0f MB by the guess: the best found needs %.0f MB", rounds,
			    rounds == 1 ? "" : "s", q->limit, d.peak);
		else
			place_warn(nowhere, "no settings of %d round%s determine all unknowns%s", rounds,
			    rounds == 1 ? "" : "s", w->rounds > 0 ? "; take more rounds" : "");
		exit(STATUS_NO_ANSWER);
	}
	return d;
}

/* Condition numbers of designs drawn at random, those that determine all unknowns. */
static void
draw(const struct wanted *w)
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

int
main(int argc, char *argv[])
{
	struct wanted w = { .q = { .kind = { true, true, true, true, true } } };
	struct output file;
	struct design d;

	take_options(&w, argc, argv);
	if (w.ask)
		dialogue(&w.q, &w.rounds);
	check(&w);
	if (w.random > 0) {
		draw(&w);
		stdout_close();
		return STATUS_ANSWERED;
	}
	d = find(&w);
	if (w.path != NULL) {
		output_open(&file, w.path);
		proposal_yaml(file.file, &d);
		output_commit(&file);
	}
	if (option_report())
		proposal_report(stdout, &d);
	else
		proposal_records(stdout, &d);
	if (option_verbose)
		fprintf(stderr, "sapp-guide: %d round%s, condition %.4g\n", d.rounds,
		    d.rounds == 1 ? "" : "s", d.condition);
	design_free(&d);
	stdout_close();
	return STATUS_ANSWERED;
}
