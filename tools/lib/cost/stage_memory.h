/* Memory of a stage, bytes, from parameters and costs of its layers. The equations are in sapp-est(1). */
#ifndef STAGE_MEMORY_H
#define STAGE_MEMORY_H

#include "layer_cost.h"
#include "stage_split.h"

enum memory_part { MEMORY_STATIC, MEMORY_ACTIVATION, MEMORY_LOGITS, MEMORY_RESERVE, MEMORY_PARTS };

/* Return the parameters of a stage, with those that its layers share and its ends. */
struct parameters stage_parameters(const struct architecture *, const struct device_parameters *,
    const struct stage_class *);

/* Return the bytes of weights, gradients and optimizer state for these parameters of a device. */
double stage_memory_state(const struct architecture *, const struct configuration *, struct parameters);
/*
 * Return the bytes that a layer needs in its backward under any recomputation. Maximum over the classes with COUNT
 * above 0.
 */
double stage_memory_work(const struct costs *, const struct architecture *, const int count[CLASSES_MOST],
    int recompute);
/* Return the bytes that a stage with LAYERS of each class holds permanently: stand-ins of gradients and workspace. */
double stage_memory_held(const struct costs *, const struct architecture *, const struct configuration *,
    const int layers[CLASSES_MOST]);
/* Return the bytes of gathered parameters and their gradients. */
double stage_memory_gathered(const struct architecture *, const struct configuration *,
    const struct device_parameters *);

struct stage_memory {
	const struct architecture *net;
	const struct configuration *c;
	const struct costs *costs;
	const struct device_parameters *parameters;
	double reserve;		/* bytes */
};
/* Return the peak of STAGE, which has the layers of the class, and its PARTS. RECOMPUTE: enum recomputation */
double stage_memory_peak(const struct stage_memory *, const struct stage_class *, int stage, int recompute,
    double part[MEMORY_PARTS]);

#endif
