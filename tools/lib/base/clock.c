/* Seconds, and when to stop. */
#include "clock.h"

#include <stddef.h>
#include <time.h>

#include "cleanup.h"

/*
 * s after the first signal in which more of them say nothing new: timeout(1), a terminal and a batch
 * system each send one to the process and one to its group.
 */
enum { SAME_INTERRUPTION = 1 };

volatile sig_atomic_t interrupted;
static double first;		/* s: when; read only in the handler */

static clockid_t seconds_of = CLOCK_MONOTONIC;

void
clock_count_processor(void)
{
	seconds_of = CLOCK_PROCESS_CPUTIME_ID;
}

double
clock_now(void)
{
	struct timespec t;

	clock_gettime(seconds_of, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool
clock_left(double deadline)
{
	return !interrupted && clock_now() < deadline;
}

static void
interrupt(int sig)
{
	if (!interrupted) {
		interrupted = 1;
		first = clock_now();
	} else if (clock_now() - first > SAME_INTERRUPTION) {
		cleanup_end(sig);
	}
}

void
clock_catch_signals(void)
{
	struct sigaction sa = { .sa_handler = interrupt }, hup;

	/* Neither interrupts the other's handler: they share what it notes. */
	sigemptyset(&sa.sa_mask);
	sigaddset(&sa.sa_mask, SIGINT);
	sigaddset(&sa.sa_mask, SIGTERM);
	sigaddset(&sa.sa_mask, SIGHUP);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	/* Who started us with nohup(1) wants it ignored. */
	if (sigaction(SIGHUP, NULL, &hup) == 0 && hup.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &sa, NULL);
}
