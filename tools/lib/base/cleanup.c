#include "cleanup.h"

#include <assert.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 6 };
static void (*registered[MOST])(void);
static volatile sig_atomic_t n;

void
cleanup_all(void)
{
	for (int i = 0; i < n; i++)
		registered[i]();
}

void
cleanup_end(int sig)
{
	sigset_t this;

	cleanup_all();
	signal(sig, SIG_DFL);
	sigemptyset(&this);
	sigaddset(&this, sig);
	raise(sig);
	sigprocmask(SIG_UNBLOCK, &this, NULL);
	_exit(128 + sig);	/* not reached: the signal ends the program */
}

void
cleanup_register(void (*action)(void))
{
	static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM };

	assert(n < MOST);
	registered[n] = action;
	if (n++ > 0)
		return;
	atexit(cleanup_all);
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		struct sigaction sa;

		if (sigaction(signals[i], NULL, &sa) == 0 && sa.sa_handler == SIG_DFL)
			signal(signals[i], (void (*)(int))cleanup_end);
	}
	signal(SIGXFSZ, SIG_IGN);
}
