/* Editing: edits of a script that stay only if it then starts its program as wanted. */
#ifndef EDITING_H
#define EDITING_H

#include "lib/base/edit.h"
#include "wanted.h"

struct editing {
	struct edits *edits;
	const char *path, *text;
	const struct started *was;
	const struct wanted *w;
	bool settled[LAUNCH_OPTIONS];	/* as wanted by now */
	struct started now;
	struct launch launch;		/* of NOW */
};

/* The option of a word of the launcher or of its program; LAUNCH_OPTIONS: another. */
enum launch_option editing_option(const char *word, bool launcher);
/* Is the word an option, one with a name of earlier releases? */
bool editing_is_option(const char *word, bool launcher);
bool editing_earlier(const char *word);
/* How often the option is among the arguments. */
int editing_times(const struct started *, enum launch_option);
bool editing_as_wanted(const struct editing *, const struct launch *, const struct started *, enum launch_option);
/*
 * Keep an edit, NEW for [START, END), if the command then differs from the old one in nothing but what is decided on,
 * and has what was settled before, and option O, as wanted. Takes ownership of NEW.
 */
bool editing_attempt(struct editing *, size_t start, size_t end, char *new, enum launch_option o);

#endif
