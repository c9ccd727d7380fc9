/* communication.json: what the transfers and collectives of a rank took, as the profiler for Ascend writes it. */
#ifndef COMMUNICATION_H
#define COMMUNICATION_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/place.h"

struct communication {		/* one operation; ms */
	char *name;		/* without the group behind it */
	char *group;		/* "": not said */
	long step;		/* -1: not said */
	bool transfer;		/* from a stage to another; else a collective */
	double elapse, transit, wait;
	double bytes;		/* that went over its links, 0: not said */
	bool between_nodes;
};

struct communications {
	size_t n;
	struct communication *at;
};

/* The N bytes at TEXT, read at AT; exits on what is no such file. */
void communications_parse(struct communications *, const char *text, size_t n, struct place at);
/* Of the communication.json beside FILE; none without it. */
void communications_beside(struct communications *, const char *file);
void communications_free(struct communications *);

#endif
