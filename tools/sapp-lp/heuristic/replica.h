/* Replica: a plan under random changes, each kept or undone. Its stages have settings that fit into memory. */
#ifndef REPLICA_H
#define REPLICA_H

#include <stdint.h>

#include "sapp-lp/model/stage_settings.h"

struct replica {
	const struct problem *p;
	struct candidate now, old;	/* old: before the last change */
	int *layers, *old_layers;	/* [pieces] */
	int n, *stage;			/* stages of the last change */
};

/* Shared by all replicas of a search. */
struct proposer {
	const struct problem *p;
	struct settings_cache cache;
	struct visits weight;	/* mean of paths: importance of chunks' backward times; at NULL: equal */
	uint64_t random;
	/* Operations simulated, or other work of equal cost: limits the work on lists of settings. */
	double work;
	double deadline;		/* s of clock.h: afterwards no more fronts of many bodies */
	double *value;			/* [chunks], buffer: value of a ms of backward, */
	double *part;			/* and additional value of a ms of mix.gradient, if that matters */
};

/* Copies WEIGHT; with NULL all chunks are equally important. */
struct proposer proposer_new(const struct problem *, const struct visits *weight, uint64_t seed);
void proposer_free(struct proposer *);
/* Free large memory; it is rebuilt on demand. */
void proposer_forget(struct proposer *);

struct replica replica_new(const struct problem *);
void replica_free(struct replica *);
/* Does not copy the last change, which cannot be undone in the copy. */
void replica_copy(struct replica *to, const struct replica *from);
void replica_load(struct replica *, const struct candidate *);
/* Return how busy a piece is, in any unit. */
typedef double piece_rank(void *with, int piece);
/*
 * Change a replica at random: another setting for a stage, or one or two layers moved. RANK, called with WITH: pieces
 * of higher rank rather give layers; NULL: all ranks are equal. If it returns false, the change is impossible: undo it.
 */
bool replica_change(struct replica *, struct proposer *, piece_rank *rank, void *with);
void replica_take_back(struct replica *);

#endif
