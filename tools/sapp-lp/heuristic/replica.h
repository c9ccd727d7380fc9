/*
 * Replica: a plan that a search changes at random, change by change, each to be kept or taken back.  Its stages have
 * settings that fit into memory.
 */
#ifndef REPLICA_H
#define REPLICA_H

#include <stdint.h>

#include "sapp-lp/model/stage_settings.h"

struct replica {
	const struct problem *p;
	struct candidate now, old;	/* old: before the last change */
	int *layers, *old_layers;	/* [pieces] */
	int n, *stage;			/* stages that it touched */
};

/* What all replicas of a search share. */
struct proposer {
	const struct problem *p;
	struct settings_cache cache;
	struct visits weight;	/* a mean of paths: which chunks' backward times matter; at NULL: all alike */
	uint64_t random;
	/*
	 * Operations simulated so far, or what else took about as long: lists of settings are made as long as they take
	 * no longer.
	 */
	double work;
	double deadline;		/* s of clock.h: no more fronts of many bodies are made then */
	double *value;			/* [chunks], scratch: of a ms of backward, */
	double *part;			/* and of one of mix.gradient in addition, where those matter */
};

/* WEIGHT is copied; NULL: see above. */
struct proposer proposer_new(const struct problem *, const struct visits *weight, uint64_t seed);
void proposer_free(struct proposer *);
/* Free what takes much memory; it is made again when it is needed. */
void proposer_forget(struct proposer *);

struct replica replica_new(const struct problem *);
void replica_free(struct replica *);
/* Not what the last change was: that cannot be taken back in the copy. */
void replica_copy(struct replica *to, const struct replica *from);
void replica_load(struct replica *, const struct candidate *);
/* How busy a piece is, in any unit. */
typedef double piece_rank(void *with, int piece);
/*
 * Change it at random: another setting for a stage, or one or two layers moved. RANK, with WITH: how busy pieces are,
 * the busier, the rather layers are taken from them; NULL: all alike. False: it cannot be, and has to be taken back.
 */
bool replica_change(struct replica *, struct proposer *, piece_rank *rank, void *with);
void replica_take_back(struct replica *);

#endif
