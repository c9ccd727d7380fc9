/* Kernels named by their scope path, for timelines without a scope track. */
#ifndef KERNEL_H
#define KERNEL_H

#include "class.h"
#include "pass.h"
#include "tally.h"

enum { MAX_DEVICES = 4 };

struct kernel_run {			/* a period of kernels of one instance and phase */
	int64_t start, end;	/* ns */
	double busy;		/* ns with kernels, overlapping streams counted once */
	uint32_t key;		/* instance and phase */
	uint32_t events;
};

struct kernels {
	size_t n, room;
	struct kernel_run *at;
	size_t nlast;
	size_t *last;		/* by key: index of its last run + 1 */
	int ndevices;
	struct passes passes[MAX_DEVICES];	/* of the first processes with kernels that have paths */
	/* The last path: most kernels follow one of the same layer. */
	char *prefix;
	size_t prefix_length, prefix_room;
	int prefix_process, prefix_instance;
	enum timing_phase prefix_phase;
};

/* Keep a kernel with a path through a class. Return false if none exists. */
bool kernel_event(struct kernels *, const struct classes *, struct instances *, struct text path,
    const struct event *, int process, const struct scan *);
/* After the last event: drop the runs of other processes than devices. */
void kernels_close(struct kernels *, const struct classes *, const struct instances *, const struct processes *);
/* Compute the time of the layers on the devices by phase and step. Return false if no layers exist. */
bool kernels_tally(struct kernels *, struct steps *, struct step_tally *);
/* Add the time with kernels to instances of the scope track with equal names. */
void kernels_tally_busy(const struct kernels *, const struct instances *, const struct processes *,
    const struct steps *, struct step_tally *);
/* Return the device's passes, sorted; NULL: none, or several devices. */
const struct passes *kernels_passes(struct kernels *, const struct processes *);
void kernels_free(struct kernels *);

#endif
