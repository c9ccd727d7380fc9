/* A replaced file keeps its owner, mode and attributes, or is left alone. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "lib/base/attribute.h"
#include "lib/base/output.h"
#include "tap.h"

static const char list[] = "system.posix_acl_access", list_of_new[] = "system.posix_acl_default";

/* user::rw-, user:1234:r--, group::---, mask::r--, other::---, as the kernel takes them. */
static const uint32_t acl[] = { 2, 6 << 16 | 0x01, -1u,
	4 << 16 | 0x02, 1234, 0 << 16 | 0x04, -1u, 4 << 16 | 0x10, -1u,
	0 << 16 | 0x20, -1u };

static char directory[] = "/tmp/sapp-output.XXXXXX";

static void
replace(const char *path, const char *text)
{
	struct output o;

	output_open(&o, path);
	fputs(text, o.file);
	output_commit(&o);
}

static void
write_plainly(const char *path)
{
	FILE *f = fopen(path, "w");

	fputs("old\n", f);
	fclose(f);
}

static int
has_text(const char *path, const char *text)
{
	char line[16] = "";
	FILE *f = fopen(path, "r");

	if (f == NULL || fgets(line, sizeof line, f) == NULL)
		line[0] = '\0';
	if (f != NULL)
		fclose(f);
	return strcmp(line, text) == 0;
}

static void
attributes(const char *path)
{
	char value[16];

	if (setxattr(path, "user.note", "seen", 4, 0) != 0) {
		ok(1, "# SKIP the file system has no attributes");
		return;
	}
	replace(path, "new\n");
	ok(has_text(path, "new\n"), "a file with an attribute is replaced");
	ok(getxattr(path, "user.note", value, sizeof value) == 4 && memcmp(value, "seen", 4) == 0, "and keeps it");
	setxattr(path, "user.empty", "", 0, 0);
	replace(path, "new\n");
	same(0, (int)getxattr(path, "user.empty", value, sizeof value), "also an attribute without a value");
}

static void
access_list(const char *path)
{
	char value[100];

	if (setxattr(path, list, acl, sizeof acl, 0) != 0) {
		ok(1, "# SKIP the file system has no access control lists");
		return;
	}
	replace(path, "new\n");
	ok(getxattr(path, list, value, sizeof value) == sizeof acl && memcmp(value, acl, sizeof acl) == 0,
	    "an access control list is kept");
	removexattr(path, list);
	chmod(path, 0640);
	ok(setxattr(directory, list_of_new, acl, sizeof acl, 0) == 0, "new files of the directory have one");
	replace(path, "new\n");
	ok(getxattr(path, list, value, sizeof value) < 0 && errno == ENODATA,
	    "a file without one is replaced by one without");
	removexattr(directory, list_of_new);
}

static void
replace_as(uid_t user, const char *path)
{
	if (setgid((gid_t)user) == 0 && setuid(user) == 0)
		replace(path, "new\n");
}

/*
 * Check attributes_copy() from PATH to another file as USER. It must name the attribute that USER cannot set. If the
 * other file has this attribute already, nothing is lost.
 */
static void
lost_as(uid_t user, const char *path)
{
	char other[80], *lost;
	int fd;

	snprintf(other, sizeof other, "%s.other", path);
	fd = open(other, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || fchown(fd, user, user) != 0 || seteuid(user) != 0)
		abort();
	lost = attributes_copy(path, fd);
	ok(lost != NULL && strcmp(lost, "security.sapp") == 0, "one that cannot be kept is named");
	free(lost);
	if (seteuid(0) != 0 || fsetxattr(fd, "security.sapp", "x", 1, 0) != 0 || seteuid(user) != 0)
		abort();
	ok(attributes_copy(path, fd) == NULL, "unless it is there already");
	if (seteuid(0) != 0)
		abort();
	close(fd);
	unlink(other);
}

/* Only root may set attributes that others can see, but not set. */
static void
refused(const char *path)
{
	if (geteuid() != 0 || setxattr(path, "security.sapp", "x", 1, 0) != 0) {
		ok(1, "# SKIP not root, or no such attributes");
		return;
	}
	if (chown(path, 1234, 1234) != 0 || chown(directory, 1234, 1234) != 0)
		abort();
	write_plainly(path);
	lost_as(1234, path);
	DIES("its attribute 'security.sapp' cannot be kept", replace_as(1234, path),
	    "one that cannot be kept: the file is refused");
	ok(has_text(path, "old\n"), "and is as it was");
}

/* Write through links, also to missing files; they keep the name of the target. */
static void
links(const char *path)
{
	char one[80], other[80];

	snprintf(one, sizeof one, "%s/one", directory);
	snprintf(other, sizeof other, "%s/other", directory);
	if (symlink("other", one) != 0 || symlink("one", other) != 0)
		abort();
	DIES("Too many levels of symbolic links", replace(one, "new\n"), "links in a circle");
	unlink(other);
	replace(one, "through\n");
	ok(has_text(other, "through\n"), "a link to a missing name in its directory");
	unlink(one);
	unlink(other);
	if (symlink(path, one) != 0)
		abort();
	replace(one, "whole\n");
	ok(has_text(path, "whole\n"), "a link to a whole path");
	unlink(one);
}

static void
replace_too_late(void)
{
	char late[64], path[80];
	struct output o;

	snprintf(late, sizeof late, "%s/late", directory);
	snprintf(path, sizeof path, "%s/file", late);
	mkdir(late, 0700);
	output_open(&o, path);
	fputs("new\n", o.file);
	unlink(o.temporary);
	rmdir(late);
	output_commit(&o);
}

static void
replace_many(void)
{
	struct output o;
	char path[80];

	for (int i = 0; i < 9; i++) {
		snprintf(path, sizeof path, "%s/many%d", directory, i);
		output_open(&o, path);
	}
}

static void
close_stdout(const char *path)
{
	if (freopen(path, "w", stdout) == NULL)
		abort();
	puts("text");
	stdout_close();
}

static void
cannot(const char *path)
{
	char other[80];

	snprintf(other, sizeof other, "%s/none/file", directory);
	DIES("cannot be written: No such file", replace(other, "new\n"), "no directory");
	DIES("cannot be written", replace(directory, "new\n"), "a directory");
	DIES("cannot be written: No space left", replace("/dev/full", "new\n"), "a full device");
	DIES("cannot write to standard output: No space left", close_stdout("/dev/full"), "also standard output");
	replace("/dev/null", "new\n");
	ok(true, "a device is written to as it is");
	DIES("No such file", replace_too_late(), "the written files and their directory are gone");
	write_plainly(path);
	chmod(path, 0400);
	DIES("it is read-only", replace(path, "new\n"), "a file that is read-only");
	chmod(path, 0600);
	snprintf(other, sizeof other, "%s/twin", directory);
	if (link(path, other) != 0)
		abort();
	DIES("it has 2 hard links", replace(path, "new\n"), "one with another name");
	unlink(other);
	ok(has_text(path, "old\n"), "is as it was");
	DIES("too many output files at once", replace_many(), "more at once than are removed when the program ends");
	ok(attributes_copy("/nowhere", 0) == NULL, "attributes of a file that is not there");
}

/* A killed writer leaves only the old file, on file systems with unnamed files. */
static void
killed(const char *path)
{
	int fd = open(directory, O_TMPFILE | O_WRONLY, 0600), status;
	pid_t child;

	close(fd);
	if (fd < 0) {
		ok(true, "# SKIP files of this file system have names");
		return;
	}
	child = fork();
	if (child == 0) {
		struct output o;

		output_open(&o, path);
		fputs("new\n", o.file);
		fflush(o.file);
		raise(SIGKILL);
	}
	waitpid(child, &status, 0);
	ok(WIFSIGNALED(status) && has_text(path, "old\n"), "a writer that is killed leaves the old file");
}

int
main(void)
{
	char path[64];

	if (mkdtemp(directory) == NULL)
		abort();
	snprintf(path, sizeof path, "%s/file", directory);
	write_plainly(path);
	links(path);
	cannot(path);
	attributes(path);
	access_list(path);
	refused(path);
	killed(path);
	unlink(path);
	same(0, rmdir(directory), "nothing else is left");
	return tap_done();
}
