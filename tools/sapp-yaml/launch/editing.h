/* Editing: edits of a script. An edit stays only if the script then starts its program as wanted. */
#ifndef EDITING_H
#define EDITING_H

#include "lib/base/edit.h"
#include "wanted.h"

struct editing {
	struct edits *edits;
	const char *path, *text;
	const struct started *was;
	const struct wanted *w;
	bool settled[LAUNCH_OPTIONS];	/* [options], whether the option is already as wanted */
	struct started now;
	struct launch launch;		/* the launch of NOW */
};

/* Return the option that word I of the launcher or of its program is; LAUNCH_OPTIONS: none, or unknown. */
enum launch_option editing_option(const struct texts *words, int i, bool launcher);
bool editing_is_option(const char *word, bool launcher);
/* Return whether the word is another name of a decided option, such as one of earlier releases. */
bool editing_earlier(const struct wanted *, const char *word);
/* Return how often the command has the option. editing_as_wanted() returns whether its value is the wanted value. */
int editing_times(const struct started *, enum launch_option);
bool editing_as_wanted(const struct editing *, const struct launch *, const struct started *, enum launch_option);
/*
 * Try an edit: NEW instead of [START, END). Keep it if the command then differs from the old command only in decided
 * options, and has option O and the settled options as wanted. Takes ownership of NEW. Return whether the edit is kept.
 */
bool editing_attempt(struct editing *, size_t start, size_t end, char *new, enum launch_option o);

#endif
