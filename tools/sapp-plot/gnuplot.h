/* Gnuplot: a child that turns a program into a picture. */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include <stdio.h>

/* File types that can be written, by extension. Exits with STATUS_USAGE on another one. */
void gnuplot_check_type(const char *path);

/*
 * The program's file: the terminal is set up for PATH and a page of WIDTH x HEIGHT pixels with letters of
 * FONT pixels. Write data and variables to it, then gnuplot_draw() with one of share's *.gp.
 */
FILE *gnuplot_open(const char *path, int width, int height, double font);
/*
 * Run PROGRAM, which is closed, then SCRIPT of the share directory; PATH is replaced when all went well. An SVG's own
 * title is TITLE, which browsers and readers of the screen show.
 */
void gnuplot_draw(FILE *program, const char *script, const char *path, const char *title);

#endif
