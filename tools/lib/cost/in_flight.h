/* The number of micro-batches for which a stage keeps its layers' activations at its peak. */
#ifndef IN_FLIGHT_H
#define IN_FLIGHT_H

#include "lib/record/configuration.h"

/* embedding and loss can each be a piece without layers, if the framework supports it */
enum { PIECES_ALONE = 2 };
/*
 * Return whether LAYERS is less than the number of pieces. The last piece is then empty. If the difference is at least
 * two, so is the first piece.
 */
bool pieces_alone(const struct configuration *, int layers);

/* Return the mean of this number over the layers of STAGE. LAYERS: number of layers of the network. */
double in_flight(const struct configuration *, int stage, int layers);

#endif
