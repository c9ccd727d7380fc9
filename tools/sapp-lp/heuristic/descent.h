/* Descent: make a plan shorter, or plainer, by moves of one layer or of one piece's recomputation. */
#ifndef DESCENT_H
#define DESCENT_H

#include "sapp-lp/model/problem.h"

/*
 * Make PLAN, which fits, shorter by moves of a layer from a long piece to a short one, with the least recomputation
 * that fits. Makes a few moves even after DEADLINE (s of clock_now()).
 */
void descent_shorter(const struct problem *, double deadline, struct candidate *plan);
/*
 * Replace PLAN by the plainest plan found by DEADLINE whose step is at most LONGEST ms. The search starts from PLAN and
 * from even layers. A plan is plainer if it has fewer different pieces, or equally many and a highest peak, relative to
 * its limit, that is lower by 1 %. Return whether PLAN was replaced.
 */
bool descent_plainer(const struct problem *, double longest, double deadline, struct candidate *plan);

#endif
