/* Results leave whole or not at all. */
#include "output.h"

#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "status.h"

enum { OPEN_MAX_FILES = 8 };
static char *volatile pending[OPEN_MAX_FILES];	/* temporaries to remove if we end early */

static void
remove_pending(void)
{
	for (int i = 0; i < OPEN_MAX_FILES; i++)
		if (pending[i] != NULL)
			unlink(pending[i]);
}

static void
end(int sig)
{
	remove_pending();
	signal(sig, SIG_DFL);
	raise(sig);
}

/* On exit, and by the signals that end us; a tool that handles one itself exits. */
static void
remove_early(void)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGTERM, SIGPIPE };

	atexit(remove_pending);
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		struct sigaction sa;

		if (sigaction(signals[i], NULL, &sa) == 0 && sa.sa_handler == SIG_DFL)
			signal(signals[i], end);
	}
}

void
stdout_close(void)
{
	int lost = ferror(stdout);

	if (fclose(stdout) != 0 || lost)
		err(STATUS_ERROR, "cannot write to standard output");
}

void
output_open(struct output *o, const char *path)
{
	static int registered;
	struct stat st;
	mode_t mask;
	int fd, slot = 0;

	while (slot < OPEN_MAX_FILES && pending[slot] != NULL)
		slot++;
	if (slot == OPEN_MAX_FILES)
		errx(STATUS_ERROR, "%s: too many output files at once", path);
	if (!registered++)
		remove_early();
	/* Follow a link, so that the file behind it is replaced and not the link. */
	o->path = realpath(path, NULL);
	if (o->path == NULL)
		o->path = xstrdup(path);
	if (stat(o->path, &st) == 0 && !S_ISREG(st.st_mode)) {
		/* A device or pipe cannot be renamed over: write to it as it is. */
		o->temporary = NULL;
		o->file = fopen(o->path, "w");
	} else {
		mask = umask(0);
		umask(mask);
		o->temporary = xasprintf("%s.XXXXXX", o->path);
		fd = mkstemp(o->temporary);
		if (fd >= 0)
			pending[slot] = o->temporary;
		if (fd >= 0 && fchmod(fd, stat(o->path, &st) == 0 ? st.st_mode & 07777 : 0666 & ~mask) != 0)
			err(STATUS_ERROR, "%s", o->temporary);
		o->file = fd < 0 ? NULL : fdopen(fd, "w");
	}
	if (o->file == NULL)
		err(STATUS_ERROR, "%s: cannot be written", path);
}

void
output_commit(struct output *o)
{
	int lost = ferror(o->file);

	if (fclose(o->file) != 0 || lost)
		err(STATUS_ERROR, "%s: cannot be written", o->path);
	if (o->temporary != NULL) {
		if (rename(o->temporary, o->path) != 0)
			err(STATUS_ERROR, "%s: cannot be replaced", o->path);
		for (int i = 0; i < OPEN_MAX_FILES; i++)
			if (pending[i] == o->temporary)
				pending[i] = NULL;
	}
	free(o->temporary);
	free(o->path);
}
