/* A draft is a network that is being assembled from a file, with the configuration that the file runs. */
#ifndef DRAFT_H
#define DRAFT_H

#include <stdio.h>

#include "lib/record/architecture.h"
#include "lib/record/configuration.h"
#include "bag.h"

struct formulas;

enum { ADAPTER_RANK_MOST = 1 << 16 };

/* Adapters next to frozen products. */
struct adapted {
	int rank;
	char *modules;			/* names of the products with adapters; NULL: all products */
	bool everywhere;		/* all products of these names have adapters, also in towers */
	bool experts;			/* each routed expert has adapters of its own */
	bool embedding, head;		/* a copy of the embedding, of the head, is trained */
};

struct draft {
	struct architecture net;
	struct configuration current;	/* dp is 0 if the file has no degrees */
	int batch;			/* number of sequences per step; 0: unset */
	int devices;			/* 0: unset */
	int copies;			/* number of parts of a micro-batch that overlap; 0: one */
	int optimizers;		/* number of groups of replicas, each of which divides the optimizer states; 0: one */
	struct adapted adapters;
	char *elsewhere;	/* why the network must come from another file; NULL: it need not */
	struct place elsewhere_place;	/* source is freed with the draft */
	void *owned;			/* freed with the draft */
	/* pairs of a member and its usual name in files of this kind; NULL-terminated */
	const char *const (*usual)[2];
};

/* Settings that options of the command line add; 0 or NULL: unset. */
struct additions {
	const char *name;
	int seq_length, vocab_size, batch, devices, patches;
	const char *freeze;		/* names of classes, "tower" or "language", separated by commas */
	struct adapted adapters;
	/* names of the products with adapters, separated by commas; NULL: as adapters or the file has them */
	const char *modules;
};

#define SET(d, member, value) GIVE(architecture, &(d)->net, member, value)

/* If any of NAMES is in the bag, set a member to its value, an int of at least MIN. */
#define TAKE(d, bag, member, min, names) do { \
	int taken; \
	if (bag_int(bag, names, min, &taken)) \
		SET(d, member, taken); \
} while (0)

/* The readers, one for each kind of file. FORMULAS NULL: read only the degrees, by the installed tables. */
void huggingface_read(struct draft *, const struct yaml *root, const struct formulas *, const struct additions *);
void mindformers_read(struct draft *, const struct yaml *root, const struct formulas *);
struct started;
void megatron_read(struct draft *, const struct started *, const struct formulas *, const struct additions *);

/* The search files of HyperParallel that have a network. mindformers_read() reads them. */
enum search_file { SEARCH_NONE, SEARCH_SAPP_ND, SEARCH_DENSE_TUNER };
enum search_file search_file_kind(const struct yaml *root);

/*
 * Derive missing degrees, devices and batch from those that are known. Return false if the number of devices is
 * unknown. Exit, naming AT, if a number is not the multiple of another one that it must be.
 */
bool draft_divide(struct draft *, struct place at);
/*
 * Complete a network from one file by the settings of a run from another file. These are the length of sequences, the
 * multi-token prediction layers, the bytes of states and gradients, and the adapters. Takes ownership of the run's
 * adapters.
 */
void draft_take(struct draft *, struct draft *run);
/* Warn about settings that nothing has used. */
void draft_name_unknown(const struct bag *, const char *what);
/* Return the name of a required member that is unset, "network" if it is elsewhere, or NULL. */
const char *draft_missing(const struct draft *);
/*
 * Complete, check and write a draft: the network, unless NETWORK is false, and the candidate of the current
 * configuration.
 */
void draft_write(FILE *, struct draft *, const struct additions *, struct place, bool network);
/* Mark the frozen parts of a network that was checked. */
void draft_freeze(struct draft *, const struct additions *, struct place);
void draft_free(struct draft *);

#endif
