/* Kernels named by their scope path, for timelines without a scope track. */
#ifndef KERNEL_H
#define KERNEL_H

#include "sapp-trace/layer/class.h"
#include "pass.h"
#include "sapp-trace/time/tally.h"

enum { MAX_DEVICES = 4 };

struct run {			/* time in which kernels of one instance and phase ran */
	int64_t start, end;	/* ns */
	double busy;		/* ns of it, streams that run at the same time counted once */
	uint32_t key;		/* instance and phase */
	uint32_t events;
};

struct kernels {
	size_t n, room;
	struct run *at;
	size_t nlast;
	size_t *last;		/* of each key: its last run + 1 */
	int ndevices;
	struct passes passes[MAX_DEVICES];	/* of the first processes that have kernels with paths */
	/* The last path: most kernels come after one of the same layer. */
	char *prefix;
	size_t prefix_length, prefix_room;
	int prefix_process, prefix_instance;
	enum timing_phase prefix_phase;
};

/* Keep a kernel whose path leads through a class. False: it does not. */
bool kernel_event(struct kernels *, const struct classes *, struct instances *, struct text path,
    const struct event *, int process, const struct scan *);
/* All events were read: what ran on other processes is no time of the device. */
void kernels_close(struct kernels *, const struct classes *, const struct instances *, const struct processes *);
/* Time of the layers on the devices by phase and step. False when no layer is there. */
bool kernels_tally(struct kernels *, struct steps *, struct tally *);
/* Time in which kernels of the layers ran, of the instances of the same name that the scope track has. */
void kernels_tally_busy(const struct kernels *, const struct instances *, const struct processes *,
    const struct steps *, struct tally *);
/* Passes of the device, sorted; NULL if there are none, or several devices. */
const struct passes *kernels_passes(struct kernels *, const struct processes *);
void kernels_free(struct kernels *);

#endif
