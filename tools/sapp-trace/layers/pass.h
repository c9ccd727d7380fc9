/*
 * Passes: consecutive kernels of one layer and phase, by their paths. If a timeline has both, they show which part of a
 * late-closed scope belongs to the layer.
 */
#ifndef PASS_H
#define PASS_H

#include "lib/record/measurement.h"
#include "class.h"
#include "instance.h"

struct pass {
	int64_t start, end;	/* ns */
	/*
	 * start of the next kernel of anything; after passes_close() the end of the layer's time: there, or at its own
	 * last kernel if work ended
	 */
	int64_t next;
	uint32_t key;		/* instance and phase */
};

struct passes {
	size_t n;
	struct pass *at;
	int process;
	bool useless;		/* kernels are not in order of time, or there are too many passes */
	bool open;		/* the last pass may continue */
	int64_t latest;
};

/* Add a kernel of INSTANCE, or of no layer (-1). */
void pass_kernel(struct passes *, int instance, int phase, int64_t start, int64_t end);
/* After the last kernel: set the end of each pass's time. */
void passes_close(struct passes *, const struct classes *, const struct instances *);
/* Sort by instance and phase, for pass_share(). */
void passes_sort(struct passes *);
/* Return whether a layer or end of the model follows another in this phase. */
bool pass_follows(const struct classes *, const struct instance *, const struct instance *next, int phase);
/* Return whether a layer directly follows another in this phase, by number. */
bool pass_neighbour(const struct instance *, const struct instance *next, int phase);
/*
 * Get the time and number of passes of COMPONENT and PHASE within [from, to). Return false if none exist: then the
 * scope track decides. Passes may be NULL.
 */
bool pass_share(const struct passes *, const struct instances *, const char *component, int phase,
    int64_t from, int64_t to, double *ns, int *n);
void passes_free(struct passes *);

#endif
