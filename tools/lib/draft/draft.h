/* Draft: a network being assembled from a file, and the configuration that the file runs. */
#ifndef DRAFT_H
#define DRAFT_H

#include <stdio.h>

#include "lib/record/architecture.h"
#include "lib/record/configuration.h"
#include "bag.h"

struct formulas;

enum { ADAPTER_RANK_MOST = 1 << 16 };

/* Adapters next to frozen products; rank 0: none. */
struct adapted {
	int rank;
	char *modules;			/* products with adapters; NULL: all */
	bool everywhere;		/* adapters next to all products of these names, also to products of experts */
	bool embedding, head;		/* a copy of the embedding, or of the head, is trained */
};

struct draft {
	struct architecture net;
	struct configuration current;	/* dp 0: no degrees in the file */
	int batch;			/* sequences per step; 0: unset */
	int devices;			/* 0: unset */
	int copies;			/* number of overlapping parts of a micro-batch; 0: one part */
	int optimizers;			/* groups of replicas, each dividing the optimizer states; 0: one group */
	struct adapted adapters;
	void *owned;			/* freed with the draft */
	const char *const (*usual)[2];	/* usual places of members in files of this kind; NULL-terminated */
};

/* Additions from the command line; 0 or NULL: unset. */
struct additions {
	const char *name;
	int seq_length, vocab_size, batch, devices, patches;
	const char *freeze;		/* classes, "tower" or "language", separated by commas */
	struct adapted adapters;
	/* products with adapters, separated by commas; NULL: as in the adapters or the file */
	const char *modules;
};

#define SET(d, member, value) GIVE(architecture, &(d)->net, member, value)

/* Copy an int of the bag to a member, if any of NAMES exists. */
#define TAKE(d, bag, member, min, names) do { \
	int taken; \
	if (bag_int(bag, names, min, &taken)) \
		SET(d, member, taken); \
} while (0)

/* Readers, one per kind of file. FORMULAS NULL: read only the degrees, with the installed tables. */
void huggingface_read(struct draft *, const struct yaml *root, const struct formulas *, const struct additions *);
void mindformers_read(struct draft *, const struct yaml *root, const struct formulas *);
struct started;
void megatron_read(struct draft *, const struct started *, const struct formulas *, const struct additions *);

/* Search files of HyperParallel, with a network; read by mindformers_read(). */
enum search_file { SEARCH_NONE, SEARCH_SAPP_ND, SEARCH_DENSE_TUNER };
enum search_file search_file_kind(const struct yaml *root);

/*
 * Derive missing degrees, devices and batch from the known figures. Return false if the number of devices is unknown.
 * Exits, naming AT, if one figure is not the required multiple of another.
 */
bool draft_divide(struct draft *, struct place at);
/*
 * Complete the network of one file with the settings of a run from another file: the length of sequences, layers that
 * predict further tokens, bytes of states and gradients, adapters. Takes ownership of the run's adapters.
 */
void draft_take(struct draft *, struct draft *run);
/* Warn about unused settings. */
void draft_name_unknown(const struct bag *, const char *what);
/* Return a missing required figure, or NULL. */
const char *draft_missing(const struct draft *);
/* Complete, check and write the draft: the network (unless NETWORK is false) and the current candidate. */
void draft_write(FILE *, struct draft *, const struct additions *, struct place, bool network);
/* Mark frozen parts of a checked network. */
void draft_freeze(struct draft *, const struct additions *, struct place);
void draft_free(struct draft *);

#endif
