/*
 * Transfers of a schedule: which there are, where in the order of both its stages each is posted, and what stages and
 * transfers wait for. All this is of the schedule's order and the way alone, not of times: of an even run, in which
 * every operation takes 1 ms and data take none. So the step is the longest path of one graph whatever the times, and
 * does not become shorter when any of them grows.
 *
 * Where the rule of a way makes stages wait for one another for ever, which is no matter of times either, each transfer
 * has its moment of the even run instead: one at which its data are made, and no later than the start of what uses
 * them. Then nothing waits for ever. For take all operations by their starts and all transfers by their moments, a
 * transfer before operations of the same time, transfers of the same time by number: each stage goes through its part
 * of this one order, and whatever an operation or transfer waits for comes before it there. So of the first transfer
 * that is not over both stages have come to its call, and it takes place.
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
	uint32_t sent, used;	/* positions in schedule.op: what makes the data, and what takes them */
	uint32_t early;		/* position before which it is received where that is not POST_AT_USE */
	bool forward;
	double when;		/* in the even run; where posts are in turns, of which turn */
	double posted[2];	/* when receiver and sender came to it, -1: not yet */
	double over;		/* when it has taken place, -1: not yet */
	int32_t before[2], behind[2];	/* its neighbours in the queues of receiver and sender */
};

/* A transfer as one of its stages sees it. */
struct part {
	uint32_t before;	/* position of the operation it comes before */
	uint32_t transfer;
	int rank;		/* among those before the same operation; the same of all parts of a call */
};

struct transfers {
	const struct way *way;
	const struct simulation *sim;	/* the even run, by which they are put in order */
	struct load even;		/* of that run; lists but of its times are the other's */
	const struct schedule *s;
	const struct load *load;	/* with them */
	size_t n;
	struct transfer *at;
	bool *late;			/* [operations]: what they make is sent one operation later */
	int32_t *taken;			/* [operations]: the transfer that brings what they need */
	double *start;			/* [operations], in the even run */
	size_t *first;			/* [stages + 1]: where each stage's parts begin */
	struct part *part;
	double *end;			/* [operations], with the delays; before, in the even run */
};

/* Of a load. *SIM is the even run, and must outlive it. False when the order cannot run at all. */
bool transfers_find(struct transfers *, struct simulation *sim, const struct schedule *, const struct load *);
/* Put into each stage's order, by the rule of the way; TIMED: by the moments of the even run. */
void transfers_arrange(struct transfers *, bool timed);
void transfers_free(struct transfers *);
/* Behind the last part of the call of a stage that begins with PART, before operation OP. */
size_t transfers_call_end(const struct transfers *, int stage, size_t op, size_t part);
/* The transfer for which a stage that has posted transfer I waits; SENT: its last ones of forwards and backwards. */
long transfers_stays_for(const struct transfers *, int stage, const long sent[2], long i);
/* Of four: a queue of a stage for receives and one for sends, each for backwards and for forwards; or fewer. */
int transfers_queue(const struct way *, const struct transfer *, bool sends);
/* Position behind an operation, and the one with which it runs. */
size_t transfers_after(const struct schedule *, size_t i);

#endif
