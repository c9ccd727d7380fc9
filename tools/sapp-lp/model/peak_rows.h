/* Peak rows: the moments at which a stage's memory can be the most of all. */
#ifndef PEAK_ROWS_H
#define PEAK_ROWS_H

#include "evaluator.h"

/* [stages], of a schedule; TRANSIENT and KEEPS as of evaluator_new(). Lists to be freed. */
struct rows *peak_rows(const struct schedule *, bool transient, bool keeps);
/* One more row, of another moment than the pipeline's, where nothing that depends on micro-batches is there. */
void rows_add_other(struct rows *, int chunks);

#endif
