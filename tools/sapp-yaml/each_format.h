/* Each format: write all plans of the input in the formats of several frameworks, as records. */
#ifndef EACH_FORMAT_H
#define EACH_FORMAT_H

#include "lib/record/record.h"

/*
 * Write a settings record for each plan of ALL and each format in NAMES (NULL-terminated). ONLY: a single format,
 * unless negative. PLAN: a single plan, unless NULL. PRINT prints a plan to standard output, or exits with a message.
 * If a plan exceeds its memory limit in its simulation, or PRINT exits, the record has the reason instead.
 */
void each_format(struct records *all, const char *const names[], int only, const char *plan,
    void (*print)(struct records *, struct record *plan, int format));

#endif
