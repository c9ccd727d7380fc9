/* kernel_details.csv: the kernels of a device, as profilers for Ascend list them. */
#ifndef DETAILS_H
#define DETAILS_H

#include "sapp-trace/read/csv.h"
#include "sequence.h"

/* Read all rows; exits on what is no such table. Rows without a time are left out. */
void details_read(struct csv *, struct sequence *);

#endif
