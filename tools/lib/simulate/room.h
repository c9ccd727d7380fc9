/* Room: the memory of the stages for activations. */
#ifndef ROOM_H
#define ROOM_H

#include "lib/schedule/schedule.h"
#include "load.h"

struct room {
	struct list memory;	/* MB of activations on each stage */
	int *live;		/* [stages], maximum number of forwards held; NULL: unlimited */
	/*
	 * Chunks may become unlike: a stage reserves, for every empty chunk, the memory of a micro-batch. At its peak
	 * it then holds few mixes of chunks, so that plans can give more layers to the one with fewer micro-batches.
	 */
	bool unlike;
};

/* Return the room that an order needs under a load. */
struct room room_of(const struct schedule *, const struct load *);
void room_free(struct room *);
/* Return the MB that a stage can hold, plus rounding. */
double room_most(const struct room *, int stage);
/* Return whether an order stays within the room. */
bool room_enough(const struct room *, const struct schedule *, const struct load *);

#endif
