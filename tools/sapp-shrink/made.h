/* Made: runs whose directory has what they were made for. */
#ifndef MADE_H
#define MADE_H

#include "lib/record/record.h"

/* Pass on the runs of OPERANDS that lack it below TOP, and say how many there are of all. */
void made_list(char *const operands[], const char *top);

#endif
