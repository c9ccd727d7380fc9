/* Draw the pictures. Each function fills in the data of a program in share/. */
#ifndef DRAW_H
#define DRAW_H

#include "lib/base/table.h"
#include "axis.h"
#include "page.h"

struct drawing {
	const char *path;	/* NULL: standard output */
	const char *title;	/* NULL: made from the records */
	const char *note;	/* file with the text that a page of strategies begins with, or NULL */
	int width, height;	/* pixels */
};

/* Draw a strategy: blocks above memory. share/timeline.gp */
void draw_timeline(const struct drawing *, struct plot_run *);
/* Draw strategies one below the other on a common time axis, with their peaks. share/compare.gp */
void draw_compare(const struct drawing *, struct plot_run *const s[], int n);

/* Draw time and memory by use of each stage of a plan, as bars. share/stages.gp */
void draw_stages(const struct drawing *, const struct plot_runs *, struct plot_run *);
/* Draw step times against memory limits; reads the records. share/sweep.gp */
void draw_sweep(const struct drawing *, char *const operands[]);
/* Write a page of the plans with sortable tables, including estimates. share/sweep.html */
void draw_sweep_page(const struct drawing *, char *const operands[]);
/* Write an interactive page of all strategies; PATH NULL: stdout. share/timeline.html */
void draw_html(const struct drawing *, const struct plot_runs *, struct plot_run *const s[], int n);
/* Draw with characters on stdout, as wide as the terminal. */
void draw_terminal(const struct drawing *, struct plot_run *);

/* Return the font size of a page. */
double draw_font(const struct drawing *);
/* Return the largest font size, up to FONT, at which micro-batch numbers fit all blocks; 0: unreadably small. */
double draw_letter(const struct plot_run *, const struct axis *, double row, double font);
/*
 * Define $block and $number, the blocks of S; return true if there were too many and they were thinned. LETTER: font
 * size of numbers, 0: none.
 */
bool draw_blocks(FILE *program, const char *suffix, const struct plot_run *s, const struct axis *, double row,
    double letter);
/*
 * Define $memory0 ... or $shade, $stage and $limit: the memory of each stage, in rows of ROW pixels. Return true for
 * shades, used if areas would be too low.
 */
bool draw_memory(FILE *program, const struct plot_run *s, const struct axis *, double row);
/* Draw the legend of memory colours in a row of WIDTH. */
void draw_memory_legend(struct page *, const struct plot_run *s, double x, double y, double width, bool shaded);
/* Return the title given, or model, name, shape, schedule, limit and fit of S; caller frees. */
char *draw_title(const struct drawing *, const struct plot_run *s);
/* Return the common part of several titles; caller frees. */
char *draw_common_title(const struct drawing *, struct plot_run *const s[], int n);
/* Return "bubble 0.14 of useful work = ...; 9.1 % of the step idle"; caller frees. */
char *draw_bubble(const struct plot_run *);

#endif
