/* Extended attributes; access control lists are one of them. */
#include "attribute.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

#include "alloc.h"

#ifdef __linux__
static const char list_of_access[] = "system.posix_acl_access";

/* The value of an attribute, to be freed, and its length; NULL with errno: it cannot be had. */
static char *
value_of(const char *path, const char *name, ssize_t *length)
{
	char *value;

	*length = getxattr(path, name, NULL, 0);
	if (*length < 0)
		return NULL;
	value = xcalloc((size_t)*length + 1, 1);
	*length = getxattr(path, name, value, (size_t)*length + 1);
	if (*length >= 0)
		return value;
	free(value);
	return NULL;
}

/* Security labels come by themselves to files of the same directory, and not everybody may set them. */
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
	ssize_t length;
	char *value = value_of(from, name, &length);
	bool kept = value != NULL && (fsetxattr(to, name, value, (size_t)length, 0) == 0 ||
	    has_already(to, name, value, length));

	free(value);
	return kept;
}

char *
attributes_copy(const char *from, int to)
{
	ssize_t length = listxattr(from, NULL, 0);
	char *names, *lost = NULL;
	bool listed = false;

	if (length < 0)	/* the file system has none */
		return NULL;
	names = xcalloc((size_t)length + 1, 1);
	length = listxattr(from, names, (size_t)length);
	for (char *name = names; name < names + length && lost == NULL; name += strlen(name) + 1) {
		listed |= strcmp(name, list_of_access) == 0;
		if (!copy(from, to, name))
			lost = xstrdup(name);
	}
	if (!listed)
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
