/* Number of micro-batches for which a stage keeps its layers at its peak. */
#ifndef IN_FLIGHT_H
#define IN_FLIGHT_H

#include "lib/record/configuration.h"

/* Embedding and loss may be separate pieces if the framework supports it. */
enum { PIECES_ALONE = 2 };
/* Return whether there are more pieces than LAYERS, so that the last and perhaps the first piece are empty. */
bool pieces_alone(const struct configuration *, int layers);

/* Return the mean of this number over the stage's layers; LAYERS: number of layers of the network. */
double in_flight(const struct configuration *, int stage, int layers);

#endif
