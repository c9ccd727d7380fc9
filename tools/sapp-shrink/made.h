/* Made: runs with complete results in their directory. */
#ifndef MADE_H
#define MADE_H

#include "lib/record/record.h"

/* Write the runs of OPERANDS without complete results below TOP, and report their number. */
void made_list(char *const operands[], const char *top);

#endif
