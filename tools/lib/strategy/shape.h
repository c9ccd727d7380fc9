/*
 * Shape: what the sizes of a device's operators are made of. Configurations of the same have the same operators, and a
 * small run tells of all of them: stages, replicas, chunks, micro-batches and layers change none.
 */
#ifndef SHAPE_H
#define SHAPE_H

#include "lib/record/architecture.h"
#include "lib/record/training_run.h"

struct shapes {
	int tp, cp, etp, mbs, seq;
	double experts;		/* on a device; 0: the network has none */
	bool sp;
	bool sharded;		/* parameters are gathered layer by layer: zero 3 */
	bool ulysses;
	int fused;		/* bits of enum fused */
	bool ep;		/* experts are on several devices: they exchange tokens */
};

struct shapes shape_of(const struct configuration *, const struct architecture *);
bool shape_same(const struct shapes *, const struct shapes *);
/* "TP4_MBS2_SEQ4096", to be freed. */
char *shape_name(const struct shapes *);

/* The network as a run has it. Its texts are those of N; free with architecture_free_classes(). */
struct architecture shape_network(const struct training_run *, const struct architecture *n);
/*
 * A run of C's operators on so many devices, without stages: two layers of each kind, four micro-batches, and as many
 * replicas as there is room for. Where its degrees take more devices, experts and ep are halved, then the sequence and
 * cp, then tp with all that it divides, but none of these degrees to 1, which is another program. False: so many are
 * too few; *WHY, to be freed, has the figures. What it has of its own is to be freed with it.
 */
bool shape_run(struct training_run *, const struct configuration *c, const struct architecture *, int devices,
    char **why);
/* As many replicas as there is room for on so many devices; 0: there is room for none. */
int shape_replicas(const struct configuration *, int devices);
/* Layers that have two of each kind and are divided evenly by stages; 0: they cannot be fewer than the network's. */
int shape_layers(const struct architecture *, int stages);

#endif
