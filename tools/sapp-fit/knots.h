/* Knots: measured times of collectives, by size. */
#ifndef KNOTS_H
#define KNOTS_H

#include "sample.h"

/*
 * Write a coefficient for each operation, number of members and number of nodes. Uses records that have bytes and
 * members.
 */
void knots_write(FILE *, const struct fit_sample *);

#endif
