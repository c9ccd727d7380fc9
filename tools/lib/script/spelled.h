/* Other names of arguments, from earlier releases and other frameworks. */
#ifndef SPELLED_H
#define SPELLED_H

#include <stdbool.h>

struct spelled {
	const char *was, *now;
	const char *means;	/* value that the other name implies; NULL: the name has a value */
	bool implied;		/* it applies only if nothing else sets the argument */
};

/* Return whether WORD, such as "--a-b" or "a_b", is another spelling of NAME, such as "a_b". */
bool spelled_alike(const char *word, const char *name);
/* A name may have several rows. The last row has no names. */
extern const struct spelled spelled_before[];

#endif
