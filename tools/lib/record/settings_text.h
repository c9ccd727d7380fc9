/* The settings record: a plan in the syntax of one framework, to copy into the settings of a run. */
#ifndef SETTINGS_TEXT_H
#define SETTINGS_TEXT_H

#include "lib/field/field.h"

struct settings_text {
	uint64_t given;
	char *name;	/* name of the plan */
	char *format;	/* argument of the option -f of sapp-yaml */
	struct texts lines;	/* lines to copy; absent: the framework cannot express the plan */
	char *why;	/* why the framework cannot express the plan */
};

extern const struct fields settings_text_fields;

#endif
