/* communication.json: what the transfers and collectives of a rank took, as the profiler for Ascend writes it. */
#ifndef COMMUNICATION_H
#define COMMUNICATION_H

#include <stddef.h>

#include "lib/base/place.h"

struct communication {		/* one operation; ms */
	char *name;		/* without the group behind it */
	long step;		/* -1: not said */
	double elapse, transit, wait;
};

struct communications {
	size_t n;
	struct communication *at;	/* transfers only */
};

/* The N bytes at TEXT, read at AT; exits on what is no such file. */
void communications_parse(struct communications *, const char *text, size_t n, struct place at);
void communications_free(struct communications *);

#endif
