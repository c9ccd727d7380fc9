/* A file that is replaced keeps what it has besides its content, or is left alone. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
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
	same(0, (int)getxattr(path, "user.empty", value, sizeof value), "an attribute without a value, too");
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

/* Which one it is; the same in a file that has it already is none. */
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

/* Only root may set what others can see, and not set. */
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

int
main(void)
{
	char path[64];

	if (mkdtemp(directory) == NULL)
		abort();
	snprintf(path, sizeof path, "%s/file", directory);
	write_plainly(path);
	attributes(path);
	access_list(path);
	refused(path);
	unlink(path);
	same(0, rmdir(directory), "nothing else is left");
	return tap_done();
}
