/* Report of the processor time and the memory that this run has used. */
#ifndef COST_H
#define COST_H

/* Print processor time and peak memory to stderr. */
void cost_say(void);

#endif
