#include "place.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "alloc.h"
#include "clipped.h"
#include "control.h"
#include "status.h"

void (*place_exit)(int) = exit;

/* Print one line. Mask control characters in names and values. */
static void
say(struct place at, const char *severity, const char *fmt, va_list ap)
{
	char line[24], *what = xvasprintf(fmt, ap), *all;
	struct clipped number = CLIPPED(line);

	if (at.line > 0)
		clipped_print(&number, ":%ld", at.line);
	all = xasprintf("%s: %s%s%s%s%s", program_invocation_short_name, at.source != NULL ? at.source : "",
	    at.source != NULL ? line : "", at.source != NULL ? ": " : "", severity, what);
	control_mask(all);
	fprintf(stderr, "%s\n", all);
	free(all);
	free(what);
}

void
place_die(struct place at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(at, "", fmt, ap);
	va_end(ap);
	place_exit(STATUS_ERROR);
	abort();	/* place_exit() must not return */
}

void
place_say(struct place at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(at, "", fmt, ap);
	va_end(ap);
}

void
place_warn(struct place at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(at, "warning: ", fmt, ap);
	va_end(ap);
}
