/* Sequence: the kernels of a device in the order in which they ran, by kind, where nothing names their layer. */
#ifndef SEQUENCE_H
#define SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/index.h"
#include "role.h"
#include "sapp-trace/read/event.h"

struct kernel_type {
	char *name;
	size_t length;
	uint32_t family;	/* of a collective whose name has its bytes: the type without them; else itself */
	unsigned roles;
	double time;		/* ns of all of them */
	uint32_t count;
};

enum {
	ITEM_BACKWARD = 1, ITEM_FORWARD = 2,	/* told by the thread that launched it */
	ITEM_ASIDE = 4,		/* of a stream beside the one that computes the layers */
	ITEM_STREAM = 8		/* and from there on the number of its stream */
};

struct item {
	int64_t start, end;	/* ns */
	uint32_t type;
	uint32_t symbol;	/* of type and shapes: what is the same in every layer */
	int step;		/* from 0 */
	unsigned flags;
};

struct keys {			/* texts, each once */
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
	long *number;		/* [steps]: as the profiler numbers them */
	double *length;		/* [steps]: ms, 0 where the profiler does not say; NULL: nowhere */
	uint32_t nstreams;
	uint64_t *stream;	/* hashes of their names */
	/* "TYPE|INPUT|OUTPUT|TYPES|CORE" of kernels, where that is asked for: symbols are numbers of these then. */
	bool keep;
	struct keys shapes;
	char *device;		/* the only one that is kept; NULL: not told apart */
	bool devices;		/* there were others */
	char *module;		/* class of modules of PyTorch that are its layers; NULL: none says */
	int modules;		/* how many of them there are */
};

enum { MAX_KERNEL_TYPES = 200000 };

/* The type of a kernel's NAME, with the roles ALSO; exits naming AT when there are too many. */
uint32_t sequence_type(struct sequence *, struct text name, unsigned also, struct place at);
uint32_t sequence_symbol(uint32_t type, struct text shapes);
/* The number of TEXT, made when it is new. */
uint32_t keys_find(struct keys *, const char *text);
uint32_t keys_take(struct keys *, char *text);	/* the same; frees it */
void keys_free(struct keys *);
void sequence_add(struct sequence *, struct item);
/* The step of a NUMBER, made when it is new. */
int sequence_step(struct sequence *, long number);
/* The flags of an item of the stream with that NAME. */
unsigned sequence_stream(struct sequence *, uint64_t name);
/*
 * By step and start, and with what runs aside told apart: before the sequence is looked at. Kernels that run past the
 * next one's start on their stream end there, with a warning that counts them.
 */
void sequence_sort(struct sequence *, struct place);
/* Cut a kernel at the start of the NEXT on its stream: *N counts those that ran longer, by *MOST ns at most. */
void sequence_cut(const int64_t *start, int64_t *end, int64_t next, size_t *n, int64_t *most);
void sequence_tell_cut(size_t n, int64_t most, struct place);
void sequence_free(struct sequence *);

#endif
