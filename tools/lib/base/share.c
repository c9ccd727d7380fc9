#include "share.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "alloc.h"

#ifndef DATADIR
#define DATADIR "/usr/local/share/sapp"
#endif

char *
share_path(const char *name)
{
	/* Relative paths from the tool: when installed, and in the source tree. */
	static const char *const beside[] = { "../share/sapp", "../../share" };
	const char *directory = getenv("SAPP_SHARE");
	char self[PATH_MAX], *path;
	ssize_t n;

	if (directory != NULL)
		return xasprintf("%s/%s", directory, name);
	n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n > 0) {
		self[n] = '\0';
		dirname(self);
		for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
			path = xasprintf("%s/%s/%s", self, beside[i], name);
			if (access(path, R_OK) == 0)
				return path;
			free(path);
		}
	}
	return xasprintf("%s/%s", DATADIR, name);
}
