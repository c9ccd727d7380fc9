/* How many micro-batches a stage's layers are kept for at its peak. */
#ifndef IN_FLIGHT_H
#define IN_FLIGHT_H

#include "lib/record/configuration.h"

/* Embedding and loss may be pieces of their own where a framework runs that: one each. */
enum { PIECES_ALONE = 2 };
/* Has it more pieces than LAYERS, so that the last and perhaps the first piece are without any? */
bool pieces_alone(const struct configuration *, int layers);

/* The mean over the stage's layers, of LAYERS in all. */
double in_flight(const struct configuration *, int stage, int layers);

#endif
