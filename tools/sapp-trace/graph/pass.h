/*
 * Passes: kernels of one layer and phase that ran in a row, told by their paths. Where a timeline has both,
 * they say what of a scope that was not closed in time is the layer's own.
 */
#ifndef PASS_H
#define PASS_H

#include "sapp-trace/layer/class.h"
#include "sapp-trace/layer/instance.h"
#include "lib/record/measurement.h"

struct pass {
	int64_t start, end;	/* ns */
	int64_t next;		/* start of the kernel that followed, of whatever else; from passes_close() on where
				 * the layer's time ends: there, or with its own last kernel where work ended */
	uint32_t key;		/* instance and phase */
};

struct passes {
	size_t n;
	struct pass *at;
	int process;
	bool useless;		/* kernels are not in the order of time, or there are too many passes */
	bool open;		/* the last pass may go on */
	int64_t latest;
};

/* A kernel of INSTANCE, or of no layer (-1). */
void pass_kernel(struct passes *, int instance, int phase, int64_t start, int64_t end);
/* All kernels were read: tell where the time of each pass ends. */
void passes_close(struct passes *, const struct classes *, const struct instances *);
/* By instance and phase, for pass_share(). */
void passes_sort(struct passes *);
/* Does a layer, or an end of the model, come behind another in this phase? */
bool pass_follows(const struct classes *, const struct instance *, const struct instance *next, int phase);
/* Is a layer the one right behind another in this phase, by its number? */
bool pass_neighbour(const struct instance *, const struct instance *next, int phase);
/*
 * Time of the passes of COMPONENT and PHASE within [from, to), and their number; false when there are none,
 * and the scope track must be taken by its word. Passes may be NULL.
 */
bool pass_share(const struct passes *, const struct instances *, const char *component, int phase,
    int64_t from, int64_t to, double *ns, int *n);
void passes_free(struct passes *);

#endif
