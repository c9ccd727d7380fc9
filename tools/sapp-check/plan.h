/* Plan: check that an answer places every layer, fits into memory, and has its step. */
#ifndef PLAN_CHECK_H
#define PLAN_CHECK_H

#include "question.h"

/* Return a description of the first error (caller frees), or NULL. A plan with status infeasible need not fit. */
char *plan_wrong(const struct check_question *);

#endif
