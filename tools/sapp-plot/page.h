/* Page: text and boxes at positions in pixels, for titles, legends and captions that are computed. */
#ifndef PAGE_H
#define PAGE_H

#include <stdio.h>

#include "run.h"

enum page_set { PAGE_TITLE, PAGE_LEFT, PAGE_RIGHT, PAGE_CENTRE, PAGE_BOX, PAGE_LINE, PAGE_POINT, PAGE_SETS };

struct page {
	double font;			/* size in pixels */
	FILE *file[PAGE_SETS];
	char *text[PAGE_SETS];
	size_t size[PAGE_SETS];
};

void page_open(struct page *, double font);
/* Write TEXT. Y: middle of its height, from the top of the page. */
void page_text(struct page *, enum page_set, double x, double y, int rgb, const char *text);
/* Write the title of the page, cut to WIDTH. */
void page_title(struct page *, double width, const char *text);
void page_box(struct page *, double x, double y, double width, double height, int rgb);
/* Draw a horizontal dashed line. */
void page_line(struct page *, double x, double y, double width, int rgb);
/* Draw a point of one of gnuplot's types. */
void page_point(struct page *, double x, double y, int type, int rgb);
/* Return an upper estimate of the width of a text, pixels. */
double page_width(const struct page *, const char *text);
/* Return a copy of TEXT, cut to WIDTH with an ellipsis; caller frees. */
char *page_fit(const struct page *, const char *text, double width);
/*
 * Write PIECES (NULL-terminated), separated by " · ", in lines of WIDTH. Only pieces longer than a line are broken.
 * Return the number of lines. DRY: only count them.
 */
int page_paragraph(struct page *, double x, double y, double width, double line, char *const pieces[],
    bool dry);
/* Draw the legend of block colours in a row of WIDTH, with fewer words if it is narrow. */
void page_legend(struct page *, double x, double y, double width, const struct plot_run *);
/* Write the data blocks for share/page.gp. */
void page_close(struct page *, FILE *program);
/* Return a time or an amount of memory as text; caller frees. */
char *page_number(double x);
/* Return a time with its unit as text, in s from TIME_SECONDS on; caller frees. */
enum { TIME_SECONDS = 10000 };	/* ms */
char *page_time(double ms);

#endif
