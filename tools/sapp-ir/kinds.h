/* Kinds: what a graph says of recomputation, in the records of layers. */
#ifndef KINDS_IR_H
#define KINDS_IR_H

#include "chain.h"

/*
 * Records of standard input to standard output, in which BODY layers have MOST more kinds of recomputation at most: of
 * N patterns, or of all operations. Kinds with patterns that are there already get the time that they take.
 */
void kinds_write(struct dump *, const struct pattern *, int n, int most);

#endif
