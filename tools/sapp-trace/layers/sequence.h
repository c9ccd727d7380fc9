/* Sequence: kernels of a device in order, by type, without layer names. */
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
	uint32_t family;	/* collectives with bytes in the name: the type without bytes; else itself */
	unsigned roles;
	double time;		/* ns, sum */
	uint32_t count;
};

enum {
	ITEM_BACKWARD = 1, ITEM_FORWARD = 2,	/* from the launching thread */
	ITEM_ASIDE = 4,		/* on a stream other than that of the layers */
	ITEM_STREAM = 8		/* and above: number of its stream */
};

struct item {
	int64_t start, end;	/* ns */
	uint32_t type;
	uint32_t symbol;	/* of type and shapes: equal in every layer */
	int step;		/* from 0 */
	unsigned flags;
};

struct keys {			/* distinct texts */
	uint32_t n;
	char **at;
	struct index index;
};

struct sequence {
	size_t n;
	struct item *at;
	uint32_t ntypes;
	struct kernel_type *type;
	struct index names;	/* of types */
	int steps;
	long *number;		/* [steps]: the profiler's numbers */
	double *length;		/* [steps]: ms, 0: unknown; NULL: none known */
	uint32_t nstreams;
	uint64_t *stream;	/* hashes of their names */
	/* Keep "TYPE|INPUT|OUTPUT|TYPES|CORE" of kernels: symbols are then numbers of these. */
	bool keep;
	struct keys shapes;
	char *device;		/* the only one kept; NULL: unknown */
	bool devices;		/* kernels of other devices were dropped */
	char *module;		/* class of PyTorch modules that are its layers; NULL: none */
	int modules;		/* number of these modules */
};

enum { MAX_KERNEL_TYPES = 200000 };

/* Return the type of a kernel's NAME with additional roles ALSO; exits, naming AT, if there are too many. */
uint32_t sequence_type(struct sequence *, struct text name, unsigned also, struct place at);
uint32_t sequence_symbol(uint32_t type, struct text shapes);
/* Return the number of TEXT, adding it if needed. */
uint32_t keys_find(struct keys *, const char *text);
uint32_t keys_take(struct keys *, char *text);	/* same; frees the text */
void keys_free(struct keys *);
void sequence_add(struct sequence *, struct item);
/* Return the step with a NUMBER, creating it if needed. */
int sequence_step(struct sequence *, long number);
/* Return the flags of an item on the stream NAME. */
unsigned sequence_stream(struct sequence *, uint64_t name);
/*
 * Sort by step and start, and mark side streams; call before using the sequence. Kernels that overlap the next one on
 * their stream are cut, with a warning.
 */
void sequence_sort(struct sequence *, struct place);
/* Cut a kernel at the start of the NEXT on its stream; count cut ones in *N, with their maximum excess *MOST, ns. */
void sequence_cut(const int64_t *start, int64_t *end, int64_t next, size_t *n, int64_t *most);
void sequence_tell_cut(size_t n, int64_t most, struct place);
void sequence_free(struct sequence *);

#endif
