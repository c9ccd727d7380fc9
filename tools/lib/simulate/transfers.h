/*
 * Transfers of a schedule: their positions in the orders of both stages, and the dependencies of stages and transfers.
 *
 * All this depends on the schedule's order and on the transfer mode, but not on times. Positions come from an even run,
 * in which operations take 1 ms, backwards with weight gradients 2 ms, and transfers no time. So for all times the step
 * is the longest path of the same graph, and cannot shrink when a time grows.
 *
 * Whether the rule of a mode deadlocks does not depend on times either. If the rule deadlocks, each transfer gets a
 * moment of the even run instead: after its data are computed, and not after its use starts. This cannot deadlock.
 * Order all operations by start and all transfers by moment. At the same time, transfers precede operations, and equal
 * transfers are ordered by number. Each stage follows this single order, and every dependency comes earlier in it. So
 * for the first pending transfer both stages have reached their calls, and it takes place.
 */
#ifndef TRANSFERS_H
#define TRANSFERS_H

#include "simulation.h"

/* When a stage posts a receive. */
enum post {
	POST_AT_USE,	/* right before the operation that uses the data */
	/* after the previous operation of the same kind: a receive for a forward after the forward before it */
	POST_NEXT,
	/* at the position that the receiver has reached when the data are computed, if operations run in turns */
	POST_IN_TURNS,
};

/* How a stage groups its posts of transfers between the same two operations. */
enum call {
	CALL_ALL,	/* all transfers */
	/* the transfers of one exchange: its sends wait on one stream, and all are posted before any starts */
	CALL_EXCHANGE,
	CALL_EVEN_ODD,	/* one post per transfer: even stages send first, odd stages receive first */
	/* one post per transfer: sends first, but receives first between a backward and the forward after it */
	CALL_IN_TURN,
};

/* How long a stage waits after it has posted a send. */
enum stay {
	STAY_NOT,
	STAY_BEFORE,	/* until the previous send of the same kind is complete */
	STAY,		/* until this send is complete */
};

/* A transfer mode, see sapp(7). */
struct way {
	enum post post;
	enum call call;
	enum stay stay[2];	/* [0] after a send of a forward, [1] of a backward */
	bool receives;		/* a stage waits for a receive when it is posted; false: before the data are used */
	/*
	 * number of queues per stage, each in the order of posts. 0: none; 1: all transfers; 2: sends and receives; 4:
	 * also divided into forwards and backwards.
	 */
	int queues;
};

enum { NO_TRANSFER = -1 };

struct transfer {
	int from, to;		/* numbers of the stages */
	/* positions in schedule.op of the operation that computes the data, and of the operation that uses them */
	uint32_t sent, used;
	uint32_t early;		/* position of the operation before which the data are received, unless POST_AT_USE */
	bool forward;
	double when;		/* ms in the even run; for posts in turns, number of the turn */
	double posted[2];	/* ms at which [0] the receiver, [1] the sender reached the transfer; -1: not yet */
	double over;		/* ms at which the transfer is complete; -1: not yet */
	/* previous and next transfer in the queue of [0] the receiver, [1] the sender; NO_TRANSFER: none */
	int32_t before[2], behind[2];
};

/* A transfer as one of its two stages sees it. */
struct transfer_part {
	uint32_t before;	/* position of the operation after it */
	uint32_t transfer;
	int rank;		/* order among the transfers before the same operation; equal within a call */
};

struct transfers {
	const struct way *way;
	const struct simulation *sim;	/* the even run, which determines the order */
	struct load even;		/* load of the even run; all its lists other than times are shared */
	const struct schedule *s;
	const struct load *load;	/* load with transfer times */
	size_t n;
	struct transfer *at;
	bool *late;			/* [operation]: its result is sent one operation later */
	int32_t *taken;			/* [operation]: number of the transfer that brings its input */
	double *start;			/* ms, [operation], in the even run */
	size_t *first;			/* [stage + 1]: index in part of each stage's first part */
	struct transfer_part *part;
	double *end;		/* ms, [operation], with transfers; before these are simulated, in the even run */
};

/*
 * Find the transfers of a schedule. *SIM will hold the even run and must outlive them. Return false if the order has a
 * cycle.
 */
bool transfers_find(struct transfers *, struct simulation *sim, const struct schedule *, const struct load *);
/*
 * Place the transfers in each stage's order by the rule of the mode. TIMED: place the transfers at moments of the even
 * run instead, which cannot deadlock.
 */
void transfers_arrange(struct transfers *, bool timed);
void transfers_free(struct transfers *);
/* Return the end of the call that begins with PART, before operation OP of a stage. */
size_t transfers_call_end(const struct transfers *, int stage, size_t op, size_t part);
/*
 * Return the transfer that a stage must wait for after it has posted transfer I; NO_TRANSFER: none. SENT: the stage's
 * last sends of forwards and of backwards.
 */
long transfers_stays_for(const struct transfers *, int stage, const long sent[2], long i);
/*
 * Return the number of a stage's queue for a transfer, below 4. Receives and sends have different queues if the mode
 * has at least two. Forwards and backwards do if it has four.
 */
int transfers_queue(const struct way *, const struct transfer *, bool sends);
/* Return the position after operation I, and after the operation that overlaps it. */
size_t transfers_after(const struct schedule *, size_t i);

#endif
