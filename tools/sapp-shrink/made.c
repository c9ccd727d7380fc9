#include "made.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/alloc.h"

static bool
ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n >= m && strcmp(name + n - m, end) == 0;
}

/*
 * Return whether the last character of the file, ignoring blanks, is one of END. Compressed files do not show their
 * last character.
 */
static bool
is_whole(const char *path, const char *end)
{
	FILE *f = fopen(path, "r");
	char tail[8];
	size_t n;
	bool whole = false;

	if (f == NULL)
		return false;
	/* A file shorter than this is read from its start. */
	if (fseek(f, -(long)sizeof tail, SEEK_END) != 0)
		rewind(f);
	n = fread(tail, 1, sizeof tail, f);
	while (n > 1 && *end != '\n' && strchr(" \t\r\n", tail[n - 1]) != NULL)
		n--;
	whole = n > 0 && strchr(end, tail[n - 1]) != NULL;
	fclose(f);
	return whole;
}

static bool
is_profile(const char *path, const char *name)
{
	if (strcmp(name, "kernel_details.csv") == 0)
		return is_whole(path, "\n");
	if (ends_with(name, "trace.json") || strcmp(name, "trace_view.json") == 0)
		return is_whole(path, "}]");
	return ends_with(name, "trace.json.gz");
}

/*
 * Return whether DIRECTORY has a complete table of kernels or timeline for a rank of each stage; or, for a static run,
 * a log.
 */
static bool
made_completely(const struct training_run *r, const char *directory)
{
	char *const top[] = { (char *)directory, NULL };
	char *last = NULL;
	FTS *tree = fts_open(top, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *e;
	int found = 0;

	if (tree == NULL)
		return false;
	while ((e = fts_read(tree)) != NULL) {
		/* A rank may have both a table and a timeline in one directory. */
		if (e->fts_info == FTS_F && (r->purpose == RUN_STATIC && GIVEN(training_run, r, purpose) ?
		    ends_with(e->fts_name, ".log") && e->fts_statp->st_size > 0 :
		    is_profile(e->fts_path, e->fts_name)) &&
		    (last == NULL || e->fts_pathlen - e->fts_namelen != (int)strlen(last) ||
		    strncmp(last, e->fts_path, strlen(last)) != 0)) {
			found++;
			free(last);
			last = xstrndup(e->fts_path, (size_t)(e->fts_pathlen - e->fts_namelen));
		}
	}
	fts_close(tree);
	free(last);
	return found >= (r->purpose == RUN_STATIC && GIVEN(training_run, r, purpose) ? 1 : r->of.pp);
}

static bool
leads_out(const char *dir)
{
	for (; *dir != '\0'; dir += strcspn(dir, "/"), dir += *dir == '/')
		if (strncmp(dir, "..", 2) == 0 && (dir[2] == '/' || dir[2] == '\0'))
			return true;
	return false;
}

void
made_list(char *const operands[], const char *top)
{
	struct reader in;
	struct record r;
	int runs = 0;

	reader_open(&in, operands, RECORDS(RECORD_RUN));
	while (reader_next(&in, &r)) {
		if (r.kind == RECORD_RUN) {
			const char *dir = GIVEN(training_run, &r.run, dir) ? r.run.dir : r.run.of.name;
			char *path;

			if (dir == NULL)
				place_die(r.place, "run: needs dir or name, to find its profile");
			if (*dir == '/' || *dir == '\0' || leads_out(dir))
				place_die(r.place, "run: dir: not below the directory of the runs '%s'", dir);
			path = xasprintf("%s/%s", top, dir);
			if (!made_completely(&r.run, path))
				record_write(stdout, &r);
			free(path);
			runs++;
		}
		record_free(&r);
	}
	if (runs == 0)
		place_die((struct place){ .source = in.source }, "no run record in the input; sapp-shrink writes them");
	reader_close(&in);
}
