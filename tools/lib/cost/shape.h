/*
 * Shape: the values that determine the sizes of a device's operators. Configurations of equal shape have the same
 * operators, so a small run serves all: stages, replicas, chunks, micro-batches and layers do not matter.
 */
#ifndef SHAPE_H
#define SHAPE_H

#include "lib/record/architecture.h"
#include "lib/record/training_run.h"

struct shapes {
	int tp, cp, etp, mbs, seq;
	double experts;		/* per device; 0: no experts */
	bool sp;
	bool sharded;		/* parameters are gathered by layer: zero 3 */
	bool ulysses;
	int fused;		/* bits of enum fused */
	bool ep;		/* experts on several devices: they exchange tokens */
};

struct shapes shape_of(const struct configuration *, const struct architecture *);
bool shape_same(const struct shapes *, const struct shapes *);
/* Return "TP4_MBS2_SEQ4096"; caller frees. */
char *shape_name(const struct shapes *);

/* Return the network of a run. Texts belong to N; free with architecture_free_classes(). */
struct architecture shape_network(const struct training_run *, const struct architecture *n);
/*
 * Make a run with C's operators on DEVICES devices without stages: two layers of each kind, four micro-batches, the
 * maximum number of replicas. If its degrees need more devices, halve experts with ep, then the sequence with cp, then
 * tp with everything it divides, but no degree to 1, which is a different program. Return false if there are too few
 * devices; *WHY (caller frees): figures. Caller frees what the run owns.
 */
bool shape_run(struct training_run *, const struct configuration *c, const struct architecture *, int devices,
    char **why);
/* Return the maximum number of replicas on DEVICES devices, 0 if not even one fits. */
int shape_replicas(const struct configuration *, int devices);
/*
 * Return the minimum number of layers with two of each kind, divisible by the stages, or 0 if layers cannot be dropped.
 */
int shape_layers(const struct architecture *, int stages);

#endif
