/* Reports for people: settings to paste, bubble and memory. Their words are stable, since users grep for them. */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "lib/record/plan.h"
#include "lib/record/result.h"

void report_settings(FILE *, const struct plan *);
/* Print the bubble of a simulated step, its memory, and the parts of its time. */
void report_sim(FILE *, const struct sim *);
/* Print a line for each stage, with the times of its work and idle time in the step. */
void report_stages(FILE *, const struct sim *);
/* Print N simulated steps, shortest first. Entries without a name are plans that failed. */
void report_ranking(FILE *, const struct sim *, int n);

#endif
