/* Made: runs whose directory has complete results. */
#ifndef MADE_H
#define MADE_H

#include "lib/record/record.h"

/* Write the runs of OPERANDS that have no complete results below TOP, and print their number. */
void made_list(char *const operands[], const char *top);

#endif
