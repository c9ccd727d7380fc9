/* Names of spans: how PyTorch's profiler and user annotations name a layer. */
#ifndef NAME_H
#define NAME_H

#include "lib/record/measurement.h"
#include "class.h"

struct span_name {
	int class;
	long number;		/* of the layer; -1: none */
	enum timing_phase phase;
	bool phase_given;	/* given in the name, as in attn(B) */
};

/*
 * Parse the name of a layer: "nn.Module: TransformerBlock_3", "model.layers.3", "3-TransformerBlock", "attn(B)", "layer
 * 3 backward"; a class may end within a name if a number follows. Return false if none exists.
 */
bool span_name(const struct classes *, struct text name, struct span_name *);
/* Return the class in "nn.Module: Class_3", or an empty text. */
struct text module_class(struct text name);

#endif
