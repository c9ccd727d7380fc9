/* Room: what the stages can hold. */
#ifndef ROOM_H
#define ROOM_H

#include "lib/schedule/schedule.h"
#include "load.h"

struct room {
	struct list memory;	/* MB of activations on each stage */
	int *live;		/* [stages], forwards of which it holds anything; NULL: any number */
	/*
	 * Chunks may become unlike: a stage keeps free what every empty chunk needs for a micro-batch. It then holds
	 * few mixes of chunks when it holds most, and plans can give the one with fewer micro-batches more layers.
	 */
	bool unlike;
};

/* What an order holds at most, under a load. */
struct room room_of(const struct schedule *, const struct load *);
void room_free(struct room *);
/* MB that a stage can hold, and what rounding may add. */
double room_most(const struct room *, int stage);
/* Does an order stay within it? */
bool room_enough(const struct room *, const struct schedule *, const struct load *);

#endif
