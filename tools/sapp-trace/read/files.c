#include "files.h"

#include <errno.h>
#include <fnmatch.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/alloc.h"
#include "lib/base/place.h"

enum { LEVELS_BELOW = 8 };
static const char *const patterns[] = { "trace_view*", "kernel_details*", "msprof*", "timeline_display*",
    "ascend_timeline_display*", "*.pt.trace*", "*_timeline.json*" };
enum { TRACE_VIEW, KERNEL_DETAILS };

/* Arguments for the callback of nftw(), which has none of its own. */
static struct files *found;
static int below;	/* depth of directories to search */
/* TRACES: JSON files that programs named themselves, such as rank-0.json; OTHERS: formats that are not read */
static enum { TIMELINES, LOGS, TRACES, OTHERS, KINDS } sought;

bool
file_is_table(const char *path)
{
	return fnmatch("*.csv", path, 0) == 0 || fnmatch("*.csv.gz", path, 0) == 0;
}

static int
pattern_of(const char *name)
{
	bool table = file_is_table(name);

	if (!table && fnmatch("*.json", name, 0) != 0 && fnmatch("*.json.gz", name, 0) != 0)
		return -1;
	for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
		if (fnmatch(patterns[i], name, 0) == 0 && table == (i == KERNEL_DETAILS))
			return (int)i;
	return -1;
}

#define FROM_NSYS "convert it to a table with nsys stats -r cuda_gpu_trace -f csv"
/* Formats of other profilers, and the commands that convert them. */
static const struct { const char *pattern, *what, *how; } foreign[] = {
	{ "*.nsys-rep", "a report of Nsight Systems", FROM_NSYS },
	{ "*.qdrep", "a report of Nsight Systems", FROM_NSYS },
	{ "*.sqlite", "a database of Nsight Systems", FROM_NSYS },
	{ "*.ncu-rep", "a report of Nsight Compute, of single kernels", "profile a whole step with torch.profiler" },
	{ "msprof*.db", "a database of msprof", "convert it to msprof*.json with msprof --export=on --output=DIR" },
	{ "ascend*.db", "a database of torch_npu's profiler",
		"profile with export_type=Text, which writes trace_view.json and kernel_details.csv" },
	{ "*.rpd", "a database of rocprof", "write a table with rocprof --timestamp on -o kernels.csv" },
	{ "*.pftrace", "a trace of rocprof for Perfetto",
		"write a table with rocprof --timestamp on -o kernels.csv" },
	{ "*kernel_trace.csv", "a table of rocprofv3",
		"write a table with rocprof --timestamp on -o kernels.csv" },
	{ "*.db", "a database", "export it as JSON or CSV with the profiler" },
};
enum { FOREIGN = sizeof foreign / sizeof foreign[0] };

static int
foreign_of(const char *name)
{
	int i = 0;

	while (i < FOREIGN && fnmatch(foreign[i].pattern, name, 0) != 0)
		i++;
	return i;
}

static bool
is_one_of(const char *name, const char *const *names)
{
	while (*names != NULL && fnmatch(*names, name, 0) != 0)
		names++;
	return *names != NULL;
}

static bool
wanted(const char *name)
{
	static const char *const logs[] = { "*.log", "*.out", "*.log.gz", "nemo_log_*.txt", NULL };
	static const char *const traces[] = { "*rank*.json", "*rank*.json.gz", "*trace*.json", "*trace*.json.gz",
		NULL };

	return sought == LOGS ? is_one_of(name, logs) : sought == TRACES ? is_one_of(name, traces) :
	    sought == OTHERS ? foreign_of(name) < FOREIGN : pattern_of(name) >= 0;
}

static void
refuse_foreign(const char *path)
{
	int i = foreign_of(basename(path));

	if (i < FOREIGN)
		place_die((struct place){ .source = path }, "not read: this is %s; %s", foreign[i].what,
		    foreign[i].how);
}

static void
add(struct files *f, const char *path)
{
	*APPEND(f->at, f->n) = (struct file){ .path = xstrdup(path) };
}

static int
visit(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	if (type == FTW_D && where->level > below)
		return FTW_SKIP_SUBTREE;
	if (type == FTW_F && where->level <= below + 1 && wanted(path + where->base))
		add(found, path);
	return FTW_CONTINUE;
}

static int
by_name(const void *a, const void *b)
{
	const struct file *x = a, *y = b;

	return strverscmp(x->path, y->path);
}

/* Keep only trace_view files and tables of kernels, if any. */
static void
prefer_trace_view(struct files *f, int from)
{
	int any = 0, to = from;

	for (int i = from; i < f->n; i++)
		any |= pattern_of(basename(f->at[i].path)) <= KERNEL_DETAILS;
	for (int i = from; i < f->n && any; i++)
		if (pattern_of(basename(f->at[i].path)) <= KERNEL_DETAILS)
			f->at[to++] = f->at[i];
		else
			free(f->at[i].path);
	if (any)
		f->n = to;
}

static bool
same_directory(const char *a, const char *b)
{
	const char *x = strrchr(a, '/'), *y = strrchr(b, '/');

	return x != NULL && y != NULL && x - a == y - b && memcmp(a, b, (size_t)(x - a)) == 0;
}

/* Join a table with the timeline in the same directory, because both have the same kernels. */
static void
pair(struct files *f, int from)
{
	int to = from;

	for (int i = from; i < f->n; i++) {
		int with = -1;

		for (int k = from; k < f->n && pattern_of(basename(f->at[i].path)) == KERNEL_DETAILS; k++)
			if (f->at[k].path != NULL && f->at[k].table == NULL &&
			    pattern_of(basename(f->at[k].path)) == TRACE_VIEW &&
			    same_directory(f->at[i].path, f->at[k].path))
				with = k;
		if (with >= 0) {
			f->at[with].table = f->at[i].path;
			f->at[i].path = NULL;
		}
	}
	for (int i = from; i < f->n; i++)
		if (f->at[i].path != NULL)
			f->at[to++] = f->at[i];
	f->n = to;
}

static void
look(struct files *f, const char *path, int levels)
{
	found = f;
	below = levels;
	if (nftw(path, visit, 16, FTW_ACTIONRETVAL) != 0)
		place_die((struct place){ .source = path }, "cannot be read: %s", strerror(errno));
}

void
files_add(struct files *f, const char *path)
{
	struct stat st;
	int from = f->n;

	if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISDIR(st.st_mode))) {
		refuse_foreign(path);
		add(f, path);
		return;
	}
	look(f, path, 0);
	if (f->n == from) {
		look(f, path, LEVELS_BELOW);
		prefer_trace_view(f, from);
	}
	for (sought = LOGS; f->n == from && sought < KINDS; sought++)
		look(f, path, LEVELS_BELOW);
	sought = TIMELINES;
	if (f->n > from)
		refuse_foreign(f->at[from].path);
	else
		place_die((struct place){ .source = path }, "no timeline in this directory: looked for "
		    "trace_view*.json, kernel_details.csv, msprof*.json, timeline_display*.json and "
		    "*.pt.trace.json, also with .gz, then for *.log, *.out, *rank*.json and *trace*.json");
	qsort(f->at + from, (size_t)(f->n - from), sizeof *f->at, by_name);
	pair(f, from);
}

void
files_free(struct files *f)
{
	for (int i = 0; i < f->n; i++) {
		free(f->at[i].path);
		free(f->at[i].table);
	}
	free(f->at);
	*f = (struct files){ 0 };
}
