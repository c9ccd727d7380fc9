/* Draw: the pictures. Each fills the data of one program of share/. */
#ifndef DRAW_H
#define DRAW_H

#include "axis.h"
#include "lib/field/table.h"
#include "page.h"

struct drawing {
	const char *path;	/* NULL: standard output */
	const char *title;	/* NULL: made from the records */
	int width, height;	/* pixels */
};

/* One strategy: blocks above memory. share/timeline.gp */
void draw_timeline(const struct drawing *, struct run *);
/* Several below one another on one time axis, their peaks beside them. share/compare.gp */
void draw_compare(const struct drawing *, struct run *const s[], int n);

/* One simulated plan: bars of where time and memory of each stage go. share/stages.gp */
void draw_stages(const struct drawing *, const struct runs *, struct run *);
/* Step times of plans against memory limits; reads the records itself. share/sweep.gp */
void draw_sweep(const struct drawing *, char *const operands[]);
/* A page of the same with tables to sort, estimates of configurations among them. share/sweep.html */
void draw_sweep_page(const struct drawing *, char *const operands[]);
/* A page to zoom and point at, with all of them; PATH NULL: to standard output. share/timeline.html */
void draw_html(const struct drawing *, const struct runs *, struct run *const s[], int n);
/* To standard output, as wide as the terminal is. */
void draw_terminal(const struct drawing *, struct run *);

/* Size of letters for a page. */
double draw_font(const struct drawing *);
/*
 * As large as the numbers of micro-batches can be so that every block has one, at most FONT; 0: too small to be read.
 */
double draw_letter(const struct run *, const struct axis *, double row, double font);
/* $block and $number: the blocks of S, thinned when there are too many; true when they were. Numbers in
 * letters of LETTER, 0 for none. */
bool draw_blocks(FILE *program, const char *suffix, const struct run *s, const struct axis *, double row,
    double letter);
/*
 * $memory0 ... or $shade, $stage and $limit: the memory of every stage in a row of so many pixels; shades where areas
 * would be too low (true).
 */
bool draw_memory(FILE *program, const struct run *s, const struct axis *, double row);
/* One row of at most WIDTH: what the colours of the memory mean. */
void draw_memory_legend(struct page *, const struct run *s, double x, double y, double width, bool shaded);
/* What was asked for, or the model, name, shape, schedule and limit of S, and whether it fits; to be freed. */
char *draw_title(const struct drawing *, const struct run *s);
/* Of several: what they have in common; to be freed. */
char *draw_common_title(const struct drawing *, struct run *const s[], int n);
/* "bubble 0.14 of useful work = ...; 9.1 % of the step idle"; to be freed. */
char *draw_bubble(const struct run *);

#endif
