/* Cost: the processor time and memory that this run took. */
#ifndef COST_H
#define COST_H

/* Processor time and the most memory so far, on stderr. */
void cost_say(void);

#endif
