#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/cleanup.h"
#include "lib/base/clipped.h"

/* Utilities that have no effect other than to write the files they are given, which Landlock prevents. */
static const char *const utilities[] = {
	"bash", "dirname", "basename", "seq", "cat", "expr", "tr", "cut", "head", "tail", "wc", "sort", "uniq", "sed",
	"awk", "grep", "nproc", "readlink", "realpath", "date", "hostname", "id", "whoami", "uname", "bc", "find",
	"rev", "paste", "tac", "ls", "stat", "arch",
};
static const char *const loaders[] = { "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1" };

enum { UTILITIES = sizeof utilities / sizeof utilities[0], LOADERS = sizeof loaders / sizeof loaders[0] };

static char directory[PATH_MAX];
static const char *programs[UTILITIES + LOADERS + 1];

/*
 * Remove a directory with its files and one level of directories below it. Signal handlers may call this, so it does
 * not use malloc().
 */
static void
remove_tree(int at, const char *name, int depth)
{
	struct entry { uint64_t inode; int64_t offset; unsigned short length; unsigned char type; char name[]; };
	_Alignas(8) char buffer[4096];
	int f = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	long n;

	while (f >= 0 && (n = syscall(SYS_getdents64, f, buffer, sizeof buffer)) > 0)
		for (long i = 0; i < n;) {
			struct entry *e = (struct entry *)(buffer + i);

			i += e->length;
			if (strcmp(e->name, ".") != 0 && strcmp(e->name, "..") != 0 &&
			    unlinkat(f, e->name, 0) != 0 && depth > 0)
				remove_tree(f, e->name, depth - 1);
		}
	if (f >= 0)
		close(f);
	unlinkat(at, name, AT_REMOVEDIR);
}

static void
remove_all(void)
{
	if (directory[0] != '\0')
		remove_tree(AT_FDCWD, directory, 8);
	directory[0] = '\0';
}

static void
make(const char *name, struct place at)
{
	char *path = xasprintf("%s/%s", directory, name);

	if (mkdir(path, 0700) != 0)
		place_die(at, "%s: cannot be made: %s", path, strerror(errno));
	free(path);
}

/* Link a utility into bin by its name, if this machine has it. Return the number of utilities. */
static int
add_utility(const char *name, int n)
{
	static const char *const where[] = { "/usr/bin", "/bin", "/usr/local/bin" };
	char *path = NULL, *link = xasprintf("%s/bin/%s", directory, name);

	for (size_t i = 0; i < sizeof where / sizeof where[0] && path == NULL; i++) {
		char *file = xasprintf("%s/%s", where[i], name);

		path = realpath(file, NULL);
		free(file);
	}
	if (path != NULL && symlink(path, link) == 0)
		programs[n++] = path;
	free(link);
	return n;
}

const char *
sandbox_open(struct place at)
{
	const char *temporary = getenv("TMPDIR");
	struct clipped name;
	int n;

	if (directory[0] != '\0')
		return directory;
	name = CLIPPED(directory);
	clipped_print(&name, "%s/sapp-XXXXXX", temporary != NULL && *temporary == '/' ? temporary : "/tmp");
	if (name.cut || mkdtemp(directory) == NULL) {
		directory[0] = '\0';
		place_die(at, "cannot create a temporary directory (TMPDIR): %s", strerror(errno));
	}
	cleanup_register(remove_all);
	make("bin", at);
	make("notes", at);
	make("tmp", at);
	n = add_utility(utilities[0], 0);
	if (n == 0)
		place_die(at, "scripts are read by bash, which is missing in /usr/bin");
	for (int i = 1; i < UTILITIES; i++)
		n = add_utility(utilities[i], n);
	for (int i = 0; i < LOADERS; i++)
		if (access(loaders[i], X_OK) == 0)
			programs[n++] = loaders[i];
	programs[n] = NULL;
	return directory;
}

const char *
sandbox_directory(void)
{
	return directory;
}

const char *const *
sandbox_programs(void)
{
	return programs;
}
