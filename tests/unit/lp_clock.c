/* Interruptions: a signal may arrive twice, for the process and for its group; a later signal ends the program. */
#include "lib/base/clock.h"
#include "tap.h"

static void
pause_for(double seconds)
{
	double end = clock_now() + seconds;

	while (clock_now() < end)
		usleep(10000);
}

/* Send FIRST to itself and SECOND after SECONDS; exit with the noted signal. */
static int
signalled(int first, double seconds, int second)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		clock_catch_signals();
		raise(first);
		if (second != 0) {
			pause_for(seconds);
			raise(second);
		}
		_exit(interrupted ? 10 : 0);
	}
	waitpid(pid, &status, 0);
	return status;
}

/* Return the exit status of a child that starts with HANDLER for SIGHUP and gets that signal; 10: noted. */
static int
hung_up(sighandler_t handler)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		signal(SIGHUP, handler);
		clock_catch_signals();
		raise(SIGHUP);
		_exit(interrupted ? 10 : 0);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int
main(void)
{
	static const int signals[] = { SIGINT, SIGTERM };

	for (int i = 0; i < 2; i++) {
		int one = signals[i], other = signals[1 - i], status = signalled(one, 0, 0);

		ok(WIFEXITED(status) && WEXITSTATUS(status) == 10, "a signal is noted");
		status = signalled(one, 0, one);
		ok(WIFEXITED(status) && WEXITSTATUS(status) == 10, "twice at once is once");
		status = signalled(one, 0, other);
		ok(WIFEXITED(status) && WEXITSTATUS(status) == 10, "as is the other at once");
		status = signalled(one, 1.2, one);
		ok(WIFSIGNALED(status) && WTERMSIG(status) == one, "a second one later ends the program");
		status = signalled(one, 1.2, other);
		ok(WIFSIGNALED(status) && WTERMSIG(status) == other, "as does the other");
	}
	same(10, hung_up(SIG_DFL), "a terminal that is closed is noted");
	same(0, hung_up(SIG_IGN), "but not if nohup(1) ignores it");
	return tap_done();
}
