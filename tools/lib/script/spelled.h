/* Spelled: earlier names of recomputation arguments. */
#ifndef SPELLED_H
#define SPELLED_H

#include <stdbool.h>

struct spelled {
	const char *was, *now;
	const char *means;	/* the value it implies; NULL: its own */
	bool implied;		/* only if nothing else sets it */
};

/* Return whether WORD, "--a-b" or "a_b", is the name NAME, "a_b", in a command or configuration. */
bool spelled_alike(const char *word, const char *name);
/* Ends with a row without names; a name may have several rows. */
extern const struct spelled spelled_before[];

#endif
