/* kernel_details.csv: the kernels of a device, as Ascend's profilers write them. */
#ifndef DETAILS_H
#define DETAILS_H

#include "sapp-trace/read/csv.h"
#include "sequence.h"

/* Read all rows into the sequence. Exits if the table is not of this kind. Skips rows without a time. */
void details_read(struct csv *, struct sequence *);

#endif
