/* Kernels whose names are scope paths, for timelines without a scope track. */
#ifndef KERNEL_H
#define KERNEL_H

#include "class.h"
#include "pass.h"
#include "tally.h"

enum { MAX_DEVICES = 4 };

struct kernel_run {			/* a period with kernels of one instance and phase */
	int64_t start, end;	/* ns */
	double busy;		/* ns with kernels running; overlapping streams count once */
	uint32_t key;		/* instance and phase */
	uint32_t events;
};

struct kernels {
	size_t n, room;
	struct kernel_run *at;
	size_t nlast;
	size_t *last;		/* by key: 1 + index of its last run */
	int ndevices;
	struct passes passes[MAX_DEVICES];	/* passes of the first processes that have kernels with paths */
	/* The last path, kept because most kernels are in the same layer as the kernel before. */
	char *prefix;
	size_t prefix_length, prefix_room;
	int prefix_process, prefix_instance;
	enum timing_phase prefix_phase;
};

/* Keep a kernel whose path has a component of a class. Return false if the path has none. */
bool kernel_event(struct kernels *, const struct classes *, struct instances *, struct text path,
    const struct event *, int process, const struct scan *);
/* Finish after the last event: drop the runs of processes that are not devices. */
void kernels_close(struct kernels *, const struct classes *, const struct instances *, const struct processes *);
/* Compute the time of the layers on the devices, by phase and step. Return false if no layers exist. */
bool kernels_tally(struct kernels *, struct steps *, struct step_tally *);
/* Add the time with kernels running to the instances of the scope track that have the same names. */
void kernels_tally_busy(const struct kernels *, const struct instances *, const struct processes *,
    const struct steps *, struct step_tally *);
/* Return the device's passes, sorted; NULL: none exist, or several devices have some. */
const struct passes *kernels_passes(struct kernels *, const struct processes *);
void kernels_free(struct kernels *);

#endif
