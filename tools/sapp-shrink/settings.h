/* Settings: a run in the syntax of a framework, with profiling switched on. */
#ifndef SETTINGS_OF_RUN_H
#define SETTINGS_OF_RUN_H

#include "offer.h"

enum { SETTINGS_MEGATRON, SETTINGS_MINDSPEED, SETTINGS_MINDFORMERS };
extern const char *const settings_formats[];

/* Format of settings, and the file to write. */
struct writing {
	int format;
	const char *training;	/* the YAML file to edit */
	const char *directory;
	struct texts set;	/* "key=value", which override the run */
	char *text;		/* text of this file */
	size_t length;
};

/* Read the YAML file. Exits if options contradict each other. */
void settings_begin(struct writing *);
/* Set the run's command: arguments, or a command with a YAML file, which is written. */
void settings_write(const struct writing *, struct offer *, const struct architecture *);
void settings_end(struct writing *);

#endif
