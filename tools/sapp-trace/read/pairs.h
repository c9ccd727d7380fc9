/* Pairs: join events of begin and end (ph B and E) to whole events. */
#ifndef PAIRS_H
#define PAIRS_H

#include "event.h"

struct pairs {			/* events of begin (ph B) whose end (E) is not read yet */
	size_t n;
	struct event *at;	/* with texts of their own */
	struct event last;	/* the event joined last */
	char dur[40];
	size_t alone;		/* number of ends without a begin, or earlier than their begin */
};

/*
 * Replace an event of end by the whole event, an X. Return false if the caller must skip the event: it is a begin, or
 * an end without a begin.
 */
bool pairs_take(struct pairs *, struct event *, const struct scan *);
void pairs_free(struct pairs *);

#endif
