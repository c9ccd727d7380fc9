/* A network being put together from a file, and what that file runs today. */
#ifndef DRAFT_H
#define DRAFT_H

#include <stdio.h>

#include "bag.h"
#include "lib/record/architecture.h"
#include "lib/record/configuration.h"

struct formulas;

enum { ADAPTER_RANK_MOST = 1 << 16 };

/* Adapters beside frozen products; rank 0: none. */
struct adapted {
	int rank;
	char *modules;			/* products that have them; NULL: all */
	bool everywhere;		/* beside all products of these names, of experts, too */
	bool embedding, head;		/* of which a copy is trained */
};

struct draft {
	struct architecture net;
	struct configuration current;	/* dp 0: the file says no degrees */
	int batch;			/* sequences of a step; 0: not said */
	int devices;			/* 0: not said */
	int copies;			/* in which a micro-batch is worked on, so that they overlap; 0: one */
	int optimizers;			/* groups of replicas, each of which divides its states; 0: one */
	struct adapted adapters;
	void *owned;			/* freed with it */
	const char *const (*usual)[2];	/* where members stand in files of this kind; ended by NULL */
};

/* What the command line adds: 0 or NULL where it says nothing. */
struct additions {
	const char *name;
	int seq_length, vocab_size, batch, devices, patches;
	const char *freeze;		/* classes, "tower", "language", divided by commas */
	struct adapted adapters;
	const char *modules;		/* products that have them, divided by commas; NULL: as they or the file say */
};

#define SET(d, member, value) GIVE(architecture, &(d)->net, member, value)

/* An int of the bag into a member, where one of NAMES is there. */
#define TAKE(d, bag, member, min, names) do { \
	int taken; \
	if (bag_int(bag, names, min, &taken)) \
		SET(d, member, taken); \
} while (0)

/*
 * Readers of one kind of file each. Without tables of formulas, those that are installed are read where layers need
 * any.
 */
void huggingface_read(struct draft *, const struct yaml *root, const struct formulas *, const struct additions *);
void mindformers_read(struct draft *, const struct yaml *root, const struct formulas *);
struct started;
void megatron_read(struct draft *, const struct started *, const struct formulas *, const struct additions *);

/* A file that says what a search of HyperParallel is to search, with the network in it; read by mindformers_read(). */
enum search_file { SEARCH_NONE, SEARCH_SAPP_ND, SEARCH_DENSE_TUNER };
enum search_file search_file_kind(const struct yaml *root);

/*
 * Devices among degrees, and sequences among them, as far as they are said; false: on how many devices it runs is not.
 * Exits naming AT where they are no multiples.
 */
bool draft_divide(struct draft *, struct place at);
/* Name the settings that nobody asked for. */
void draft_name_unknown(const struct bag *, const char *what);
/* A figure that it has not, and that no network can do without; NULL: it has all. */
const char *draft_missing(const struct draft *);
/* Fill in, check and write: the network, unless one before it is meant, and the candidate that is run today. */
void draft_write(FILE *, struct draft *, const struct additions *, struct place, bool network);
/* Mark what is not trained, of a network that was checked. */
void draft_freeze(struct draft *, const struct additions *, struct place);
void draft_free(struct draft *);

#endif
