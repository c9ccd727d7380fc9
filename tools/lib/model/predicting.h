/* The pieces that may hold multi-token prediction layers. */
#ifndef PREDICTING_H
#define PREDICTING_H

#include "lib/schedule/schedule.h"

/*
 * Pieces in which a framework allows multi-token prediction layers. They are all in one piece, unless the value is
 * ANYWHERE.
 */
enum predicting {
	PREDICTING_ANYWHERE,
	PREDICTING_LAST_CHUNK,	/* last chunk of any stage but the first, or the only piece of the pipeline */
	PREDICTING_LAST_PIECE,
};
/*
 * Return whether PIECE (chunk x stages + stage) may hold multi-token prediction layers. POSITION: its number in model
 * order.
 */
bool predicting_at(enum predicting, const struct shape *, int piece, int position);

#endif
