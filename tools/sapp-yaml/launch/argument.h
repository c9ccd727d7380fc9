/* Argument: of a script, where it stands. */
#ifndef ARGUMENT_H
#define ARGUMENT_H

#include "lib/setup/launch.h"
#include "lib/setup/shell.h"

struct argument {
	enum launch_option option;
	bool earlier;		/* a name of earlier releases; the option means nothing */
	int flag, words;	/* index of its name among the script's words, and how many values follow */
	size_t joined;		/* "--a=1": where the value begins; 0: it is another word */
	char *value;		/* NULL: only known when it runs */
};

struct arguments {
	struct shell shell;
	struct shell_words words;	/* of the command that they are of */
	int n;
	struct argument *at;
};

/* Exits naming lines where it is not clear which command takes which arguments. */
void arguments_read(struct arguments *, const char *text, const char *source);
/* The same again after shell.changed became another. */
void arguments_again(struct arguments *);
void arguments_free(struct arguments *);

/* Exits unless it is known before the script runs: of all, those that say devices and lengths aside, or of one. */
void arguments_check(const struct arguments *);
void argument_check(const struct arguments *, const struct argument *);

/* The last that is there; NULL: none is. */
const struct argument *argument_of(const struct arguments *, enum launch_option);
struct place argument_place(const struct arguments *, const struct argument *);

#endif
