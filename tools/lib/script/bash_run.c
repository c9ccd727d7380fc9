/*
 * Bash runs in a process group of its own. This process answers each of its open() and fork() calls, see
 * seccomp_unotify(2). A file to be written becomes /dev/null, the script may get another text, and forks are counted.
 */
#include "bash_run.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/child.h"
#include "lib/base/cleanup.h"
#include "lib/base/clipped.h"
#include "lib/base/clock.h"
#include "lib/base/place.h"
#include "lib/base/share.h"
#include "lib/base/slurp.h"
#include "confine.h"
#include "sandbox.h"

enum { ERRORS_MOST = 64 << 20, FILE_SIZE = 16 << 20, MEMORY = 1 << 30, FORKS_MOST = 4000, PATH_LONGEST = 4096,
	PROCESSOR = 10,	/* s of processor time */
	TICK = 2 };

/* A run of bash. */
struct supervised {
	pid_t pid;
	const char *path;	/* path of the script */
	int text;		/* descriptor of the text that replaces the script; -1: none */
	const char *directory;
	int listener;		/* descriptor from which calls to answer are read; -1: none */
	int forks;
};

static volatile sig_atomic_t group;

/* Kill the process group. Also called from signal handlers. */
static void
end_group(void)
{
	if (group > 0)
		kill(-group, SIGKILL);
	group = 0;
}

static void
limit_to(int resource, rlim_t most)
{
	struct rlimit r = { most, most };

	setrlimit(resource, &r);
}

/* Return the environment. A variable in it tells the prelude the NAME=value of -set. */
static char **
environment_of(const struct script_call *call, int stand_in, const char *only)
{
	static const char *const kept[] = { "HOME", "USER", "LANG" };
	const char *directory = sandbox_directory();
	char **env = NULL, *names = xstrdup(""), *prelude = share_path("launch.bash");
	int n = 0;

	if (access(prelude, R_OK) != 0)
		place_die((struct place){ prelude, 0 }, "cannot be read: %s", strerror(errno));
	for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
		if (getenv(kept[i]) != NULL)
			*APPEND(env, n) = xasprintf("%s=%s", kept[i], getenv(kept[i]));
	*APPEND(env, n) = xasprintf("PATH=%s/bin", directory);
	*APPEND(env, n) = xasprintf("TMPDIR=%s/tmp", directory);
	*APPEND(env, n) = xasprintf("BASH_ENV=%s", prelude);
	*APPEND(env, n) = xasprintf("SAPP_ARGS_DIR=%s", directory);
	*APPEND(env, n) = xasprintf("SAPP_ARGS_RUN=%d", stand_in);
	if (only != NULL)
		*APPEND(env, n) = xasprintf("SAPP_ARGS_ONLY=%s", only);
	*APPEND(env, n) = xasprintf("SAPP_ARGS_PAST_EXIT=%d", call->past_exit);
	*APPEND(env, n) = xasprintf("SAPP_ARGS_GO_ON=%d", call->go_on);
	for (int i = 0; i < call->set.n; i++) {
		const char *set = call->set.at[i];
		char *more = xasprintf("%s %.*s", names, (int)strcspn(set, "="), set);

		free(names);
		names = more;
		*APPEND(env, n) = xstrdup(set);
		*APPEND(env, n) = xasprintf("SAPP_ARGS_SET_%s", set);
	}
	*APPEND(env, n) = xasprintf("SAPP_ARGS_SET=%s", names);
	*APPEND(env, n) = NULL;
	free(names);
	free(prelude);
	return env;
}

/* Send through a socket the descriptor from which calls to answer are read, or else the name of the missing feature. */
static void
send_listener(int to, int listener, const char *what)
{
	char room[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec part = { (void *)(listener >= 0 ? "" : what), listener >= 0 ? 1 : strlen(what) + 1 };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };

	if (listener >= 0) {
		struct cmsghdr *c = (struct cmsghdr *)room;

		m.msg_control = room;
		m.msg_controllen = sizeof room;
		*c = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
		    .cmsg_len = CMSG_LEN(sizeof(int)) };
		memcpy(CMSG_DATA(c), &listener, sizeof listener);
	}
	if (sendmsg(to, &m, 0) < 0)
		_exit(127);
}

/* Receive the descriptor that send_listener() sent. Exit if the kernel lacks a feature, or if the child has ended. */
static int
receive_listener(int from, struct place at)
{
	char room[CMSG_SPACE(sizeof(int))] = { 0 }, what[100] = "";
	struct iovec part = { what, sizeof what - 1 };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room };
	struct cmsghdr *c = (struct cmsghdr *)room;
	int listener;

	if (recvmsg(from, &m, MSG_CMSG_CLOEXEC) <= 0)
		place_die(at, "bash cannot be started: %s", strerror(errno));
	if (what[0] != '\0')
		place_die(at, "bash cannot be confined: this kernel or container has no %s; if you trust the script, "
		    "run it unconfined with -unconfined", what);
	memcpy(&listener, CMSG_DATA(c), sizeof listener);
	return listener;
}

static _Noreturn void
become_bash(const struct script_call *call, char **env, int errors, int to, pid_t parent, double limit)
{
	const char *directory = sandbox_directory(), *const *programs = sandbox_programs(), *what = NULL;
	char **argv = NULL;
	int n = 0, null = open("/dev/null", O_RDWR), listener;
	static char name[] = "bash", end[] = "--";

	*APPEND(argv, n) = name;
	*APPEND(argv, n) = end;
	*APPEND(argv, n) = (char *)call->path;
	for (char *const *a = call->argument; a != NULL && *a != NULL; a++)
		*APPEND(argv, n) = *a;
	*APPEND(argv, n) = NULL;
	child_dies_with(parent);
	setpgid(0, 0);
	dup2(null, 0);
	dup2(null, 1);
	dup2(errors, 2);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (!call->unconfined) {
		listener = confine(directory, programs, &what);
		send_listener(to, listener, what);
		if (listener < 0)
			_exit(127);
		close(listener);
	}
	dup2(to, 3);
	fcntl(3, F_SETFD, FD_CLOEXEC);
	syscall(SYS_close_range, 4u, ~0u, 0u);
	limit_to(RLIMIT_CORE, 0);
	limit_to(RLIMIT_FSIZE, FILE_SIZE);
	limit_to(RLIMIT_CPU, limit < PROCESSOR ? (rlim_t)limit + 1 : PROCESSOR);
	limit_to(RLIMIT_AS, MEMORY);
	execve(programs[0], argv, env);
	_exit(127);
}

/* Read the text at ADDRESS of a process into TEXT. Return false if the memory cannot be read. */
static bool
read_text(unsigned pid, uint64_t address, char *text)
{
	char path[40];
	struct clipped name = CLIPPED(path);
	int f;
	ssize_t n;

	clipped_print(&name, "/proc/%u/mem", pid);
	f = open(path, O_RDONLY | O_CLOEXEC);
	if (f < 0)
		return false;
	n = pread(f, text, PATH_LONGEST - 1, (off_t)address);
	close(f);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

static bool
below(const char *path, const char *directory)
{
	size_t n = strlen(directory);

	return strncmp(path, directory, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/*
 * Return the file to open instead of PATH, or NULL to open PATH. A file to be written is replaced by /dev/null, unless
 * it is in the directory, /dev or /proc. The script may have another text. Not called with -unconfined.
 */
static const char *
instead(const struct supervised *s, const char *path, bool writes)
{
	static char own[40];

	if (writes && !below(path, s->directory) && !below(path, "/dev") && !below(path, "/proc"))
		return "/dev/null";
	if (!writes && s->text >= 0 && strcmp(path, s->path) == 0) {
		struct clipped name = CLIPPED(own);

		clipped_print(&name, "/proc/self/fd/%d", s->text);
		return own;
	}
	return NULL;
}

/* Answer a call of open() with another file. Return false if PATH itself is to be opened. */
static bool
answer_open(const struct supervised *s, const struct seccomp_notif *told)
{
	const struct seccomp_data *d = &told->data;
	struct seccomp_notif_addfd more = { .id = told->id, .flags = SECCOMP_ADDFD_FLAG_SEND };
	bool creates = false;
	uint64_t address = d->args[1], flags = d->args[2];
	char path[PATH_LONGEST];
	const char *other;
	int f;

#ifdef SYS_open
	if (d->nr != SYS_openat) {
		address = d->args[0];
		flags = d->args[1];
		creates = d->nr == SYS_creat;
	}
#endif
	if (!read_text(told->pid, address, path))
		return false;
	other = instead(s, path, creates || (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0);
	if (other == NULL)
		return false;
	f = open(other, strcmp(other, "/dev/null") == 0 ? O_RDWR | O_CLOEXEC : O_RDONLY | O_CLOEXEC);
	if (f < 0)
		return false;
	more.srcfd = (unsigned)f;
	more.newfd_flags = creates ? 0 : (unsigned)(flags & O_CLOEXEC);
	if (ioctl(s->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &more) < 0 && errno != ENOENT)
		place_die((struct place){ s->path, 0 }, "bash cannot be confined: %s", strerror(errno));
	close(f);
	return true;
}

static void
answer(struct supervised *s)
{
	struct seccomp_notif told = { 0 };
	struct seccomp_notif_resp reply = { .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };
	bool forks;

	if (ioctl(s->listener, SECCOMP_IOCTL_NOTIF_RECV, &told) < 0)
		return;
	reply.id = told.id;
	forks = told.data.nr == SYS_clone;
#ifdef SYS_open
	forks |= told.data.nr == SYS_fork || told.data.nr == SYS_vfork;
#endif
	if (forks && ++s->forks > FORKS_MOST) {
		reply.flags = 0;
		reply.error = -EAGAIN;
		end_group();
	} else if (!forks && answer_open(s, &told)) {
		return;
	}
	ioctl(s->listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
}

/* Wait until all processes of the group have ended, including those whose parents have ended. */
static void
supervise(struct supervised *s, struct bash_run *r, double limit)
{
	double end = clock_now() + limit;
	struct pollfd p = { .fd = s->listener, .events = POLLIN };
	int pid = (int)syscall(SYS_pidfd_open, s->pid, 0);
	struct pollfd both[2] = { p, { .fd = pid, .events = POLLIN } };
	bool main_ended = false, ended = false;
	int status;

	for (;;) {
		pid_t one;

		while ((one = waitpid(-s->pid, &status, WNOHANG)) > 0)
			if (one == s->pid) {
				main_ended = true;
				/* A signal that nothing else explains comes from the limit of processor time. */
				r->late |= WIFSIGNALED(status) && s->forks <= FORKS_MOST;
			}
		if (one < 0 && errno == ECHILD)
			break;
		if (clock_now() > end && !ended) {
			r->late = ended = true;
			end_group();
		}
		both[1].fd = main_ended ? -1 : pid;
		poll(both, 2, main_ended || ended || pid < 0 ? TICK : 20);
		if (both[0].revents & POLLIN)
			answer(s);
		else if (both[0].revents & POLLHUP)
			both[0].fd = -1;
	}
	r->many = s->forks > FORKS_MOST;
	if (pid >= 0)
		close(pid);
}

/* Create a file in memory that contains TEXT. Return its descriptor, or -1 if TEXT is NULL. */
static int
text_file(const char *text, struct place at)
{
	int f = text != NULL ? memfd_create("script", MFD_CLOEXEC) : -1;
	size_t n = text != NULL ? strlen(text) : 0;

	if (text != NULL && (f < 0 || write(f, text, n) != (ssize_t)n))
		place_die(at, "cannot create a file in memory: %s", strerror(errno));
	return f;
}

void
bash_run(struct bash_run *r, const struct script_call *call, int stand_in, const char *only, double limit)
{
	struct place at = { call->path, 0 };
	const char *directory = sandbox_open(at);
	char *notes = xasprintf("%s/notes", directory), *path = xasprintf("%s/errors", directory);
	char **env = environment_of(call, stand_in, only);
	int errors = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_APPEND, 0600), pair[2];
	struct supervised s = { .path = call->path, .text = text_file(call->text, at), .directory = directory,
		.listener = -1 };
	static bool registered;
	size_t length;
	pid_t self = getpid();

	*r = (struct bash_run){ .late = false };
	if (!registered)
		cleanup_register(end_group);
	registered = true;
	if (errors < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		place_die(at, "bash cannot be started: %s", strerror(errno));
	/* Become the parent of processes whose own parents end. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	s.pid = fork();
	if (s.pid < 0)
		place_die(at, "bash cannot be started: %s", strerror(errno));
	if (s.pid == 0)
		become_bash(call, env, errors, pair[1], self, limit);
	setpgid(s.pid, s.pid);
	group = s.pid;
	close(pair[1]);
	if (!call->unconfined)
		s.listener = receive_listener(pair[0], at);
	supervise(&s, r, limit);
	group = 0;
	close(pair[0]);
	if (s.listener >= 0)
		close(s.listener);
	if (s.text >= 0)
		close(s.text);
	close(errors);
	r->errors = slurp(path, ERRORS_MOST, &length);
	r->notes = notes_take(notes);
	for (char **e = env; *e != NULL; e++)
		free(*e);
	free(env);
	free(path);
	free(notes);
}

void
bash_run_free(struct bash_run *r)
{
	notes_free(&r->notes);
	free(r->errors);
	*r = (struct bash_run){ 0 };
}
