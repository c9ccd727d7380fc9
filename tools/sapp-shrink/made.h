/* Made: runs whose directory has what they were made for. */
#ifndef MADE_H
#define MADE_H

#include "lib/record/record.h"

/* Has DIRECTORY a complete table of kernels or timeline of a rank of each stage; or, of a run that is static, a log? */
bool made_completely(const struct training_run *, const char *directory);
/* Pass on the runs of OPERANDS that lack it below TOP, and say how many there are of all. */
void made_list(char *const operands[], const char *top);

#endif
