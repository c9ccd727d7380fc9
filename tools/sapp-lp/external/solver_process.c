/* Solver process: the command lines of other solvers. */
#include "solver_process.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/child.h"
#include "lib/base/cleanup.h"
#include "lib/base/clock.h"
#include "lib/base/option.h"
#include "lib/base/slurp.h"
#include "lib/base/status.h"

enum {
	ARGUMENTS = 16,
	LARGEST = 1 << 28,	/* maximum size of a solution file or a log, bytes */
};

/* Files in the temporary directory. */
enum file { MODEL, OPTIONS, SOLUTION, LOG, FILES };
static const char *const files[FILES] = { "model.mps", "options", "solution", "log" };

/* A solver's command line. */
struct command {
	const char *arguments[ARGUMENTS];	/* @ at the end of an argument stands for the seconds */
	const char *options;			/* content of the options file */
	bool whole;				/* whether seconds must be an integer */
};

static const struct command commands[DIALECTS] = {
	[DIALECT_CBC] = { .arguments = { "model.mps", "-timeMode", "elapsed", "-sec", "@", "-solve", "-solution",
		"solution" } },
	[DIALECT_GLPSOL] = { .arguments = { "--freemps", "model.mps", "--tmlim", "@", "-w", "solution" },
	  .whole = true },
	[DIALECT_HIGHS] = { .arguments = { "--options_file", "options", "--time_limit", "@", "--solution_file",
		"solution", "model.mps" },
	  .options = "mip_rel_gap = 0\n" },
	[DIALECT_SCIP] = { .arguments = { "-c", "read model.mps", "-c", "set limits time @", "-c", "optimize", "-c",
		"write solution solution", "-c", "quit" } },
};

struct solver {
	const struct command *command;
	const char *name;
	struct phrases *phrases;
	char *path;
};

static char *directory;		/* NULL: not created */
/* entries of the directory, opened at the start, because memory or descriptors may be exhausted at the end */
static DIR *entries;
static volatile pid_t running;	/* process number of the solver; 0: none runs */

/* Kill the solver, and remove the directory with everything in it. May be called within a signal handler. */
static void
remove_directory(void)
{
	struct dirent *e;

	if (running > 0)
		kill(-running, SIGKILL);
	if (directory == NULL)
		return;
	if (entries != NULL)
		rewinddir(entries);
	while (entries != NULL && (e = readdir(entries)) != NULL)
		unlinkat(dirfd(entries), e->d_name, 0);
	rmdir(directory);
}

static void
make_directory(void)
{
	const char *in = getenv("TMPDIR");
	static bool registered;
	char *path = xasprintf("%s/sapp-lp.XXXXXX", in != NULL && *in != '\0' ? in : "/tmp");

	if (!registered)
		cleanup_register(remove_directory);
	registered = true;
	if (mkdtemp(path) == NULL)
		err(STATUS_ERROR, "-solver: %s", path);
	/* opendir() allocates memory: if it fails, remove the directory. */
	directory = path;
	entries = opendir(path);
	if (entries == NULL)
		err(STATUS_ERROR, "-solver: %s", path);
}

/* Return the path of a command in the directories of PATH, as a shell does (caller frees); NULL: not found. */
static char *
find_executable(const char *command)
{
	char *list, *rest, *in;

	if (strchr(command, '/') != NULL)
		return access(command, X_OK) == 0 ? realpath(command, NULL) : NULL;
	rest = list = xstrdup(getenv("PATH") != NULL ? getenv("PATH") : "/usr/bin:/bin");
	while ((in = strsep(&rest, ":")) != NULL) {
		char *path = xasprintf("%s/%s", *in != '\0' ? in : ".", command), *full;
		struct stat st;

		full = access(path, X_OK) == 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode) ?
		    realpath(path, NULL) : NULL;
		free(path);
		if (full != NULL) {
			free(list);
			return full;
		}
	}
	free(list);
	return NULL;
}

/* Return whether BASE is NAME, possibly followed by a version: scip-9.1, cbc_2.10, highs2. */
static bool
is_called(const char *base, const char *name)
{
	size_t n = strlen(name);

	if (strncmp(base, name, n) != 0)
		return false;
	n += base[n] == '-' || base[n] == '_';
	n += base[n] == 'v';
	if (base[n] == '\0')
		return strcmp(base, name) == 0;
	return strspn(base + n, "0123456789.") == strlen(base + n);
}

struct solver *
solver_open(const char *command)
{
	struct solver *s = xcalloc(1, sizeof *s);
	const char *base = strrchr(command, '/') != NULL ? strrchr(command, '/') + 1 : command;
	int dialect = 0;

	while (dialect < DIALECTS && !is_called(base, dialect_names[dialect]))
		dialect++;
	if (dialect == DIALECTS)
		errx(STATUS_USAGE, "-solver: not cbc, glpsol, highs or scip '%s'", command);
	s->path = find_executable(command);
	if (s->path == NULL)
		err(STATUS_ERROR, "-solver: '%s'", command);
	s->command = &commands[dialect];
	s->phrases = phrases_new((enum dialect)dialect);
	s->name = dialect_names[dialect];
	return s;
}

const char *
solver_name(const struct solver *s)
{
	return s->name;
}

void
solver_close(struct solver *s)
{
	if (s == NULL)
		return;
	remove_directory();
	if (directory != NULL)
		closedir(entries);
	free(directory);
	directory = NULL;
	phrases_free(s->phrases);
	free(s->path);
	free(s);
}

/* Open a file of the directory for writing. */
static FILE *
create(enum file file)
{
	char *path = xasprintf("%s/%s", directory, files[file]);
	FILE *f = fopen(path, "w");

	if (f == NULL)
		err(STATUS_ERROR, "-solver: %s", path);
	free(path);
	return f;
}

static void
finish(FILE *f, enum file file)
{
	int lost = ferror(f);

	if (fclose(f) != 0 || lost)
		err(STATUS_ERROR, "-solver: %s/%s", directory, files[file]);
}

static void
write_model(const struct solver *s, struct lp_model *l)
{
	FILE *f;

	if (directory == NULL)
		make_directory();
	fclose(create(SOLUTION));
	fclose(create(LOG));
	f = create(MODEL);
	mip_write_mps(l, f);
	finish(f, MODEL);
	f = create(OPTIONS);
	if (s->command->options != NULL)
		fputs(s->command->options, f);
	finish(f, OPTIONS);
}

/*
 * Replace the child process by the solver: in the temporary directory, with its output in the log, and in its own
 * process group. Returns only on failure.
 */
static void
become(const struct solver *s, char *const argv[], pid_t parent)
{
	int null, log;

	setpgid(0, 0);
	child_dies_with(parent);
	signal(SIGXFSZ, SIG_DFL);
	if (chdir(directory) != 0)
		return;
	null = open("/dev/null", O_RDONLY);
	log = open(files[LOG], O_WRONLY | O_APPEND);
	if (null < 0 || log < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(log, STDOUT_FILENO) < 0 ||
	    dup2(log, STDERR_FILENO) < 0)
		return;
	execv(s->path, argv);
}

/*
 * Fork, and start the solver in the child. The child reports through a pipe: an errno if it could not start the solver,
 * otherwise nothing.
 */
static pid_t
fork_solver(const struct solver *s, char *const argv[])
{
	pid_t parent = getpid(), pid;
	int said[2], error = 0;
	ssize_t n;

	if (pipe2(said, O_CLOEXEC) != 0)
		err(STATUS_ERROR, "-solver: pipe");
	pid = fork();
	if (pid < 0)
		err(STATUS_ERROR, "-solver: %s", s->path);
	if (pid == 0) {
		become(s, argv, parent);
		error = errno;
		_exit(write(said[1], &error, sizeof error) == sizeof error ? 127 : 126);
	}
	/* Parent and child both set the group, because either may run first. */
	setpgid(pid, pid);
	running = pid;
	close(said[1]);
	while ((n = read(said[0], &error, sizeof error)) < 0 && errno == EINTR)
		;
	close(said[0]);
	if (n == sizeof error) {
		errno = error;
		err(STATUS_ERROR, "-solver: %s", s->path);
	}
	return pid;
}

/* Start the solver in its own process group, so that its children can be killed with it. */
static pid_t
start(const struct solver *s, double seconds)
{
	char *argv[ARGUMENTS + 2] = { s->path };
	pid_t pid;

	for (int i = 0; s->command->arguments[i] != NULL; i++) {
		const char *a = s->command->arguments[i];
		int n = (int)strcspn(a, "@");

		argv[i + 1] = a[n] == '\0' ? xstrdup(a) :
		    xasprintf("%.*s%.*f", n, a, s->command->whole ? 0 : 2, seconds);
	}
	pid = fork_solver(s, argv);
	for (int i = 1; argv[i] != NULL; i++)
		free(argv[i]);
	return pid;
}

/* Wait for the process until DEADLINE, and kill it then. Return its wait status; -1 if it was killed. */
static int
wait_for(pid_t pid, double deadline)
{
	const struct timespec nap = { 0, 5000000 };
	bool ended = false;
	int status;
	pid_t done;

	while ((done = waitpid(pid, &status, WNOHANG)) == 0) {
		if (!ended && !clock_left(deadline)) {
			kill(-pid, SIGKILL);
			ended = true;
		}
		nanosleep(&nap, NULL);
	}
	running = 0;
	if (done < 0)
		err(STATUS_ERROR, "-solver: wait");
	return ended ? -1 : status;
}

static char *
read_back(enum file file)
{
	char *path = xasprintf("%s/%s", directory, files[file]), *text;
	size_t length;

	text = slurp(path, LARGEST, &length);
	free(path);
	return text;
}

struct solution
solver_run(struct solver *s, struct lp_model *l, double deadline)
{
	struct solution out = solution_none(l);
	double begun = clock_now(), seconds = 0.95 * (deadline - begun);
	char *text, *last;
	int status;

	seconds = s->command->whole ? fmax(floor(seconds), 1) : fmax(seconds, 0.01);
	write_model(s, l);
	status = wait_for(start(s, seconds), deadline);
	text = read_back(LOG);
	last = solution_read_log(&out, s->phrases, text);
	free(text);
	if (status > 0 && WIFSIGNALED(status))
		errx(STATUS_ERROR, "-solver: %s ended by signal %d: %s", s->path, WTERMSIG(status), last);
	if (status > 0)
		errx(STATUS_ERROR, "-solver: %s ended with status %d: %s", s->path, WEXITSTATUS(status),
		    last);
	if (status == 0) {
		text = read_back(SOLUTION);
		solution_read(&out, s->phrases, l, text);
		free(text);
	}
	if (out.status == SOLVED_INFEASIBLE)
		out.found = false;
	else if (!out.found && out.status == SOLVED_OPTIMAL)
		errx(STATUS_ERROR, "-solver: the solution written by %s cannot be read", s->path);
	else if (!out.found && status == 0 && clock_now() - begun < 0.8 * seconds && !interrupted)
		errx(STATUS_ERROR, "-solver: %s wrote no solution: %s", s->path, last);
	free(last);
	return out;
}
