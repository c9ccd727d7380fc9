/* Settings text: a plan in the words of one framework, to be copied into the settings of a run. */
#ifndef SETTINGS_TEXT_H
#define SETTINGS_TEXT_H

#include "lib/field/field.h"

struct settings_text {
	uint64_t given;
	char *name;	/* of the plan */
	char *format;	/* of sapp-yaml -f */
	struct texts lines;	/* to be copied; absent: there are none */
	char *why;	/* the reason for that */
};

extern const struct fields settings_text_fields;

#endif
