/* communication.json: what the transfers and collectives of a rank took, as the profiler for Ascend writes it. */
#ifndef COMMUNICATION_H
#define COMMUNICATION_H

#include <stdbool.h>
#include <stddef.h>

#include "sapp-trace/sequence/sequence.h"
#include "sapp-trace/time/wait.h"

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

struct calls {			/* of collectives, by one rank: what is known of each */
	const struct sequence *types;
	struct communications said;
	int *seen, step;	/* [types->ntypes]: in this step */
};

struct call_item {
	size_t item;		/* as the waits count */
	uint32_t type;
	int step;
	long number;		/* of the step */
	double time;		/* ns */
};

struct call_said {
	const struct communication *said;	/* NULL: nothing */
	double bytes;		/* as the name has them, of all ranks; 0: it does not */
	int earlier;		/* of the same in this step */
};

/* Of the file SOURCE, whose kernels have these types. */
void calls_open(struct calls *, const struct sequence *types, const char *source);
/* The next collective, in the order of time: of a type, in a step with that number. */
struct call_said calls_next(struct calls *, uint32_t type, int step, long number);
/* What those within layers are, and take: of all N collectives of a rank, in the order of time. */
void calls_tell(struct waits *, const struct sequence *types, const struct call_item *, size_t n, const char *source);
void calls_close(struct calls *);
/* Bytes of a collective's name that say the operation and its group, by which other ranks know them, too. */
size_t call_kind_length(const char *name);

#endif
