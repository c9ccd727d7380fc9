/* Monotonic time, deadlines, and the signals that end a search early. */
#ifndef CLOCK_H
#define CLOCK_H

#include <signal.h>
#include <stdbool.h>

double clock_now(void);			/* s of a clock that never goes back */
/* Let clock_now() return the processor time of all threads, so that other work on the machine does not count. */
void clock_count_processor(void);
/* Let clock_now() return EACH s times the number of calls of clock_left(). This number is the same on every machine. */
void clock_count_looks(double each);
long clock_looks(void);			/* number of calls by this thread, and by the threads that it has joined */
void clock_set_looks(long n);
bool clock_left(double deadline);	/* false after DEADLINE, or after an interruption */
extern volatile sig_atomic_t interrupted;	/* set by SIGINT, SIGTERM and SIGHUP after clock_catch_signals() */
/* From now on the first signal sets `interrupted`. A signal more than a second later ends the program. */
void clock_catch_signals(void);

#endif
