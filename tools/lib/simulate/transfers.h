/*
 * Transfers of a schedule: their positions in the order of both stages, and what stages and transfers wait for.
 * Everything depends only on the schedule's order and the transfer mode, not on times: positions come from an even run,
 * in which every operation takes 1 ms and transfers none. So the step is the longest path of one graph for all times,
 * and cannot shrink when a time grows.
 *
 * If the rule of a mode would deadlock, which does not depend on times either, each transfer gets a moment of the even
 * run instead: after its data are computed, and not after the start of their use. This cannot deadlock. Order all
 * operations by start and all transfers by moment, transfers before operations at the same time, equal transfers by
 * number: each stage follows this single order, and every dependency comes earlier in it. So for the first pending
 * transfer both stages have reached its call, and it takes place.
 */
#ifndef TRANSFERS_H
#define TRANSFERS_H

#include "simulation.h"

/* When a stage posts a receive. */
enum post {
	POST_AT_USE,	/* right before the operation that uses it */
	POST_NEXT,	/* after the operation of the same kind before that one: for the next forward or backward */
	POST_IN_TURNS,	/* at the receiver's position when the data are computed, if operations run in turns */
};

/* Transfers that a stage posts together, of those between the same two operations. */
enum call {
	CALL_ALL,	/* all transfers */
	CALL_EXCHANGE,	/* transfers of one exchange: sends wait on one stream, and nothing starts before them */
	CALL_EVEN_ODD,	/* one by one: even stages send first, odd ones receive first */
	CALL_IN_TURN,	/* one by one: send first, except between a backward and a following forward */
};

/* How long a stage waits after posting a send. */
enum stay {
	STAY_NOT,
	STAY_BEFORE,	/* until the previous send of the same kind is complete */
	STAY,		/* until the send is complete */
};

/* The transfer modes, see sapp(7). */
struct way {
	enum post post;
	enum call call;
	enum stay stay[2];	/* after sends of forwards and of backwards */
	bool receives;		/* waits for receives immediately, instead of before their use */
	/* Number of queues, each in posting order; 0: none, 1, 2: sends separate, 4: also by kind. */
	int queues;
};

enum { NO_TRANSFER = -1 };

struct transfer {
	int from, to;		/* stages */
	uint32_t sent, used;	/* positions in schedule.op of the operations that compute and use the data */
	uint32_t early;		/* position before which it is received, unless POST_AT_USE */
	bool forward;
	double when;		/* time in the even run; with posts in turns, the number of the turn */
	double posted[2];	/* time at which receiver and sender reached it, -1: not yet */
	double over;		/* time of completion, -1: not yet */
	int32_t before[2], behind[2];	/* neighbours in the queues of receiver and sender */
};

/* A transfer from the view of one of its stages. */
struct transfer_part {
	uint32_t before;	/* position of the operation that follows it */
	uint32_t transfer;
	int rank;		/* order among transfers before the same operation; equal within a call */
};

struct transfers {
	const struct way *way;
	const struct simulation *sim;	/* the even run that determines the order */
	struct load even;		/* load of the even run; lists other than times are shared */
	const struct schedule *s;
	const struct load *load;	/* with transfer times */
	size_t n;
	struct transfer *at;
	bool *late;			/* [operations]: their result is sent one operation later */
	int32_t *taken;			/* [operations]: the transfer of their input */
	double *start;			/* [operations], in the even run */
	size_t *first;			/* [stages + 1]: start of each stage's parts */
	struct transfer_part *part;
	double *end;			/* [operations], with transfers; before that, of the even run */
};

/* Find the transfers of a load. *SIM is the even run and must outlive it. False if the order cannot run. */
bool transfers_find(struct transfers *, struct simulation *sim, const struct schedule *, const struct load *);
/* Place transfers in each stage's order by the rule of the mode; TIMED: by moments of the even run. */
void transfers_arrange(struct transfers *, bool timed);
void transfers_free(struct transfers *);
/* Return the end of the call that begins with PART, before operation OP of a stage. */
size_t transfers_call_end(const struct transfers *, int stage, size_t op, size_t part);
/*
 * Return the transfer that a stage waits for after posting transfer I; SENT: its last ones of forwards and backwards.
 */
long transfers_stays_for(const struct transfers *, int stage, const long sent[2], long i);
/* Return the number of the queue of a stage, up to four: receives and sends, each for backwards and forwards. */
int transfers_queue(const struct way *, const struct transfer *, bool sends);
/* Return the position after an operation and its overlapping one. */
size_t transfers_after(const struct schedule *, size_t i);

#endif
