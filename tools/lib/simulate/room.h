/* Room: the memory of each stage that is left for activations. */
#ifndef ROOM_H
#define ROOM_H

#include "lib/schedule/schedule.h"
#include "load.h"

struct room {
	struct list memory;	/* MB of activations on each stage */
	int *live;	/* maximum number of forwards whose activations are held at once, [stage]; NULL: no limit */
	/*
	 * The chunks of a stage may get different numbers of layers. Every stage then reserves the memory of one
	 * micro-batch for each of its chunks that holds nothing. Thus few distinct mixes of chunks occur at its peak. A
	 * plan can then give more layers to the chunk with fewer micro-batches.
	 */
	bool unlike;
};

/* Return the room that a schedule needs under a load. */
struct room room_of(const struct schedule *, const struct load *);
void room_free(struct room *);
/* Return the MB that a stage may hold, including a tolerance for rounding. */
double room_most(const struct room *, int stage);
/* Return whether a schedule stays within the room under a load. */
bool room_enough(const struct room *, const struct schedule *, const struct load *);

#endif
