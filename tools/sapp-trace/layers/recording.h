/*
 * Recording: kernels of devices and activity of the host, as PyTorch's profiler (Kineto) writes them, or torch_npu in
 * the same form.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include "instance.h"
#include "name.h"
#include "sequence.h"
#include "step.h"

struct host_kernel {		/* a kernel on a device */
	int64_t start, end;	/* ns */
	uint64_t launch;	/* identifier that joins it to its launch on the host; 0: none */
	uint32_t type;		/* index in types */
	uint32_t stream;
	uint32_t external;	/* identifier of the operator that launched it; 0: unknown */
	int process : 31;
	unsigned npu : 1;	/* counts only if its process is a device (Ascend Hardware) */
};

struct kernel_launch {			/* a launch call on the host, or the start of a flow event */
	uint64_t key;
	int64_t ts;
	uint32_t thread;
	uint32_t external;	/* identifier of the operator: see host_kernel */
};

struct host_input {		/* the input of an operator */
	uint32_t external;
	uint32_t key;		/* index in inputs: "SHAPES||TYPES" */
};

struct host_op {		/* an operation of autograd: it has a sequence number, or evaluates a node */
	int64_t start, end;
	int64_t sequence;	/* -1: none */
	int32_t forward_thread;	/* 0: a forward operation */
	uint32_t thread;
	/* The members below are set by autograd_init(). */
	int32_t instance;	/* of a backward operation: index of its layer; -1: none */
	int32_t parent : 31;	/* index of the enclosing operation; -1: none */
	unsigned checkpoint : 1;
};

struct host_collective {	/* a call of a collective on the host */
	int64_t start, end;
	uint32_t thread;
	uint32_t type;		/* index in types: the type of its kernels */
};

struct host_span {		/* a span of a layer */
	int64_t start, end;
	uint32_t thread;	/* thread or stream */
	int class;
	long number;
	int instance;		/* index of its layer, set when all spans are known */
	enum timing_phase phase;
	bool phase_given, number_given;
};

#define VECTOR(type) struct { size_t n; type *at; }

struct recording {
	const struct classes *classes;
	struct sequence types;	/* types of kernels, without items */
	VECTOR(struct host_kernel) kernels;
	VECTOR(struct kernel_launch) launches;
	VECTOR(struct kernel_launch) arrivals;	/* ends of flows on a device; ts: start of the kernel */
	/* ends of flows from forward operations to backward operations */
	VECTOR(struct kernel_launch) forwards, backwards;
	VECTOR(struct host_op) ops;
	VECTOR(struct host_collective) collectives;
	VECTOR(struct host_span) spans, device_spans;
	VECTOR(struct step_mark) optimizers;	/* steps of an optimizer */
	bool keep;		/* whether to keep the operators' inputs */
	VECTOR(struct host_input) inputs;
	struct keys input;
	bool npu;		/* whether torch_npu wrote the timeline */
	bool pytorch;		/* whether PyTorch's profiler or torch_npu wrote the timeline */
};

/*
 * Keep an event of a kernel, of the host's activity, or of a flow between them. Return false if it is not from
 * PyTorch's profiler.
 */
bool recording_event(struct recording *, const struct event *, int process, const struct scan *);
/*
 * Return the input of the operator EXTERNAL, its shapes and types in the form of inputs; "": unknown. Call
 * recording_sort() before.
 */
const char *recording_input(const struct recording *, uint32_t external);
void recording_sort(struct recording *);
/*
 * Free large members: recording_drop_launches() frees launches and collectives, recording_drop_host() everything except
 * kernels.
 */
void recording_drop_launches(struct recording *);
void recording_drop_host(struct recording *);
void recording_free(struct recording *);

#endif
