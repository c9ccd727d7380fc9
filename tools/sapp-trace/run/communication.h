/* communication.json of the Ascend profiler: times of a rank's transfers and collectives. */
#ifndef COMMUNICATION_H
#define COMMUNICATION_H

#include <stdbool.h>
#include <stddef.h>

#include "sapp-trace/layers/sequence.h"
#include "sapp-trace/layers/wait.h"

struct communication {		/* one operation; ms */
	char *name;		/* without the group at its end */
	char *group;		/* "": unknown */
	long step;		/* -1: unknown */
	bool transfer;		/* between stages; else a collective */
	double elapse, transit, wait;
	double bytes;		/* over its links, 0: unknown */
	bool between_nodes;
};

struct communications {
	size_t n;
	struct communication *at;
};

/* Parse the N bytes at TEXT, read at AT; exits on another kind of file. */
void communications_parse(struct communications *, const char *text, size_t n, struct place at);
/* Read the communication.json next to FILE, if any. */
void communications_beside(struct communications *, const char *file);
void communications_free(struct communications *);

struct calls {			/* collectives of a rank, with the known facts about each */
	const struct sequence *types;
	struct communications said;
	int *seen, step;	/* [types->ntypes]: number in this step */
};

struct call_item {
	size_t item;		/* index used by the waits */
	uint32_t type;
	int step;
	long number;		/* of the step */
	double time;		/* ns */
};

struct call_said {
	const struct communication *said;	/* NULL: unknown */
	double bytes;		/* from its name, of all ranks; 0: unknown */
	int earlier;		/* number of equal ones before it in this step */
};

/* Open the calls of file SOURCE, whose kernels have these types. */
void calls_open(struct calls *, const struct sequence *types, const char *source);
/* Return the next collective in order of time: its type, step and step number. */
struct call_said calls_next(struct calls *, uint32_t type, int step, long number);
/* Identify and time the collectives within layers, from all N collectives of a rank in order of time. */
void calls_tell(struct waits *, const struct sequence *types, const struct call_item *, size_t n, const char *source);
void calls_close(struct calls *);
/* Return the bytes of a collective's name with operation and group, which other ranks share. */
size_t call_kind_length(const char *name);

#endif
