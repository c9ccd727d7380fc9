/* Names of spans: what PyTorch's profiler and the user's own annotations call a layer. */
#ifndef NAME_H
#define NAME_H

#include "lib/record/measurement.h"
#include "sapp-trace/layer/class.h"

struct span_name {
	int class;
	long number;		/* of the layer; -1: the name has none */
	enum timing_phase phase;
	bool phase_given;	/* the name says it, as in attn(B) */
};

/*
 * Is NAME of a class? "nn.Module: TransformerBlock_3", "model.layers.3", "3-TransformerBlock", "attn(B)",
 * "layer 3 backward"; a class may also end within a name, where a number follows.
 */
bool span_name(const struct classes *, struct text name, struct span_name *);
/* The class of "nn.Module: Class_3", empty if it is no module. */
struct text module_class(struct text name);

#endif
