/* Plan: the answer of a question, checked by itself: every layer placed, within memory, and the step that it says. */
#ifndef PLAN_CHECK_H
#define PLAN_CHECK_H

#include "question.h"

/* What is wrong with the plan, to be freed; NULL: nothing. One that is called infeasible need not fit. */
char *plan_wrong(const struct question *);

#endif
