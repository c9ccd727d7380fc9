/* Spelled: what arguments that ask for recomputation were called in earlier releases. */
#ifndef SPELLED_H
#define SPELLED_H

#include <stdbool.h>

struct spelled {
	const char *was, *now;
	const char *means;	/* the value it stands for; NULL: its own */
	bool implied;		/* only where nothing else says it */
};

/* Is WORD, "--a-b" or "a_b", what NAME, "a_b", is on a command line or in a configuration? */
bool spelled_alike(const char *word, const char *name);
/* Ended by a row without names; a name may have several rows. */
extern const struct spelled spelled_before[];

#endif
