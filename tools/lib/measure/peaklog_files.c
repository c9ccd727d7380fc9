/* Find the logs and tables in files and directories. */
#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/plain.h"
#include "peaklog.h"
#include "peaktable.h"

enum { MAX_LINE = 1 << 20 };

/*
 * Read a line into TEXT[MAX_LINE]. If the line has more than MAX_LINE bytes, each call reads the next part of it.
 * Return the number of bytes read, or 0 at the end of the file.
 */
static size_t
read_line(FILE *f, char *text)
{
	size_t n = 0;
	int c;

	while (n < MAX_LINE && (c = getc_unlocked(f)) != EOF) {
		text[n++] = (char)c;
		if (c == '\n')
			break;
	}
	return n;
}

/* Return a copy of PATH that LOG owns. */
static const char *
keep_path(struct peaklog *log, const char *path)
{
	return *APPEND(log->file, log->files) = xstrdup(path);
}

/* Return whether the table has a peak. */
static bool
read_table(struct peaklog *log, const char *path)
{
	struct place at = { keep_path(log, path), 0 };
	double memory[2];
	bool any = false;

	peaktable_read(path, &memory[PEAK_USED], &memory[PEAK_ACTUAL]);
	for (int which = 0; which < 2; which++) {
		if (memory[which] <= 0)
			continue;
		any = true;
		if (!peaklog_figure(log, path, (enum peak_which)which, memory[which], at))
			place_die(at, "peaks of an unknown stage: no stage_S or rank_R in the path");
	}
	return any;
}

/* Return whether the directory of PATH has a better table than one of KIND. */
static bool
better_table(const char *path, int kind)
{
	static const char *const better[] = { "memory_record.csv", "operator_memory.csv" };
	const char *slash = strrchr(path, '/');

	for (int i = 0; i < kind && i < 2; i++) {
		char *other = xasprintf("%.*s%s", slash != NULL ? (int)(slash + 1 - path) : 0, path, better[i]);
		bool there = access(other, R_OK) == 0;

		free(other);
		if (there)
			return true;
	}
	return false;
}

/* Return whether the file has a peak. */
static bool
read_file(struct peaklog *log, const char *path)
{
	struct place at = { keep_path(log, path), 0 };
	FILE *f = fopen(path, "r");
	char *text = xcalloc(MAX_LINE, 1);
	size_t n;
	bool any = false, starved = false;

	if (f == NULL)
		place_die(at, "cannot be read: %s", strerror(errno));
	while ((n = read_line(f, text)) > 0) {
		at.line++;
		n = plain_text(text, n);
		any |= peaklog_line(log, text, n, path, at);
		starved |= memmem(text, n, "Out of Memory", 13) != NULL;
	}
	if (ferror(f))
		place_die((struct place){ path, 0 }, "cannot be read: %s", strerror(errno));
	fclose(f);
	free(text);
	peaklog_astray(log);
	log->astray = 0;
	if (!any && starved)
		place_die((struct place){ path, 0 }, "no peak memory in it: the run ran out of memory");
	return any;
}

static int
by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

void
peaklog_read(struct peaklog *log, const char *path)
{
	char *roots[] = { xstrdup(path), NULL };
	FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
	FTSENT *e;
	bool any = false;

	if (tree == NULL)
		place_die((struct place){ path, 0 }, "cannot be read: %s", strerror(errno));
	while ((e = fts_read(tree)) != NULL) {
		size_t n = e->fts_namelen;
		int kind;

		if (e->fts_info == FTS_ERR || e->fts_info == FTS_DNR || e->fts_info == FTS_NS)
			place_die((struct place){ e->fts_path, 0 }, "cannot be read: %s",
			    strerror(e->fts_errno));
		/* A file that the user gives is read under any name. */
		if (e->fts_info == FTS_F || e->fts_info == FTS_DEFAULT) {
			if ((kind = peaktable_kind(e->fts_name)) >= 0 &&
			    (e->fts_level == 0 || !better_table(e->fts_path, kind)))
				any |= read_table(log, e->fts_path);
			else if (kind < 0 && (e->fts_level == 0 || (n > 4 && strcmp(e->fts_name + n - 4, ".log") == 0)))
				any |= read_file(log, e->fts_path);
		}
	}
	fts_close(tree);
	free(roots[0]);
	if (!any)
		place_die((struct place){ path, 0 }, "no peak memory in it: no '%s', no '%s', "
		    "no Megatron '[Rank N] ... memory (MB)'", peaklog_phrases[PEAK_ACTUAL], peaklog_phrases[PEAK_USED]);
}
