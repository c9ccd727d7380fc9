/* Notes: what share/launch.bash wrote down while bash read a launch script. */
#ifndef NOTES_H
#define NOTES_H

#include "lib/field/table.h"

enum note_kind {
	NOTE_LAUNCH,	/* a program that was started: number of variables, NAME=value..., words */
	NOTE_STAND_IN,	/* a program that was not run, and whose output something else stood for: its name */
	NOTE_MISSING,	/* a file to be read in, or a directory to go to, that is not there */
	NOTE_EXIT,	/* the script ends here */
	NOTES
};

struct note {
	enum note_kind kind;
	char *source;
	long line;
	struct texts words;
};

struct notes {
	int n;
	struct note *at;
};

/* The notes in the files of DIRECTORY, in the order of time. The files are removed. Caller frees. */
struct notes notes_take(const char *directory);
void notes_free(struct notes *);

#endif
