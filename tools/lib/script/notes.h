/* Notes of events that share/launch.bash writes while bash runs a launch script. */
#ifndef NOTES_H
#define NOTES_H

#include "lib/base/table.h"

enum note_kind {
	NOTE_LAUNCH,	/* a program was started; words: number of variables, each as NAME=value, then the command */
	NOTE_STAND_IN,	/* a program was not run, and a text replaced its output; words: its name */
	NOTE_MISSING,	/* a file to source or a directory to enter does not exist */
	NOTE_EXIT,	/* the script ended */
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

/* Read and remove the notes in the files of DIRECTORY. Return them in order of time. Caller frees with notes_free(). */
struct notes notes_take(const char *directory);
void notes_free(struct notes *);

#endif
