/*
 * List schedules of a shop: a free stage runs the most urgent available operation that fits its memory; weight
 * gradients fill idle time (Qi et al., arXiv 2401.10241).
 */
#ifndef SHOP_LIST_H
#define SHOP_LIST_H

#include "shop.h"

enum { LIST_PHASES = 3 };	/* filling, steady state, after the last forward of chunk 0 */
enum { RANKS = 9, FORWARDS_FIRST = 7 };	/* orders of urgency */

struct listing {
	int lane;			/* lane of the delays */
	const double *time;		/* replaces shop.time; NULL: shop.time */
	uint8_t rank[LIST_PHASES];	/* index of an order of urgency, below RANKS */
	int filled;			/* backwards of the last chunk after which stage 0 counts as filled */
	const int *cap;			/* [stage][chunk], maximum micro-batches in flight; NULL: unlimited */
	/* fraction of an operation that must fit before more urgent data arrive, 0..1 */
	double fit[PHASES];
	int waiting;			/* while forwards remain: number of waiting W from which on a W goes first */
	bool turns;			/* forwards and backwards alternate */
	/* [stage][queue][micro], least first, instead of orders of urgency; NULL: none */
	const double *key;
};

struct shop_lister;
struct shop_lister *shop_lister_new(const struct shop *);
void shop_lister_free(struct shop_lister *);
/* Build an order of the shop's operations; if false, its contents are undefined. */
bool shop_list(struct shop_lister *, const struct listing *, struct schedule *);
/* Return the start of each operation in the last list, [stage][queue][micro]. */
const double *shop_list_starts(const struct shop_lister *);

#endif
