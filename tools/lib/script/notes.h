/* Notes: events that share/launch.bash recorded while bash ran a launch script. */
#ifndef NOTES_H
#define NOTES_H

#include "lib/base/table.h"

enum note_kind {
	NOTE_LAUNCH,	/* a program start: number of variables, NAME=value..., words */
	NOTE_STAND_IN,	/* a program not run, with substituted output: its name */
	NOTE_MISSING,	/* a missing file to source, or directory to enter */
	NOTE_EXIT,	/* end of the script */
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

/* Read and remove the notes in the files of DIRECTORY, in order of time; caller frees. */
struct notes notes_take(const char *directory);
void notes_free(struct notes *);

#endif
