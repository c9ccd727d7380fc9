/*
 * Passes: consecutive kernels of one layer and phase, by their paths. In a timeline with paths and a scope track, they
 * show which part of a scope belongs to the layer if the scope is closed late.
 */
#ifndef PASS_H
#define PASS_H

#include "lib/record/measurement.h"
#include "class.h"
#include "instance.h"

struct pass {
	int64_t start, end;	/* ns */
	/*
	 * ns, start of the next kernel of any kind. After passes_close() it is the end of the layer's time: this start,
	 * or the end of the layer's last kernel if work ended there.
	 */
	int64_t next;
	uint32_t key;		/* instance and phase */
};

struct passes {
	size_t n;
	struct pass *at;
	int process;
	bool useless;		/* whether kernels are out of order of time, or the passes are too many */
	bool open;		/* whether the last pass may continue */
	int64_t latest;
};

/* Add a kernel of INSTANCE (-1: of no layer). */
void pass_kernel(struct passes *, int instance, int phase, int64_t start, int64_t end);
/* Finish after the last kernel: set the end of each pass's time. */
void passes_close(struct passes *, const struct classes *, const struct instances *);
/* Sort the passes by instance and phase, as pass_share() requires. */
void passes_sort(struct passes *);
/* Return whether a layer or end of the model can follow another in this phase. */
bool pass_follows(const struct classes *, const struct instance *, const struct instance *next, int phase);
/* Return whether a layer directly follows another in this phase, by their numbers. */
bool pass_neighbour(const struct instance *, const struct instance *next, int phase);
/*
 * Get the time, ns, and the number of passes of COMPONENT and PHASE within [from, to). Return false if none exist; then
 * the scope track determines them. The passes may be NULL.
 */
bool pass_share(const struct passes *, const struct instances *, const char *component, int phase,
    int64_t from, int64_t to, double *ns, int *n);
void passes_free(struct passes *);

#endif
