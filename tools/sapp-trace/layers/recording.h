/* Recording: kernels of devices and host activity, from PyTorch's profiler (Kineto, or torch_npu in its form). */
#ifndef RECORDING_H
#define RECORDING_H

#include "instance.h"
#include "name.h"
#include "sequence.h"
#include "step.h"

struct host_kernel {		/* on a device */
	int64_t start, end;	/* ns */
	uint64_t launch;	/* joins it to the host; 0: none */
	uint32_t type;		/* in types */
	uint32_t stream;
	uint32_t external;	/* of the launching operator; 0: unknown */
	int process : 31;
	unsigned npu : 1;	/* only if its process is Ascend Hardware */
};

struct kernel_launch {			/* a launch call on the host, or the start of a flow event */
	uint64_t key;
	int64_t ts;
	uint32_t thread;
	uint32_t external;	/* as in host_kernel */
};

struct host_input {		/* of an operator */
	uint32_t external;
	uint32_t key;		/* in inputs: "SHAPES||TYPES" */
};

struct host_op {		/* of autograd: with a sequence number, or evaluating a node */
	int64_t start, end;
	int64_t sequence;	/* -1: none */
	int32_t forward_thread;	/* 0: a forward operation */
	uint32_t thread;
	/* Set by autograd_init(): */
	int32_t instance;	/* of a backward operation: the layer; -1: none */
	int32_t parent : 31;	/* enclosing operation; -1: none */
	unsigned checkpoint : 1;
};

struct host_collective {	/* the host's call of a collective */
	int64_t start, end;
	uint32_t thread;
	uint32_t type;		/* in types: the name of its kernels */
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
	struct sequence types;	/* of kernels; without items */
	VECTOR(struct host_kernel) kernels;
	VECTOR(struct kernel_launch) launches;
	VECTOR(struct kernel_launch) arrivals;	/* ends of flows on a device; ts: start of the kernel */
	VECTOR(struct kernel_launch) forwards, backwards;	/* ends of flows from forward to backward */
	VECTOR(struct host_op) ops;
	VECTOR(struct host_collective) collectives;
	VECTOR(struct host_span) spans, device_spans;
	VECTOR(struct step_mark) optimizers;	/* steps of an optimizer */
	bool keep;		/* keep the operators' inputs */
	VECTOR(struct host_input) inputs;
	struct keys input;
	bool npu;		/* written by torch_npu */
	bool pytorch;		/* written by either */
};

/* Take an event of these types. Return false if it is not from PyTorch. */
bool recording_event(struct recording *, const struct event *, int process, const struct scan *);
/*
 * Return the input of the operator EXTERNAL, its shapes and types as in a key of inputs; "": unknown. Call after
 * recording_sort().
 */
const char *recording_input(const struct recording *, uint32_t external);
void recording_sort(struct recording *);
/* Free large parts: launches and collectives; everything except kernels. */
void recording_drop_launches(struct recording *);
void recording_drop_host(struct recording *);
void recording_free(struct recording *);

#endif
