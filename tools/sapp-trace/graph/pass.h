/*
 * Passes: kernels of one layer and phase that ran in a row, told by their paths. Where a timeline has both,
 * they say what of a scope that was not closed in time is the layer's own.
 */
#ifndef PASS_H
#define PASS_H

#include "sapp-trace/layer/instance.h"
#include "lib/record/measurement.h"

struct pass {
	int64_t start, end;	/* ns */
	uint32_t key;		/* instance and phase */
};

struct passes {
	size_t n, room;
	struct pass *at;
	int process;
	bool useless;		/* kernels are not in the order of time, or there are too many passes */
	bool open;		/* the last pass may go on */
	int64_t latest;
};

/* A kernel of INSTANCE, or of no layer (-1). */
void pass_kernel(struct passes *, int instance, int phase, int64_t start, int64_t end);
/* Make ready for pass_share(). */
void passes_sort(struct passes *);
/*
 * Time of the passes of COMPONENT and PHASE within [from, to), and their number; false when there are none,
 * and the scope track must be taken by its word. Passes may be NULL.
 */
bool pass_share(const struct passes *, const struct instances *, const char *component, int phase,
    int64_t from, int64_t to, double *ns, int *n);
void passes_free(struct passes *);

#endif
