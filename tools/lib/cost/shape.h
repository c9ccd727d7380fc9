/*
 * The shape: all values that determine the sizes of a device's operators. Configurations of the same shape have the
 * same operators, so one small run represents all of them. Numbers of stages, replicas, chunks, micro-batches and
 * layers are not part of the shape.
 */
#ifndef SHAPE_H
#define SHAPE_H

#include "lib/record/architecture.h"
#include "lib/record/training_run.h"

struct shapes {
	int tp, cp, etp, mbs, seq;
	double experts;		/* number of experts per device; 0: no experts */
	bool sp;
	bool sharded;		/* parameters are gathered layer by layer: zero is 3 */
	bool ulysses;
	int fused;		/* bits of enum fused */
	bool ep;		/* experts are on several devices, which exchange tokens */
};

struct shapes shape_of(const struct configuration *, const struct architecture *);
bool shape_same(const struct shapes *, const struct shapes *);
/* Return a name such as "TP4_MBS2_SEQ4096". Caller frees. */
char *shape_name(const struct shapes *);

/*
 * Return the network of a run that changes sizes of N. Its texts belong to N. Free it with architecture_free_classes().
 */
struct architecture shape_network(const struct training_run *, const struct architecture *n);
/*
 * Make a run on DEVICES devices that has C's operators. The run has one stage, two layers of each kind, four
 * micro-batches, and the maximum number of replicas.
 *
 * If its degrees need more devices, halve ep with the experts, then cp with the sequence, then tp with all that it
 * divides. Never reduce a degree to 1, since the program is different then. If DEVICES is still too small, return false
 * and the reason, with figures, in *WHY. Caller frees *WHY and the members of the run.
 */
bool shape_run(struct training_run *, const struct configuration *c, const struct architecture *, int devices,
    char **why);
/* Return the maximum number of replicas on DEVICES devices; 0: the devices are too few for one replica. */
int shape_replicas(const struct configuration *, int devices);
/*
 * Return the minimum number of layers with two layers of each kind that is divisible by STAGES. Return 0 if no layers
 * can be omitted.
 */
int shape_layers(const struct architecture *, int stages);

#endif
