/* Compare: a simulated step beside a real one. */
#ifndef COMPARE_H
#define COMPARE_H

#include "measured.h"
#include "run.h"

/* Exit when the run had more stages than is simulated. */
void compare_check(const struct runs *, const struct measured *);
/* Every figure that was measured beside its prediction, and where errors come from; free with fields_free(). */
struct comparison compare_run(const struct run *, const struct sim *, const struct measured *);
/* A table, and a bar for each error. */
void compare_report(FILE *, const struct comparison *, const struct measured *);

#endif
