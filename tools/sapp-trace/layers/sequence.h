/* Sequence: the kernels of a device in order of time, by type, without names of layers. */
#ifndef SEQUENCE_H
#define SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/index.h"
#include "sapp-trace/read/event.h"
#include "role.h"

struct kernel_type {
	char *name;
	size_t length;
	/* of a collective with bytes in its name: the type without bytes; otherwise the type itself */
	uint32_t family;
	unsigned roles;
	double time;		/* ns, sum over its kernels */
	uint32_t count;
};

enum {
	ITEM_BACKWARD = 1, ITEM_FORWARD = 2,	/* phase of the launching thread */
	ITEM_ASIDE = 4,		/* on another stream than the layers */
	ITEM_STREAM = 8		/* this value and above: number of its stream */
};

struct item {
	int64_t start, end;	/* ns */
	uint32_t type;
	uint32_t symbol;	/* hash of type and shapes; equal in every layer */
	int step;		/* from 0 */
	unsigned flags;
};

struct keys {			/* a set of texts, each with a number */
	uint32_t n;
	char **at;
	struct index index;
};

struct sequence {
	size_t n;
	struct item *at;
	uint32_t ntypes;
	struct kernel_type *type;
	struct index names;	/* index of the types' names */
	int steps;
	long *number;		/* [steps], number of each step in the profile */
	double *length;		/* [steps], ms; 0: unknown. NULL: all unknown */
	uint32_t nstreams;
	uint64_t *stream;	/* hashes of the streams' names */
	/* Whether to keep "TYPE|INPUT|OUTPUT|TYPES|CORE" of kernels; symbols are then numbers in shapes. */
	bool keep;
	struct keys shapes;
	char *device;		/* the only device whose kernels are kept; NULL: unknown */
	bool devices;		/* whether kernels of other devices were dropped */
	char *module;		/* class of PyTorch's modules that are the layers; NULL: none */
	int modules;		/* number of these modules */
};

enum { MAX_KERNEL_TYPES = 200000 };

/*
 * Return the type of kernels named NAME, with the roles ALSO in addition to those of the name. Exits, naming AT, if the
 * types are too many.
 */
uint32_t sequence_type(struct sequence *, struct text name, unsigned also, struct place at);
uint32_t sequence_symbol(uint32_t type, struct text shapes);
/* Return the number of TEXT in the set. Add a copy if it is new. */
uint32_t keys_find(struct keys *, const char *text);
uint32_t keys_take(struct keys *, char *text);	/* like keys_find(), but takes ownership of TEXT */
void keys_free(struct keys *);
void sequence_add(struct sequence *, struct item);
/* Return the index of the step with this NUMBER. Create it if needed. */
int sequence_step(struct sequence *, long number);
/* Return the flags of an item on the stream with the hash NAME. */
unsigned sequence_stream(struct sequence *, uint64_t name);
/*
 * Sort items by step and start, and mark streams other than the layers'. Call before using the sequence. Prints a
 * warning if kernels overlap the next kernel on their stream, and cuts them.
 */
void sequence_sort(struct sequence *, struct place);
/*
 * Cut a kernel at NEXT, the start of the next kernel on its stream. Count cut kernels in *N, and keep the maximum
 * overlap in *MOST, ns. sequence_tell_cut() prints the warning.
 */
void sequence_cut(const int64_t *start, int64_t *end, int64_t next, size_t *n, int64_t *most);
void sequence_tell_cut(size_t n, int64_t most, struct place);
void sequence_free(struct sequence *);

#endif
