/* Settings: a run in the syntax of a framework, with profiling enabled. */
#ifndef SETTINGS_OF_RUN_H
#define SETTINGS_OF_RUN_H

#include "offer.h"

enum { SETTINGS_MEGATRON, SETTINGS_MINDSPEED, SETTINGS_MINDFORMERS };
extern const char *const settings_formats[];

/* Format and place of settings. */
struct writing {
	int format;
	const char *training;	/* the YAML to edit */
	const char *directory;
	struct texts set;	/* "key=value", overriding the run */
	char *text;		/* of the YAML */
	size_t length;
};

/* Read the YAML; exits if options contradict each other. */
void settings_begin(struct writing *);
/* Set the run's command: arguments, or a command that uses the YAML, which this writes. */
void settings_write(const struct writing *, struct offer *, const struct architecture *);
void settings_end(struct writing *);

#endif
