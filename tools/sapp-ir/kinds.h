/* Kinds: add kinds of recomputation to layer records, from a graph. */
#ifndef KINDS_IR_H
#define KINDS_IR_H

#include "chain.h"

/*
 * Copy records from standard input to standard output. Up to MOST kinds of recomputation are added to BODY layers, made
 * of N patterns, or of all operations if N is 0. Existing kinds with patterns get times.
 */
void kinds_write(struct dump *, const struct ir_pattern *, int n, int most);

#endif
