/* Clock: monotonic time, deadlines, and the signals that end a search early. */
#ifndef CLOCK_H
#define CLOCK_H

#include <signal.h>
#include <stdbool.h>

double clock_now(void);			/* s, monotonic */
/* From now on they are those of the processor, of all threads: measured beside other work, too. */
void clock_count_processor(void);
/* From now on they are looks of clock_left(), of EACH s, whatever is done between them: the same whenever it is run. */
void clock_count_looks(double each);
long clock_looks(void);			/* of this thread and those before it that it has waited for */
void clock_set_looks(long n);
bool clock_left(double deadline);	/* also not when interrupted */
extern volatile sig_atomic_t interrupted;	/* set by SIGINT, SIGTERM and SIGHUP after clock_catch_signals() */
/* Sets interrupted at the first signal; one that comes more than a second later ends the program. */
void clock_catch_signals(void);

#endif
