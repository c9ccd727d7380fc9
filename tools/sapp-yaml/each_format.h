/* Each format: all plans of the input in the words of several frameworks, as records. */
#ifndef EACH_FORMAT_H
#define EACH_FORMAT_H

#include "lib/record/record.h"

/*
 * Write a settings record for each plan of ALL and each of the NAMES of formats, ended by NULL. ONLY: one format, if it
 * is not negative. PLAN: one plan, if it is not NULL. PRINT prints a plan to stdout, or exits with a message. A plan
 * whose simulation in ALL is above its memory limit, and one that PRINT refuses, gets the reason instead.
 */
void each_format(struct records *all, const char *const names[], int only, const char *plan,
    void (*print)(struct records *, struct record *plan, int format));

#endif
