/*
 * Replica: a plan under random changes, each of which is kept or undone. The settings of its stages always fit into
 * memory.
 */
#ifndef REPLICA_H
#define REPLICA_H

#include <stdint.h>

#include "sapp-lp/model/stage_settings.h"

struct replica {
	const struct problem *p;
	struct candidate now, old;	/* old: the plan before the last change */
	int *layers, *old_layers;	/* [pieces], number of layers now and before the last change */
	int n, *stage;			/* number and list of stages that the last change affected */
};

/* State for proposing changes, shared by all replicas of a search. */
struct proposer {
	const struct problem *p;
	struct settings_cache cache;
	struct visits weight;	/* mean of paths, as importance of the chunks' backward times; at NULL: all are equal */
	uint64_t random;
	/* Number of operations simulated, or other work of equal cost. It limits the work on lists of settings. */
	double work;
	double deadline;		/* s of clock_now(): after it no more fronts of many bodies are built */
	double *value;			/* [chunks], buffer: value of a ms of backward */
	/* [chunks], buffer: additional value of a ms of mix.gradient, if problem.parts */
	double *part;
};

/* Create a proposer with a copy of WEIGHT. NULL: all chunks are equally important. */
struct proposer proposer_new(const struct problem *, const struct visits *weight, uint64_t seed);
void proposer_free(struct proposer *);
/* Free large memory, which is rebuilt on demand. */
void proposer_forget(struct proposer *);

struct replica replica_new(const struct problem *);
void replica_free(struct replica *);
/* Copy a replica except for its last change, which cannot be undone in the copy. */
void replica_copy(struct replica *to, const struct replica *from);
void replica_load(struct replica *, const struct candidate *);
/* Return a measure of how busy a piece is, in any unit. */
typedef double piece_rank(void *with, int piece);
/*
 * Change a replica at random: choose another setting for a stage, or move one or two layers. Pieces with a higher RANK,
 * called with WITH, are more likely to give layers; NULL: all ranks are equal. Return false if the change is
 * impossible; the caller must then undo it.
 */
bool replica_change(struct replica *, struct proposer *, piece_rank *rank, void *with);
void replica_take_back(struct replica *);

#endif
