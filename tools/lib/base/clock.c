#include "clock.h"

#include <stddef.h>
#include <time.h>

#include "cleanup.h"

/*
 * s. A signal so soon after the first one belongs to it: timeout(1), terminals and batch systems send one to the
 * process and one to its group.
 */
enum { SAME_INTERRUPTION = 1 };

volatile sig_atomic_t interrupted;
static double first;		/* time of the first signal, s; only the handler reads it */

static clockid_t seconds_of = CLOCK_MONOTONIC;
static double look;		/* s by which each look at the clock advances it; 0: real time */
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

	/* Block both signals while either is handled, since the handlers share their state. */
	sigemptyset(&sa.sa_mask);
	sigaddset(&sa.sa_mask, SIGINT);
	sigaddset(&sa.sa_mask, SIGTERM);
	sigaddset(&sa.sa_mask, SIGHUP);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	/* Keep SIGHUP ignored under nohup(1). */
	if (sigaction(SIGHUP, NULL, &hup) == 0 && hup.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &sa, NULL);
}
