/* Descent: a plan made shorter, or plainer, by moves of one layer, or of one piece's recomputation. */
#ifndef DESCENT_H
#define DESCENT_H

#include "sapp-lp/model/problem.h"

/*
 * Make PLAN, which fits, shorter by moves of a layer from a long piece to a short one, with the least recomputation
 * that fits: a little whatever the time, then until DEADLINE (s of clock.h).
 */
void descent_shorter(const struct problem *, double deadline, struct candidate *plan);
/*
 * From PLAN and from even layers, until DEADLINE: PLAN becomes the plainest one found whose step is at most LONGEST ms.
 * It stays unless another has fewer different pieces, or as many and a highest peak (as part of the limit) that is
 * lower by 1 %. Returns whether it has changed.
 */
bool descent_plainer(const struct problem *, double longest, double deadline, struct candidate *plan);

#endif
