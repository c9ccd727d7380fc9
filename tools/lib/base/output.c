#include "output.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "attribute.h"
#include "cleanup.h"
#include "slurp.h"
#include "status.h"

enum { OPEN_MAX_FILES = 8, MOST_LINKS = 40, NAMES = 100 };
static bool taken[OPEN_MAX_FILES];		/* slots in use by open files */
static char *volatile pending[OPEN_MAX_FILES];	/* temporary files by slot, to be removed if the program ends early */

static void
remove_pending(void)
{
	for (int i = 0; i < OPEN_MAX_FILES; i++)
		if (pending[i] != NULL)
			unlink(pending[i]);
}

/* errno may have been reset since the failure. */
static void
write_failed(const char *what)
{
	if (errno == 0)
		errx(STATUS_ERROR, "%s: a write failed", what);
	err(STATUS_ERROR, "%s", what);
}

void
stdout_close(void)
{
	int lost = ferror(stdout);

	errno = 0;
	if (fclose(stdout) != 0 || lost)
		write_failed("cannot write to standard output");
}

/*
 * Return PATH with all symbolic links resolved, so that the target is replaced instead of the link. The target need not
 * exist, but its directory must. Caller frees.
 */
static char *
behind_links(const char *path)
{
	char *at = xstrdup(path), *full;

	for (int links = 0;; links++) {
		char target[PATH_MAX], *slash = strrchr(at, '/'), *next;
		ssize_t n = readlink(at, target, sizeof target - 1);

		if (n < 0)
			break;
		if (links == MOST_LINKS) {
			errno = ELOOP;
			err(STATUS_ERROR, "%s: cannot be written", path);
		}
		target[n] = '\0';
		next = *target == '/' || slash == NULL ? xstrdup(target)
		    : xasprintf("%.*s/%s", (int)(slash - at), at, target);
		free(at);
		at = next;
	}
	full = realpath(at, NULL);
	if (full == NULL)
		return at;
	free(at);
	return full;
}

/* Exit unless a new file can replace this one with no loss but the old content. */
static void
check_replaceable(const char *path, const struct stat *st)
{
	if ((st->st_mode & 0222) == 0 || access(path, W_OK) != 0)
		errx(STATUS_ERROR, "%s: cannot be written: it is read-only", path);
	if (st->st_nlink > 1)
		errx(STATUS_ERROR, "%s: cannot be written: it has %lu hard links, and the other names would keep the "
		    "old contents", path, (unsigned long)st->st_nlink);
}

/*
 * Set owner, attributes and permissions of the temporary file FD. Take them from the existing file FULL (OLD: its
 * status), or use the defaults of a new file.
 */
static void
take_over(int fd, const char *path, const char *full, const struct stat *old)
{
	struct stat st;
	mode_t mask = umask(0);
	char *lost;

	umask(mask);
	if (old != NULL && (fstat(fd, &st) != 0 ||
	    ((st.st_uid != old->st_uid || st.st_gid != old->st_gid) && fchown(fd, old->st_uid, old->st_gid) != 0)))
		err(STATUS_ERROR, "%s: cannot be written: its owner and group cannot be kept", path);
	lost = old != NULL ? attributes_copy(full, fd) : NULL;
	if (lost != NULL)
		errx(STATUS_ERROR, "%s: cannot be written: its attribute '%s' cannot be kept", path, lost);
	if (fchmod(fd, old != NULL ? old->st_mode & 07777 : 0666 & ~mask) != 0)
		err(STATUS_ERROR, "%s: cannot be written", path);
}

/*
 * Open a file without a name in the directory of PATH, so that a killed program leaves nothing. Return -1 if the file
 * system does not support this.
 */
static int
open_nameless(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash == NULL ? xstrdup(".") : xasprintf("%.*s/", (int)(slash - path), path);
	int fd = access("/proc/self/fd", X_OK) == 0 ? open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600) : -1;

	free(directory);
	return fd;
}

/* Give a complete file without a name its temporary name. On a failure return false and set errno. */
static bool
link_temporary(struct output *o)
{
	char *from = xasprintf("/proc/self/fd/%d", fileno(o->file));
	bool linked = false;

	for (int n = 0; !linked && (n == 0 || errno == EEXIST) && n < NAMES; n++) {
		free(o->temporary);
		o->temporary = xasprintf("%s.%d-%d", o->path, (int)getpid(), n);
		linked = linkat(AT_FDCWD, from, AT_FDCWD, o->temporary, AT_SYMLINK_FOLLOW) == 0;
	}
	free(from);
	if (linked)
		pending[o->slot] = o->temporary;
	return linked;
}

void
output_open(struct output *o, const char *path)
{
	static int registered;
	struct stat st;
	bool exists;
	int fd, slot = 0;

	while (slot < OPEN_MAX_FILES && taken[slot])
		slot++;
	if (slot == OPEN_MAX_FILES)
		errx(STATUS_ERROR, "%s: too many output files at once", path);
	if (!registered++)
		cleanup_register(remove_pending);
	*o = (struct output){ .path = behind_links(path), .slot = slot };
	taken[slot] = true;
	exists = stat(o->path, &st) == 0;
	if (exists && !S_ISREG(st.st_mode)) {
		/* A device or pipe cannot be replaced by renaming, so it is written directly. */
		o->temporary = NULL;
		o->file = fopen(o->path, "w");
	} else {
		if (exists)
			check_replaceable(path, &st);
		o->temporary = xasprintf("%s.XXXXXX", o->path);
		fd = open_nameless(o->path);
		o->nameless = fd >= 0;
		if (!o->nameless && (fd = mkstemp(o->temporary)) >= 0)
			pending[slot] = o->temporary;
		if (fd >= 0)
			take_over(fd, path, o->path, exists ? &st : NULL);
		o->file = fd < 0 ? NULL : fdopen(fd, "w");
	}
	if (o->file == NULL)
		err(STATUS_ERROR, "%s: cannot be written", path);
}

void
output_expect(struct output *o, const char *was, size_t length)
{
	o->was = was;
	o->was_length = length;
}

/* Exit if another program has changed the file. */
static void
check_unchanged(const struct output *o)
{
	size_t length;
	char *now = slurp(o->path, SIZE_MAX / 2, &length);

	if (length != o->was_length || memcmp(now, o->was, length) != 0)
		errx(STATUS_ERROR, "%s: not written: another program has changed it since it was read", o->path);
	free(now);
}

void
output_commit(struct output *o)
{
	bool lost;

	errno = 0;
	lost = fflush(o->file) != 0 || ferror(o->file);
	/* Sync the data before the renaming. After a crash, the file is then either the old or the new one. */
	if (!lost && o->temporary != NULL)
		lost = fsync(fileno(o->file)) != 0 && errno != EINVAL && errno != ENOSYS;
	if (lost)
		write_failed(xasprintf("%s: cannot be written", o->path));
	if (o->was != NULL)
		check_unchanged(o);
	if ((o->nameless && !link_temporary(o)) || fclose(o->file) != 0)
		err(STATUS_ERROR, "%s: cannot be written", o->path);
	if (o->temporary != NULL) {
		if (rename(o->temporary, o->path) != 0)
			err(STATUS_ERROR, "%s: cannot be replaced", o->path);
		pending[o->slot] = NULL;
	}
	taken[o->slot] = false;
	free(o->temporary);
	free(o->path);
}
