/* Which files are timelines. */
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
static const char *const patterns[] = { "trace_view*", "msprof*", "timeline_display*",
    "ascend_timeline_display*", "*.pt.trace*" };

/* nftw() has no argument of its own. */
static struct files *found;
static int below;	/* how deep to look */

static int
pattern_of(const char *name)
{
	if (fnmatch("*.json", name, 0) != 0 && fnmatch("*.json.gz", name, 0) != 0)
		return -1;
	for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
		if (fnmatch(patterns[i], name, 0) == 0)
			return (int)i;
	return -1;
}

static void
add(struct files *f, const char *path)
{
	f->at = xreallocarray(f->at, (size_t)f->n + 1, sizeof *f->at);
	f->at[f->n++] = xstrdup(path);
}

static int
visit(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	if (type == FTW_D && where->level > below)
		return FTW_SKIP_SUBTREE;
	if (type == FTW_F && where->level <= below + 1 && pattern_of(path + where->base) >= 0)
		add(found, path);
	return FTW_CONTINUE;
}

static int
by_name(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* Leave the trace_view files alone if there is any. */
static void
prefer_trace_view(struct files *f, int from)
{
	int any = 0, to = from;

	for (int i = from; i < f->n; i++)
		any |= pattern_of(basename(f->at[i])) == 0;
	for (int i = from; i < f->n && any; i++)
		if (pattern_of(basename(f->at[i])) == 0)
			f->at[to++] = f->at[i];
		else
			free(f->at[i]);
	if (any)
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
		add(f, path);
		return;
	}
	look(f, path, 0);
	if (f->n == from) {
		look(f, path, LEVELS_BELOW);
		prefer_trace_view(f, from);
	}
	if (f->n == from)
		place_die((struct place){ .source = path }, "no timeline in this directory: looked for "
		    "trace_view*.json, msprof*.json, timeline_display*.json and *.pt.trace.json, also with "
		    ".gz");
	qsort(f->at + from, (size_t)(f->n - from), sizeof *f->at, by_name);
}

void
files_free(struct files *f)
{
	for (int i = 0; i < f->n; i++)
		free(f->at[i]);
	free(f->at);
	*f = (struct files){ 0 };
}
