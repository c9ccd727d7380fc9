/* Knots: measured times of collectives by size. */
#ifndef KNOTS_H
#define KNOTS_H

#include "sample.h"

/* Write a coefficient per operation, number of members and nodes, from records with bytes and members. */
void knots_write(FILE *, const struct fit_sample *);

#endif
