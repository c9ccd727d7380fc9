/* Plan: check an answer by itself: every layer placed, within memory, and its step. */
#ifndef PLAN_CHECK_H
#define PLAN_CHECK_H

#include "question.h"

/* Return what is wrong with the plan (caller frees), or NULL. An infeasible one need not fit. */
char *plan_wrong(const struct check_question *);

#endif
