/* Spelled: what arguments that ask for recomputation were called in earlier releases. */
#ifndef SPELLED_H
#define SPELLED_H

#include <stdbool.h>

struct spelled {
	const char *was, *now;
	const char *means;	/* the value it stands for; NULL: its own */
	bool implied;		/* only where nothing else says it */
};

/* Ended by a row without names; a name may have several rows. */
extern const struct spelled spelled_before[];

#endif
