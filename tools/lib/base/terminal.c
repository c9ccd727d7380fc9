#include "terminal.h"

#include <err.h>
#include <unistd.h>

void
terminal_wait(const char *what)
{
	if (isatty(STDIN_FILENO))
		warnx("waiting for %s from the terminal, as no file is named; Ctrl-D ends the input, -h shows the "
		    "options", what);
}
