/* Report the processor time and memory of this run. */
#ifndef COST_H
#define COST_H

/* Print processor time and peak memory to stderr. */
void cost_say(void);

#endif
