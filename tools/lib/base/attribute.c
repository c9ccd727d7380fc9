#include "attribute.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

#include "alloc.h"

#ifdef __linux__
static const char list_of_access[] = "system.posix_acl_access";

/* Linux's limit of the length of a value, and of the list of names. */
enum { LONGEST = 65536 };

/*
 * Return whether TO already has the attribute. A new file gets security labels from its directory, and setting them may
 * need privileges.
 */
static bool
has_already(int to, const char *name, const char *value, ssize_t length)
{
	char *other = xcalloc((size_t)length + 1, 1);
	ssize_t n = fgetxattr(to, name, other, (size_t)length + 1);
	bool same = n == length && memcmp(other, value, (size_t)length) == 0;

	free(other);
	return same;
}

static bool
copy(const char *from, int to, const char *name)
{
	char *value = xcalloc(LONGEST, 1);
	ssize_t length = getxattr(from, name, value, LONGEST);
	bool kept = length >= 0 && (fsetxattr(to, name, value, (size_t)length, 0) == 0 ||
	    has_already(to, name, value, length));

	free(value);
	return kept;
}

char *
attributes_copy(const char *from, int to)
{
	char *names = xcalloc(LONGEST, 1), *lost = NULL;
	/* negative: the file system does not support attributes */
	ssize_t length = listxattr(from, names, LONGEST);
	bool listed = false;

	for (char *name = names; name < names + length && lost == NULL; name += strlen(name) + 1) {
		listed |= strcmp(name, list_of_access) == 0;
		if (!copy(from, to, name))
			lost = xstrdup(name);
	}
	if (length >= 0 && !listed)
		fremovexattr(to, list_of_access);
	free(names);
	return lost;
}
#else
char *
attributes_copy(const char *from, int to)
{
	(void)from;
	(void)to;
	return NULL;
}
#endif
