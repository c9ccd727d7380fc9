/* Reports for people: settings to paste, bubble and memory, with the words that users grep for. */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "lib/record/plan.h"
#include "lib/record/result.h"

void report_settings(FILE *, const struct plan *);
/* Print the bubble of a simulated step, its memory, and the use of its time. */
void report_sim(FILE *, const struct sim *);
/* Print a line per stage with its use of the step. */
void report_stages(FILE *, const struct sim *);
/* Rank simulated steps, shortest first; entries without a name failed. */
void report_ranking(FILE *, const struct sim *, int n);

#endif
