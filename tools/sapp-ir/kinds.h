/* Kinds: add kinds of recomputation from a graph to layer records. */
#ifndef KINDS_IR_H
#define KINDS_IR_H

#include "chain.h"

/*
 * Copy records from stdin to stdout, adding up to MOST kinds of recomputation to BODY layers: of N patterns, or of all
 * operations if N is 0. Adds times to existing kinds with patterns.
 */
void kinds_write(struct dump *, const struct ir_pattern *, int n, int most);

#endif
