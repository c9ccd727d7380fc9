/* Page: text and boxes at pixel positions, for computed titles, legends and captions. */
#ifndef PAGE_H
#define PAGE_H

#include <stdio.h>

#include "run.h"

enum page_set { PAGE_TITLE, PAGE_LEFT, PAGE_RIGHT, PAGE_CENTRE, PAGE_BOX, PAGE_LINE, PAGE_POINT, PAGE_SETS };

struct page {
	double font;			/* pixels */
	FILE *file[PAGE_SETS];
	char *text[PAGE_SETS];
	size_t size[PAGE_SETS];
};

void page_open(struct page *, double font);
/* Y: middle of the text's height, from the top of the page. */
void page_text(struct page *, enum page_set, double x, double y, int rgb, const char *text);
/* Write the page title, cut to WIDTH. */
void page_title(struct page *, double width, const char *text);
void page_box(struct page *, double x, double y, double width, double height, int rgb);
/* Draw a horizontal dashed line. */
void page_line(struct page *, double x, double y, double width, int rgb);
/* Draw one of gnuplot's point types. */
void page_point(struct page *, double x, double y, int type, int rgb);
/* Return an upper estimate of the width, pixels. */
double page_width(const struct page *, const char *text);
/* Return a copy cut with an ellipsis to WIDTH. */
char *page_fit(const struct page *, const char *text, double width);
/*
 * Write PIECES (NULL-terminated) separated by " · " in lines of WIDTH, breaking only pieces longer than a line; return
 * the number of lines. DRY: only count.
 */
int page_paragraph(struct page *, double x, double y, double width, double line, char *const pieces[],
    bool dry);
/* Draw the legend of block colours in a row of WIDTH, with fewer words if narrow. */
void page_legend(struct page *, double x, double y, double width, const struct plot_run *);
/* Define the data blocks for share/page.gp. */
void page_close(struct page *, FILE *program);
/* Format a time or an amount of memory. */
char *page_number(double x);
/* Format a time with its unit: seconds from TIME_SECONDS on. */
enum { TIME_SECONDS = 10000 };	/* ms */
char *page_time(double ms);

#endif
