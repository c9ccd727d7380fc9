/* Drawings: each function writes the data for a program in share/. */
#ifndef DRAW_H
#define DRAW_H

#include "lib/base/table.h"
#include "axis.h"
#include "page.h"

struct drawing {
	const char *path;	/* file to write; NULL: standard output */
	const char *title;	/* NULL: title made from the records */
	const char *note;	/* file with the introduction of a page of strategies, or NULL */
	int width, height;	/* pixels */
};

/* Draw a strategy: blocks above memory. Uses share/timeline.gp. */
void draw_timeline(const struct drawing *, struct plot_run *);
/* Draw strategies one below the other on a common time axis, with their peaks. Uses share/compare.gp. */
void draw_compare(const struct drawing *, struct plot_run *const s[], int n);

/* Draw the time and memory of each stage of a plan, divided by use, as bars. Uses share/stages.gp. */
void draw_stages(const struct drawing *, const struct plot_runs *, struct plot_run *);
/* Read the records, and draw step times against memory limits. Uses share/sweep.gp. */
void draw_sweep(const struct drawing *, char *const operands[]);
/* Write a page of the plans and estimates with sortable tables. Uses share/sweep.html. */
void draw_sweep_page(const struct drawing *, char *const operands[]);
/* Write an interactive page of N strategies. Uses share/timeline.html. */
void draw_html(const struct drawing *, const struct plot_runs *, struct plot_run *const s[], int n);
/* Draw with characters on standard output, in the width of the terminal. */
void draw_terminal(const struct drawing *, struct plot_run *);

/* Return the font size of a page. */
double draw_font(const struct drawing *);
/*
 * Return the largest font size, at most FONT, at which the numbers of micro-batches fit into all blocks; 0: too small
 * to read.
 */
double draw_letter(const struct plot_run *, const struct axis *, double row, double font);
/*
 * Write $block and $number, the blocks of S. Return true if there were too many blocks, so that columns are drawn.
 * LETTER: font size of numbers, 0: no numbers.
 */
bool draw_blocks(FILE *program, const char *suffix, const struct plot_run *s, const struct axis *, double row,
    double letter);
/*
 * Write the memory of each stage, in rows of ROW pixels: as areas $memory0 and so on, or as $shade, with $stage and
 * $limit. Return true for shades, which are used if areas would be too low.
 */
bool draw_memory(FILE *program, const struct plot_run *s, const struct axis *, double row);
/* Draw the legend of memory colours in a row of WIDTH pixels. */
void draw_memory_legend(struct page *, const struct plot_run *s, double x, double y, double width, bool shaded);
/* Return the given title, or a title made of model, name, shape, schedule, limit and fit of S; caller frees. */
char *draw_title(const struct drawing *, const struct plot_run *s);
/* Return the part that the titles of strategies have in common; caller frees. */
char *draw_common_title(const struct drawing *, struct plot_run *const s[], int n);
/* Return a text such as "bubble 0.14 of useful work = ...; 9.1 % of the step idle"; caller frees. */
char *draw_bubble(const struct plot_run *);

#endif
