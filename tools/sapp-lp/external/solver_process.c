/* Solver process: other solvers' command lines, logs and solution files. */
#include "solver_process.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <regex.h>
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
	LARGEST = 1 << 28,	/* bytes of a solution or a log */
};

/* Files in the directory. */
enum file { MODEL, OPTIONS, SOLUTION, LOG, FILES };
static const char *const files[FILES] = { "model.mps", "options", "solution", "log" };

/* A solver's command line, and extended regular expressions for the lines of its files. */
struct dialect {
	const char *name;
	const char *arguments[ARGUMENTS];	/* a final @ stands for the seconds */
	const char *options;			/* what is in the options file */
	bool whole;				/* seconds must be whole */
	const char *optimal, *infeasible;	/* in the solution, or in the log */
	const char *value;			/* column and value, in the solution */
	const char *bound;			/* value, in the log; the last one counts */
};

#define NUMBER "([-+]?[0-9.]+(e[-+]?[0-9]+)?)"

static const struct dialect dialects[] = {
	{ .name = "cbc",
	  .arguments = { "model.mps", "-timeMode", "elapsed", "-sec", "@", "-solve", "-solution",
		"solution" },
	  .optimal = "^Optimal - objective", .infeasible = "^(Integer i|I)nfeasible - objective",
	  .value = "^[ *]*[0-9]+ +([^ ]+) +" NUMBER, .bound = "^Lower bound: +" NUMBER },
	{ .name = "glpsol",
	  .arguments = { "--freemps", "model.mps", "--tmlim", "@", "-w", "solution" }, .whole = true,
	  .optimal = "^s mip [0-9]+ [0-9]+ o ", .infeasible = "^s mip [0-9]+ [0-9]+ n ",
	  .value = "^j ([0-9]+) " NUMBER, .bound = ">= +" NUMBER },
	{ .name = "highs",
	  .arguments = { "--options_file", "options", "--time_limit", "@", "--solution_file", "solution",
		"model.mps" },
	  .options = "mip_rel_gap = 0\n",
	  .optimal = "^Optimal$", .infeasible = "^Infeasible$",
	  .value = "^([^ #]+) " NUMBER "$", .bound = "^ *Dual bound +" NUMBER },
	{ .name = "scip",
	  .arguments = { "-c", "read model.mps", "-c", "set limits time @", "-c", "optimize", "-c",
		"write solution solution", "-c", "quit" },
	  .optimal = "^solution status: optimal solution found", .infeasible = "^solution status: infeasible",
	  .value = "^([^ ]+) +" NUMBER "[ \t]+\\(obj:", .bound = "^Dual Bound *: *" NUMBER },
};

struct solver {
	const struct dialect *dialect;
	char *path;
	regex_t optimal, infeasible, value, bound;
};

static char *directory;		/* NULL: not made */
static DIR *entries;		/* of it, open from the beginning: in the end there may be no memory or file left */
static volatile pid_t running;	/* the solver, 0: none */

/* The solver, and the directory with everything in it; also within a signal handler. */
static void
remove_directory(void)
{
	struct dirent *e;

	if (running > 0)
		kill(-running, SIGKILL);
	if (directory == NULL)
		return;
	rewinddir(entries);
	while ((e = readdir(entries)) != NULL)
		unlinkat(dirfd(entries), e->d_name, 0);
	rmdir(directory);
}

static void
make_directory(void)
{
	const char *in = getenv("TMPDIR");
	static bool registered;
	char *path = xasprintf("%s/sapp-lp.XXXXXX", in != NULL && *in != '\0' ? in : "/tmp");

	if (mkdtemp(path) == NULL)
		err(STATUS_ERROR, "-solver: %s", path);
	entries = opendir(path);
	if (entries == NULL) {
		rmdir(path);
		err(STATUS_ERROR, "-solver: %s", path);
	}
	directory = path;
	if (!registered)
		cleanup_register(remove_directory);
	registered = true;
}

/* In the directories of PATH, as a shell would; NULL when it is in none. */
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

static void
compile(regex_t *re, const char *pattern)
{
	if (regcomp(re, pattern, REG_EXTENDED) != 0)
		err(STATUS_ERROR, "out of memory");
}

/* By that name, or with a version behind it: scip-9.1, cbc_2.10, highs2. */
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

	for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++)
		if (is_called(base, dialects[i].name))
			s->dialect = &dialects[i];
	if (s->dialect == NULL)
		errx(STATUS_USAGE, "-solver: neither cbc, glpsol, highs nor scip '%s'", command);
	s->path = find_executable(command);
	if (s->path == NULL)
		err(STATUS_ERROR, "-solver: '%s'", command);
	compile(&s->optimal, s->dialect->optimal);
	compile(&s->infeasible, s->dialect->infeasible);
	compile(&s->value, s->dialect->value);
	compile(&s->bound, s->dialect->bound);
	return s;
}

const char *
solver_name(const struct solver *s)
{
	return s->dialect->name;
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
	regfree(&s->optimal);
	regfree(&s->infeasible);
	regfree(&s->value);
	regfree(&s->bound);
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
	if (s->dialect->options != NULL)
		fputs(s->dialect->options, f);
	finish(f, OPTIONS);
}

/* What becomes the solver: in the directory, quiet, the leader of a process group. Returns when that cannot be. */
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

/* Fork, and say from there whether it could become the solver: nothing, or an errno. */
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
	/* Whoever is first. */
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

/* In a process group of its own, so that what it starts ends with it. */
static pid_t
start(const struct solver *s, double seconds)
{
	char *argv[ARGUMENTS + 2] = { s->path };
	pid_t pid;

	for (int i = 0; s->dialect->arguments[i] != NULL; i++) {
		const char *a = s->dialect->arguments[i];
		int n = (int)strcspn(a, "@");

		argv[i + 1] = a[n] == '\0' ? xstrdup(a) :
		    xasprintf("%.*s%.*f", n, a, s->dialect->whole ? 0 : 2, seconds);
	}
	pid = fork_solver(s, argv);
	for (int i = 1; argv[i] != NULL; i++)
		free(argv[i]);
	return pid;
}

/* The wait status of the process; -1 when it was killed. */
static int
wait_for(pid_t pid, double deadline)
{
	const struct timespec nap = { 0, 5000000 };
	bool ended = false;
	int status;
	pid_t done;

	while ((done = waitpid(pid, &status, WNOHANG)) == 0) {
		if (!ended && (interrupted || clock_now() >= deadline)) {
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

/* A column by its name, or by its number where the solver's files have no names; less than 1: there is none. */
static int
find_column(struct lp_model *l, char *name)
{
	char *end;
	long n = strtol(name, &end, 10);

	if (*name != '\0' && *end == '\0')
		return n >= 1 && n <= lp_columns(l->lp) ? (int)n : -1;
	return lp_find_column(l->lp, name);
}

static void
read_value(const struct solver *s, struct lp_model *l, char *line, struct solution *out)
{
	regmatch_t m[3];
	int column;

	if (regexec(&s->value, line, 3, m, 0) != 0)
		return;
	line[m[1].rm_eo] = '\0';
	column = find_column(l, line + m[1].rm_so);
	if (column < 1)
		return;
	out->x[column] = strtod(line + m[2].rm_so, NULL);
	out->found = true;
}

static bool
matches(const regex_t *re, const char *line)
{
	return regexec(re, line, 0, NULL, 0) == 0;
}

static void
read_solution(const struct solver *s, struct lp_model *l, struct solution *out)
{
	char *text = read_back(SOLUTION), *rest = text, *line;

	while ((line = strsep(&rest, "\n")) != NULL) {
		if (matches(&s->optimal, line))
			out->status = SOLVED_OPTIMAL;
		if (matches(&s->infeasible, line))
			out->status = SOLVED_INFEASIBLE;
		read_value(s, l, line, out);
	}
	free(text);
}

/* Infeasibility and bounds are in the log; *LAST: its last line that is not blank. */
static void
read_log(const struct solver *s, struct solution *out, char **last)
{
	char *text = read_back(LOG), *rest = text, *line;

	while ((line = strsep(&rest, "\n")) != NULL) {
		regmatch_t m[2];

		if (matches(&s->infeasible, line))
			out->status = SOLVED_INFEASIBLE;
		if (regexec(&s->bound, line, 2, m, 0) == 0)
			out->bound = strtod(line + m[1].rm_so, NULL);
		if (line[strspn(line, " \t\r")] != '\0') {
			free(*last);
			*last = xstrdup(line + strspn(line, " \t"));
		}
	}
	free(text);
}

struct solution
solver_run(struct solver *s, struct lp_model *l, double deadline)
{
	struct solution out = { .status = SOLVED_STOPPED, .bound = -INFINITY };
	double begun = clock_now(), seconds = 0.95 * (deadline - begun);
	char *last = xstrdup("no message");
	int status;

	seconds = s->dialect->whole ? fmax(floor(seconds), 1) : fmax(seconds, 0.01);
	out.x = xcalloc((size_t)lp_columns(l->lp) + 1, sizeof *out.x);
	write_model(s, l);
	status = wait_for(start(s, seconds), deadline);
	read_log(s, &out, &last);
	if (status == 0)
		read_solution(s, l, &out);
	else if (status != -1 && WIFSIGNALED(status))
		errx(STATUS_ERROR, "-solver: %s ended by signal %d: %s", s->path, WTERMSIG(status), last);
	else if (status != -1)
		errx(STATUS_ERROR, "-solver: %s ended with status %d: %s", s->path, WEXITSTATUS(status),
		    last);
	if (out.status == SOLVED_INFEASIBLE)
		out.found = false;
	else if (!out.found && out.status == SOLVED_OPTIMAL)
		errx(STATUS_ERROR, "-solver: %s wrote no values that can be read", s->path);
	else if (!out.found && status == 0 && clock_now() - begun < 0.8 * seconds && !interrupted)
		errx(STATUS_ERROR, "-solver: %s wrote no solution: %s", s->path, last);
	free(last);
	return out;
}

void
solution_free(struct solution *s)
{
	free(s->x);
	*s = (struct solution){ 0 };
}
