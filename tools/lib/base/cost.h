/* What a run took of the machine. */
#ifndef COST_H
#define COST_H

/* Processor time and the most memory so far, on stderr. */
void cost_say(void);

#endif
