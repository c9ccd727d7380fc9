/* kernel_details.csv: the kernels of a device from Ascend profilers. */
#ifndef DETAILS_H
#define DETAILS_H

#include "sapp-trace/read/csv.h"
#include "sequence.h"

/* Read all rows; exits on another kind of table. Skips rows without a time. */
void details_read(struct csv *, struct sequence *);

#endif
