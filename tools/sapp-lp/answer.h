/* Answer: the planner's answer to one question as a plan record, or as a report for people. */
#ifndef ANSWER_H
#define ANSWER_H

#include <stdio.h>

#include "lib/record/plan.h"
#include "planner.h"

/* The plan record of an answer; free with fields_free(&plan_fields). */
struct plan answer_plan(const struct problem *, const struct answer *, const char *name);

/* The plan for people: settings to paste, how good it is, bubble and memory. */
void answer_report(FILE *, const struct problem *, const struct plan *, const struct pipeline *asked);

#endif
