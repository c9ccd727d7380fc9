/* Extent: the time of some kernels, as wall clock and as work of the device. */
#ifndef EXTENT_H
#define EXTENT_H

#include "row.h"
#include "sapp-trace/time/wait.h"

struct extent {			/* ns */
	double wall;
	double busy;		/* a computing kernel ran, streams that overlap counted once */
	double idle;		/* neither that nor communication */
};

/* Of the kernels FROM up to TO of the work, which lie in front of ITEMS_END; the time ends at UNTIL. Their collectives
 * are added to the waits, as numbers in the sequence. */
struct extent extent_of(const struct sequence *, const struct item *items_end, const struct work *, size_t from,
    size_t to, int64_t until, struct waits *);
/* The start of what runs behind the kernels FROM up to TO, transfers too; their own end, when that comes later or
 * more than LONGEST ns pass in between. */
int64_t extent_next(const struct sequence *, const struct item *items_end, const struct work *, size_t from, size_t to,
    double longest);

#endif
