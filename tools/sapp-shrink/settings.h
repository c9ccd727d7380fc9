/* Settings: a run in the words of a framework, with profiling switched on. */
#ifndef SETTINGS_OF_RUN_H
#define SETTINGS_OF_RUN_H

#include "offer.h"

enum { SETTINGS_MEGATRON, SETTINGS_MINDSPEED, SETTINGS_MINDFORMERS };
extern const char *const settings_formats[];

/* How settings are written, and where. */
struct writing {
	int format;
	const char *training;	/* the YAML that is edited */
	const char *directory;
	struct texts set;	/* "key=value", over what a run has */
	char *text;		/* of the YAML */
	size_t length;
};

/* Read what is to be edited; exits where options do not go together. */
void settings_begin(struct writing *);
/* Give the run its command: arguments, or those that name the YAML, which is written. */
void settings_write(const struct writing *, struct offer *, const struct architecture *);
void settings_end(struct writing *);

#endif
