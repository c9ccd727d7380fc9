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
	bool settled[LAUNCH_OPTIONS];	/* already as wanted */
	struct started now;
	struct launch launch;		/* of NOW */
};

/* Return the option of a word of the launcher or its program; LAUNCH_OPTIONS: unknown. */
enum launch_option editing_option(const char *word, bool launcher);
/* Return whether the word is an option; return whether it is a name of earlier releases. */
bool editing_is_option(const char *word, bool launcher);
bool editing_earlier(const char *word);
/* Return the number of occurrences of the option. */
int editing_times(const struct started *, enum launch_option);
bool editing_as_wanted(const struct editing *, const struct launch *, const struct started *, enum launch_option);
/*
 * Keep an edit, NEW for [START, END), if the command then differs from the old one only in decided options, and has
 * earlier settled ones and option O as wanted. Takes ownership of NEW.
 */
bool editing_attempt(struct editing *, size_t start, size_t end, char *new, enum launch_option o);

#endif
