/* Names of spans: names of layers as PyTorch's profiler and user annotations write them. */
#ifndef NAME_H
#define NAME_H

#include "lib/record/measurement.h"
#include "class.h"

struct span_name {
	int class;
	long number;		/* number of the layer; -1: none */
	enum timing_phase phase;
	bool phase_given;	/* whether the name has the phase, as in attn(B) */
};

/*
 * Parse the name of a layer: "nn.Module: TransformerBlock_3", "model.layers.3", "3-TransformerBlock", "attn(B)", "layer
 * 3 backward". If a number follows, the class may end within a name. Return false if the text is not such a name.
 */
bool span_name(const struct classes *, struct text name, struct span_name *);
/* Return the class in "nn.Module: Class_3"; an empty text if the name is not of this form. */
struct text module_class(struct text name);

#endif
