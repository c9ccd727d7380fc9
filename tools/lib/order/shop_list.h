/*
 * List schedules of a shop. A free stage runs the most urgent operation that is available and fits the memory. Weight
 * gradients fill idle time (Qi et al., arXiv 2401.10241).
 */
#ifndef SHOP_LIST_H
#define SHOP_LIST_H

#include "shop.h"

enum { LIST_PHASES = 3 };	/* phases of a stage: filling, steady state, after the last forward of chunk 0 */
/* RANKS: number of orders of urgency; FORWARDS_FIRST: the order in which forwards precede backwards */
enum { RANKS = 9, FORWARDS_FIRST = 7 };

struct listing {
	int lane;			/* lane whose transfer times are used */
	const double *time;		/* replaces shop.time; NULL: not */
	uint8_t rank[LIST_PHASES];	/* order of urgency in each phase, below RANKS */
	int filled;			/* number of backwards of the last chunk after which the filling ends */
	const int *cap;			/* maximum number of micro-batches in flight, [stage][chunk]; NULL: no limit */
	/* fraction of an operation that must fit in before more urgent data arrive, 0 to 1 */
	double fit[PHASES];
	int waiting;			/* if more W than this number wait, the next W precedes forwards */
	bool turns;			/* forwards and backwards alternate */
	/* urgency of each operation, least first, [stage][queue][micro], instead of an order of urgency; NULL: none */
	const double *key;
};

struct shop_lister;
struct shop_lister *shop_lister_new(const struct shop *);
void shop_lister_free(struct shop_lister *);
/* Build an order of the shop's operations. If false is returned, the order is incomplete. */
bool shop_list(struct shop_lister *, const struct listing *, struct schedule *);
/* Return the ms at which each operation of the last list starts, [stage][queue][micro]. */
const double *shop_list_starts(const struct shop_lister *);

#endif
