/* communication.json of the Ascend profiler: times of a rank's transfers and collectives. */
#ifndef COMMUNICATION_H
#define COMMUNICATION_H

#include <stdbool.h>
#include <stddef.h>

#include "sapp-trace/layers/sequence.h"
#include "sapp-trace/layers/wait.h"

struct communication {		/* an operation of communication, times in ms */
	char *name;		/* without the group at the end of the name */
	char *group;		/* "": unknown */
	long step;		/* -1: unknown */
	bool transfer;		/* true: transfer between stages; false: collective */
	double elapse, transit, wait;
	double bytes;		/* sum over its links; 0: unknown */
	bool between_nodes;
};

struct communications {
	size_t n;
	struct communication *at;
};

/* Parse the N bytes at TEXT, which come from AT. Exits if they are not such a file. */
void communications_parse(struct communications *, const char *text, size_t n, struct place at);
/* Read the communication.json next to FILE, if any. */
void communications_beside(struct communications *, const char *file);
void communications_free(struct communications *);

struct calls {			/* the collectives of a rank, with the known facts about each */
	const struct sequence *types;
	struct communications said;
	int *seen, step;	/* [types->ntypes], number seen in the current step */
};

struct call_item {
	size_t item;		/* index by which the waits refer to it */
	uint32_t type;
	int step;
	long number;		/* number of the step */
	double time;		/* ns */
};

struct call_said {
	const struct communication *said;	/* its entry in communication.json; NULL: unknown */
	double bytes;		/* bytes in its name, over all ranks; 0: unknown */
	int earlier;		/* number of equal collectives before it in this step */
};

/* Open the collectives of the file SOURCE, whose kernels have these types. */
void calls_open(struct calls *, const struct sequence *types, const char *source);
/*
 * Return the facts about the next collective in order of time. TYPE, STEP and NUMBER: its type, and its step with the
 * step's number.
 */
struct call_said calls_next(struct calls *, uint32_t type, int step, long number);
/* Identify the collectives within layers and set their times, from all N collectives of a rank in order of time. */
void calls_tell(struct waits *, const struct sequence *types, const struct call_item *, size_t n, const char *source);
void calls_close(struct calls *);
/* Return the length of the part of a collective's name that other ranks share: operation and group. */
size_t call_kind_length(const char *name);

#endif
