#include "dialogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/place.h"

/* Print PROMPT, and return the line that the user enters, without its newline. Exits at the end of input. */
static const char *
answer(const char *prompt)
{
	static char line[256];

	fprintf(stderr, "%s: ", prompt);
	fflush(stderr);
	if (fgets(line, sizeof line, stdin) == NULL) {
		putc('\n', stderr);
		place_die((struct place){ "<stdin>", 0 }, "no answer to '%s'", prompt);
	}
	line[strcspn(line, "\r\n")] = '\0';
	return line;
}

/* Ask for a number from MIN to MAX. An empty answer means OTHERWISE, unless that is negative. */
static int
ask_number(const char *prompt, int min, int max, int otherwise)
{
	for (;;) {
		const char *text = answer(prompt);
		char *end;
		long n = strtol(text, &end, 10);

		if (*text == '\0' && otherwise >= 0)
			return otherwise;
		if (end != text && *end == '\0' && n >= min && n <= max)
			return (int)n;
		fprintf(stderr, "please type a whole number from %d to %d\n", min, max);
	}
}

static bool
ask_yes(const char *prompt)
{
	for (;;) {
		const char *text = answer(prompt);

		if (strcasecmp(text, "y") == 0 || strcasecmp(text, "yes") == 0)
			return true;
		if (strcasecmp(text, "n") == 0 || strcasecmp(text, "no") == 0)
			return false;
		fputs("please type yes or no\n", stderr);
	}
}

void
dialogue(struct guide_question *q, int *rounds)
{
	/* The questions have the order of SAPP pipeline balance, so that answers written down for it remain valid. */
	static const struct {
		int kind;
		const char *prompt;
	} asked[] = {
		{ RECOMPUTE_FULL, "Consider full recomputation (recompute)? [y/n]" },
		{ RECOMPUTE_SELECT, "Consider selective recomputation (select_recompute)? [y/n]" },
		{ RECOMPUTE_BOTH, "Consider both in one layer, selective recomputation and recomputation of "
		    "communication? [y/n]" },
		{ RECOMPUTE_COMM, "Consider recomputation of communication (select_comm_recompute)? [y/n]" },
	};

	q->stages = ask_number("Number of pipeline stages", 2, 10000, -1);
	q->layers = ask_number("Number of layers", q->stages + 1, 100000, -1);
	for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
		q->kind[asked[i].kind] = ask_yes(asked[i].prompt);
	*rounds = ask_number("Rounds of dryruns (empty: as few as needed)", 1, MOST_ROUNDS, 0);
}
