/* A child program ends with its parent. */
#include <signal.h>

#include "lib/base/child.h"
#include "tap.h"

/* Return the wait status of a child that should die with PARENT, and otherwise ends with 3. */
static int
status_of(pid_t parent)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		child_dies_with(parent);
		_exit(3);
	}
	waitpid(pid, &status, 0);
	return status;
}

int
main(void)
{
	int status = status_of(getpid());
	int end[2];
	char byte;
	pid_t pid;

	ok(WIFEXITED(status) && WEXITSTATUS(status) == 3, "while its parent is there it goes on");
	status = status_of(1);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 127, "its parent ended before: it does not begin");
	if (pipe(end) != 0)
		abort();
	pid = fork();
	if (pid == 0) {
		pid_t self = getpid();

		if (fork() == 0) {
			child_dies_with(self);
			if (write(end[1], "x", 1) == 1)
				pause();
		}
		if (read(end[0], &byte, 1) == 1)	/* the child runs, and has END open */
			kill(self, SIGKILL);
	}
	close(end[1]);
	waitpid(pid, &status, 0);
	ok(WIFSIGNALED(status), "the parent is killed");
	same(0, (long)read(end[0], &byte, 1), "and so is its child");
	return tap_done();
}
