/*
 * Recording: what PyTorch's profiler (Kineto, and torch_npu in its form) recorded: kernels of devices, and what the
 * host did when it launched them.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include "name.h"
#include "sapp-trace/layer/instance.h"
#include "sapp-trace/sequence/sequence.h"
#include "sapp-trace/time/step.h"

struct host_kernel {		/* on a device */
	int64_t start, end;	/* ns */
	uint64_t launch;	/* by which it is joined to the host; 0: nothing */
	uint32_t type;		/* in types */
	uint32_t stream;
	uint32_t external;	/* of the operator that launched it; 0: not said */
	int process : 31;
	unsigned npu : 1;	/* only if its process is Ascend Hardware */
};

struct launch {			/* on the host, or where a flow begins */
	uint64_t key;
	int64_t ts;
	uint32_t thread;
	uint32_t external;	/* as a kernel's */
};

struct host_input {		/* of an operator */
	uint32_t external;
	uint32_t key;		/* in inputs: "SHAPES||TYPES" */
};

struct host_op {		/* of autograd: with a sequence number, or an evaluation of a node */
	int64_t start, end;
	int64_t sequence;	/* -1: none */
	int32_t forward_thread;	/* 0: it is a forward operation itself */
	uint32_t thread;
	/* From here on set by autograd_init(). */
	int32_t instance;	/* of a backward operation: the layer; -1: of none */
	int32_t parent : 31;	/* the operation around it; -1: none */
	unsigned checkpoint : 1;
};

struct host_collective {	/* the host's call of one */
	int64_t start, end;
	uint32_t thread;
	uint32_t type;		/* in types: as its kernels are called there */
};

struct host_span {		/* of a layer */
	int64_t start, end;
	uint32_t thread;	/* or stream */
	int class;
	long number;
	int instance;		/* set when all are known */
	enum timing_phase phase;
	bool phase_given, number_given;
};

#define VECTOR(type) struct { size_t n; type *at; }

struct recording {
	const struct classes *classes;
	struct sequence types;	/* of kernels; no items */
	VECTOR(struct host_kernel) kernels;
	VECTOR(struct launch) launches;
	VECTOR(struct launch) arrivals;	/* where flows end on a device: ts is the kernel's start */
	VECTOR(struct launch) forwards, backwards;	/* ends of flows from forward to backward */
	VECTOR(struct host_op) ops;
	VECTOR(struct host_collective) collectives;
	VECTOR(struct host_span) spans, device_spans;
	VECTOR(struct step_mark) optimizers;	/* steps of an optimizer */
	bool keep;		/* what operators work on */
	VECTOR(struct host_input) inputs;
	struct keys input;
	bool npu;		/* written by torch_npu */
	bool pytorch;		/* written by either */
};

/* Take what is one of these; false: nothing of PyTorch's. */
bool recording_event(struct recording *, const struct event *, int process, const struct scan *);
/* What the operator EXTERNAL works on, "SHAPES||TYPES"; "": not said. After recording_sort(). */
const char *recording_input(const struct recording *, uint32_t external);
void recording_sort(struct recording *);
/* Parts that are large and not needed any more: launches and collectives; all but kernels. */
void recording_drop_launches(struct recording *);
void recording_drop_host(struct recording *);
void recording_free(struct recording *);

#endif
