#include "gnuplot.h"

#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/child.h"
#include "lib/base/control.h"
#include "lib/base/output.h"
#include "lib/base/share.h"
#include "lib/base/status.h"

enum { EXIT_NO_GNUPLOT = 127 };

/* Unit of sizes by type: pixels in SVG and PNG, 1/72 inch in PDF. Fonts of PNG are in points of 4/3 pixels. */
static const struct {
	const char *extension, *terminal;
	double font, unit;
} types[] = {
	{ ".svg", "svg size %g,%g font 'sans-serif,%g' background '#ffffff'", 1, 1 },
	{ ".png", "pngcairo size %g,%g font 'DejaVu Sans,%g' background '#ffffff'", 0.75, 1 },
	{ ".pdf", "pdfcairo size %g,%g font 'DejaVu Sans,%g' background '#ffffff'", 4 / 3.0, 1 / 72.0 },
};
enum { TYPE_SVG, TYPES = sizeof types / sizeof types[0] };

static int
type_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	for (int i = 0; dot != NULL && i < TYPES; i++)
		if (strcasecmp(dot, types[i].extension) == 0)
			return i;
	errx(STATUS_USAGE, "-o: the name does not end in .svg, .png, .pdf or .html '%s'", path);
}

void
gnuplot_check_type(const char *path)
{
	type_of(path);
}

FILE *
gnuplot_open(const char *path, int width, int height, double font)
{
	int type = type_of(path);
	FILE *program = tmpfile();

	if (program == NULL)
		err(STATUS_ERROR, "no temporary file");
	fputs("set encoding utf8\nset datafile separator '\\t'\nset datafile commentschars ''\nset terminal ",
	    program);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	fprintf(program, types[type].terminal, width * types[type].unit, height * types[type].unit,
	    font * types[type].font);
#pragma GCC diagnostic pop
	fprintf(program, "\nW = %d.0\nH = %d.0\nFONT = %g\nSCALE = %g\n", width, height, font,
	    types[type].font);
	return program;
}

/* Start gnuplot with PROGRAM as its standard input; *FROM: its standard output. */
static pid_t
start(FILE *program, FILE **from)
{
	int out[2];
	pid_t child, parent = getpid();

	if (pipe(out) != 0)
		err(STATUS_ERROR, "pipe");
	child = fork();
	if (child < 0)
		err(STATUS_ERROR, "fork");
	if (child == 0) {
		child_dies_with(parent);
		signal(SIGXFSZ, SIG_DFL);
		dup2(fileno(program), STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		close(out[0]);
		close(out[1]);
		/* Use UTF-8 and decimal points in any locale. */
		setenv("LC_ALL", "C.UTF-8", 1);
		/* gnuplot would execute the value of GNUTERM as a command. */
		unsetenv("GNUTERM");
		execlp("gnuplot", "gnuplot", "-d", "-", (char *)NULL);
		_exit(errno == ENOENT ? EXIT_NO_GNUPLOT : 126);
	}
	close(out[1]);
	*from = fdopen(out[0], "r");
	if (*from == NULL)
		err(STATUS_ERROR, "fdopen");
	return child;
}

/* Write TEXT as text of XML: escape markup, and replace control characters by blanks. */
static void
put_xml(FILE *f, const char *text)
{
	for (; *text != '\0'; text++)
		switch (*text) {
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		case '&':
			fputs("&amp;", f);
			break;
		default:
			putc((unsigned char)*text < ' ' ? ' ' : *text, f);
		}
}

/*
 * Copy an SVG with TITLE as its title. Titles of plots are dropped, because browsers show them as tooltips. Return the
 * number of bytes written.
 */
static size_t
copy_svg(FILE *to, FILE *from, const char *title)
{
	static const char begin[] = "<title>", end[] = "</title>";
	char *line = NULL;
	size_t room = 0, total = 0;
	ssize_t n;

	while (!ferror(to) && (n = getline(&line, &room, from)) > 0) {
		const char *at = strstr(line, begin), *behind = at != NULL ? strstr(at, end) : NULL;

		total += (size_t)n;
		if (behind == NULL) {
			fwrite(line, 1, (size_t)n, to);
			continue;
		}
		behind += sizeof end - 1;
		fwrite(line, 1, (size_t)(at - line), to);
		if (strncmp(at, "<title>Gnuplot<", 15) == 0) {
			fputs(begin, to);
			put_xml(to, title);
			fputs(end, to);
		}
		fputs(behind, to);
	}
	free(line);
	return total;
}

static size_t
copy(FILE *to, FILE *from)
{
	char buffer[65536];
	size_t n, total = 0;

	while (!ferror(to) && (n = fread(buffer, 1, sizeof buffer, from)) > 0) {
		fwrite(buffer, 1, n, to);
		total += n;
	}
	return total;
}

void
gnuplot_draw(FILE *program, const char *script, const char *path, const char *title)
{
	char *gp = share_path(script), *directory = xstrndup(gp, strlen(gp) - strlen(script) - 1);
	struct output out;
	FILE *from;
	pid_t child;
	size_t total;
	int status;

	/* A newline within gnuplot's quotes would start a command. */
	if (control_any(gp))
		errx(STATUS_ERROR, "SAPP_SHARE: control characters in the path of %s", script);
	if (access(gp, R_OK) != 0)
		err(STATUS_ERROR, "%s: the drawing program is missing; set SAPP_SHARE to its directory", gp);
	/* Double any quotes within gnuplot's quotes. */
	fputs("SHARE = '", program);
	for (const char *p = directory; *p != '\0'; p++)
		fputs(*p == '\'' ? "''" : (char[]){ *p, '\0' }, program);
	fprintf(program, "'\nload SHARE.'/%s'\nunset output\n", script);
	if (fflush(program) != 0 || ferror(program) || lseek(fileno(program), 0, SEEK_SET) != 0)
		err(STATUS_ERROR, "temporary file for gnuplot");
	output_open(&out, path);
	child = start(program, &from);
	/* Errors of the disk are reported by output_commit(). */
	total = type_of(path) == TYPE_SVG ? copy_svg(out.file, from, title) : copy(out.file, from);
	fclose(from);
	fclose(program);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			err(STATUS_ERROR, "waitpid");
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NO_GNUPLOT)
		errx(STATUS_ERROR, "gnuplot is not installed; Debian's package is gnuplot-nox");
	/* Ignore a failure of gnuplot that our own error in writing caused. */
	if (!ferror(out.file) && (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || total == 0))
		errx(STATUS_ERROR, "gnuplot failed on %s", gp);
	output_commit(&out);
	free(gp);
	free(directory);
}
