/* Reports for people: settings to paste, the bubble and the memory, in the words their users grep for. */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "lib/record/plan.h"
#include "lib/record/result.h"

void report_settings(FILE *, const struct plan *);
/* The bubble of a simulated step, its memory, and where its time goes. */
void report_sim(FILE *, const struct sim *);
/* How each stage spends the step: a line a stage. */
void report_stages(FILE *, const struct sim *);
/* Several simulated steps, shortest first; those without a name could not be. */
void report_ranking(FILE *, const struct sim *, int n);

#endif
