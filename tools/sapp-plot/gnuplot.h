/* Gnuplot: a child process that turns a program into a picture. */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include <stdio.h>

/* Exit with STATUS_USAGE unless the extension of PATH is a supported file type. */
void gnuplot_check_type(const char *path);

/*
 * Return a file for a gnuplot program whose terminal is set for PATH: a page of WIDTH x HEIGHT pixels, with letters of
 * FONT pixels. Write data and variables to the file, then call gnuplot_draw() with a *.gp file of share/.
 */
FILE *gnuplot_open(const char *path, int width, int height, double font);
/*
 * Run PROGRAM, which is closed, and then SCRIPT of share/. On success replace PATH. TITLE: title element of an SVG, for
 * browsers and screen readers.
 */
void gnuplot_draw(FILE *program, const char *script, const char *path, const char *title);

#endif
