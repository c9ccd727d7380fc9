/* Knots: what collectives take by their size, as measured. */
#ifndef KNOTS_H
#define KNOTS_H

#include "sample.h"

/* A coefficient for each operation, number of members and of nodes, of records that have bytes and members. */
void knots_write(FILE *, const struct sample *);

#endif
