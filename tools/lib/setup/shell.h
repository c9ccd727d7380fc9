/*
 * Shell: the words that the commands of a script pass, each with where it stands, so that it can be changed there.
 * Variables, arrays and groups of words in quotes are followed to what is in them. What is decided when the script
 * runs, in an if or a loop, is told from the rest.
 */
#ifndef SHELL_H
#define SHELL_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What counts: to change a script, what it surely does; to know what it runs, also what is set within an if, the last
 * of several; and where that says nothing, commands in documents within the script, too.
 */
enum shell_reading { SHELL_SURE, SHELL_LIKELY, SHELL_DOCUMENTS };
enum shell_kind { SHELL_COMMAND, SHELL_ARRAY, SHELL_STRING };	/* a string: words within quotes */

struct shell_word {
	size_t start, end;	/* its bytes in the text, without quotes around all of it */
	size_t from, to;	/* with them */
	char quote;		/* it stands in these, or '\0' */
	enum shell_kind kind;	/* of what it stands in, which is */
	size_t group, group_end;
	bool unsure;		/* in an if, a loop or behind && */
	bool again;		/* the text is read as a command once more: eval, bash -c */
	char *value;		/* NULL: only known when it runs */
};

/* What a variable is set to, in the order of the text. */
struct shell_variable {
	char *name;
	size_t start, end;	/* the value's bytes; of an array, between its parentheses */
	size_t at;		/* where its name stands */
	char quote;		/* the value begins within these, or '\0' */
	bool array, more, unsure;	/* ( ); += or A="$A ..", of which START is behind "$A"; as of a word */
};

struct shell_command {
	size_t start, end;
	bool unsure;
};

struct shell {
	const char *text, *source;
	enum shell_reading reading;
	int variables, commands;
	struct shell_variable *variable;
	struct shell_command *command;
	long sourced;		/* line of the last other script that is read in; 0: none is */
	size_t sourced_at;
	/* What variables are going to be, whatever the text says. */
	int changes;
	struct { const struct shell_variable *of; const char *value; } change[2];
	long steps;		/* words followed, which end where variables stand for one another */
};

struct shell_words {
	int n;
	struct shell_word *at;
};

/* TEXT must last. */
void shell_read(struct shell *, const char *text, const char *source, enum shell_reading);
void shell_free(struct shell *);
/* Of a command all words that it passes; of -1 those in variables that no command takes. */
struct shell_words shell_expand(struct shell *, int command);
void shell_words_free(struct shell_words *);

/* What bytes [START, END) within quotes or not are when the script runs, to be freed; NULL: not known before. */
char *shell_value(struct shell *, size_t start, size_t end, char quote);
/* What the variable is at AT: the one assignment that says it; NULL: there is none, or several. */
const struct shell_variable *shell_assignment(const struct shell *, const char *name, size_t n, size_t at);
/* The length of the name, AT, of the variable that [START, END) is and nothing else, "${NAME:-x}"; 0: it is none. */
size_t shell_name(const struct shell *, size_t start, size_t end, size_t *at);
long shell_line(const struct shell *, size_t at);

#endif
