/*
 * Transfers of a schedule: which there are, where in the order of both its stages each is posted, and what stages and
 * transfers wait for. Private to the simulation's own files.
 */
#ifndef TRANSFERS_H
#define TRANSFERS_H

#include "simulation.h"

/* When a stage posts what it receives. */
enum post {
	POST_AT_USE,	/* right before the operation that uses it */
	POST_NEXT,	/* behind the operation of the same kind before that one: for the next forward, or backward */
	POST_IN_TURNS,	/* where it has come to when the data are made, if operations run in turns */
};

/* Which transfers a stage posts together, of those between the same two operations. */
enum call {
	CALL_ALL,	/* all of them */
	CALL_EXCHANGE,	/* those of one exchange: sends wait on one stream, and nothing begins before them */
	CALL_EVEN_ODD,	/* each alone: even stages send first, odd ones receive first */
	CALL_IN_TURN,	/* each alone: a send first, but between a backward and a forward behind it */
};

/* How long a stage that has posted a send waits. */
enum stay {
	STAY_NOT,
	STAY_BEFORE,	/* until the send of the same kind before it is over */
	STAY,		/* until it is over itself */
};

/* What distinguishes the ways, sapp.7. */
struct way {
	enum post post;
	enum call call;
	enum stay stay[2];	/* behind sends of forwards and of backwards */
	bool receives;		/* it waits for what it receives, too, before anything else; otherwise before its use */
	/* In each of which transfers take place in the order of their posts; 0: none, 1, 2: sends, 4: by kind, too. */
	int queues;
};

enum { NO_TRANSFER = -1 };

struct transfer {
	int from, to;		/* stages */
	size_t sent, used;	/* positions in schedule.op: what makes the data, and what takes them */
	size_t early;		/* position before which it is received where that is not POST_AT_USE */
	bool forward;
	double when;		/* in the run without delays; where posts are in turns, of which turn */
	double posted[2];	/* when receiver and sender came to it, -1: not yet */
	double over;		/* when it has taken place, -1: not yet */
	long before[2], behind[2];	/* its neighbours in the queues of receiver and sender */
};

/* A transfer as one of its stages sees it. */
struct part {
	size_t before;		/* position of the operation it comes before */
	int rank;		/* among those before the same operation; the same of all parts of a call */
	double when;
	size_t transfer;
};

struct transfers {
	const struct way *way;
	const struct simulation *sim;	/* without delays, by which they are put in order */
	struct load still;		/* of that run; lists but of its times are the other's */
	const struct schedule *s;
	const struct load *load;	/* with them */
	double little;			/* ms, less than anything takes in that order */
	size_t n;
	struct transfer *at;
	bool *late;			/* [operations]: what they make is sent one operation later */
	long *taken;			/* [operations]: the transfer that brings what they need */
	size_t *first;			/* [stages + 1]: where each stage's parts begin */
	struct part *part;
	double *end;			/* [operations], with the delays, by position in schedule.op */
};

/*
 * Of a load, in a run without delays. *SIM is that run, and must outlive it. False when the order cannot run at all.
 */
bool transfers_find(struct transfers *, struct simulation *sim, const struct schedule *, const struct load *);
/*
 * Put into each stage's order, by the rule of the way; TIMED: as they take place in the run without delays, so that
 * no stage waits for another for ever.
 */
void transfers_arrange(struct transfers *, bool timed);
void transfers_free(struct transfers *);
/* Position behind an operation, and the one with which it runs. */
size_t transfers_after(const struct schedule *, size_t i);

#endif
