/* Comparison of a simulated step with a real step. */
#ifndef COMPARE_H
#define COMPARE_H

#include "measured.h"
#include "run.h"

/* Exit if the run had more stages than the simulation. */
void compare_check(const struct sim_runs *, const struct sim_measured *);
/* Return each measured figure with its prediction, and the causes of errors. Free with fields_free(). */
struct comparison compare_run(const struct sim_run *, const struct sim *, const struct sim_measured *);
/* Print a table, and a bar for each error. */
void compare_report(FILE *, const struct comparison *, const struct sim_measured *);

#endif
