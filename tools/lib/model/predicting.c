#include "predicting.h"

bool
predicting_at(enum predicting where, const struct shape *q, int piece, int position)
{
	int pieces = q->stages * q->chunks;

	if (where == PREDICTING_ANYWHERE || pieces == 1)
		return true;
	if (where == PREDICTING_LAST_PIECE)
		return position == pieces - 1;
	return piece / q->stages == q->chunks - 1 && piece % q->stages > 0;
}
