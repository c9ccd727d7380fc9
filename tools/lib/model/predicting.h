/* Predicting: the pieces that may hold multi-token prediction layers. */
#ifndef PREDICTING_H
#define PREDICTING_H

#include "lib/schedule/schedule.h"

/* Allowed pieces for multi-token prediction layers, all in one piece unless anywhere. */
enum predicting {
	PREDICTING_ANYWHERE,
	PREDICTING_LAST_CHUNK,	/* the last piece of a stage other than the first, or the only piece */
	PREDICTING_LAST_PIECE,
};
/*
 * Return whether PIECE, chunk * stages + stage, may hold layers that predict further tokens. POSITION: its number in
 * model order.
 */
bool predicting_at(enum predicting, const struct shape *, int piece, int position);

#endif
