/* Clock: monotonic time, deadlines, and the signals that end a search early. */
#ifndef CLOCK_H
#define CLOCK_H

#include <signal.h>
#include <stdbool.h>

double clock_now(void);			/* s, monotonic */
/* Switch clock_now() to the processor time of all threads, so that other work on the machine does not count. */
void clock_count_processor(void);
/* Switch clock_now() to counted calls of clock_left(), EACH s per call: reproducible on any machine. */
void clock_count_looks(double each);
long clock_looks(void);			/* calls by this thread and by the threads it has joined */
void clock_set_looks(long n);
bool clock_left(double deadline);	/* false after DEADLINE or an interruption */
extern volatile sig_atomic_t interrupted;	/* set by SIGINT, SIGTERM and SIGHUP after clock_catch_signals() */
/* Set `interrupted` at the first signal. A signal more than a second after the first ends the program. */
void clock_catch_signals(void);

#endif
