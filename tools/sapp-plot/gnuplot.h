/* Gnuplot: a child process that turns a program into a picture. */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include <stdio.h>

/* Exit with STATUS_USAGE unless the extension is a supported file type. */
void gnuplot_check_type(const char *path);

/*
 * Return the file of a program with the terminal set for PATH, a page of WIDTH x HEIGHT pixels and letters of FONT
 * pixels. Write data and variables to it, then call gnuplot_draw() with a *.gp file of share/.
 */
FILE *gnuplot_open(const char *path, int width, int height, double font);
/*
 * Run and close PROGRAM, then SCRIPT of the share directory; replace PATH on success. TITLE: title element of an SVG,
 * for browsers and screen readers.
 */
void gnuplot_draw(FILE *program, const char *script, const char *path, const char *title);

#endif
