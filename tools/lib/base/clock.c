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
static double look;		/* s; 0: time is measured */
static _Thread_local long looks;

void
clock_count_processor(void)
{
	seconds_of = CLOCK_PROCESS_CPUTIME_ID;
}

void
clock_count_looks(double each)
{
	look = each;
}

long
clock_looks(void)
{
	return looks;
}

void
clock_set_looks(long n)
{
	looks = n;
}

static double
measured(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double
clock_now(void)
{
	return look > 0 ? (double)looks * look : measured(seconds_of);
}

bool
clock_left(double deadline)
{
	looks++;
	return !interrupted && clock_now() < deadline;
}

static void
interrupt(int sig)
{
	if (!interrupted) {
		interrupted = 1;
		first = measured(CLOCK_MONOTONIC);
	} else if (measured(CLOCK_MONOTONIC) - first > SAME_INTERRUPTION) {
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
