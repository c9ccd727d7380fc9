/* Page: text and boxes at pixels, for titles, legends and captions whose places are computed, not guessed. */
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
/* The middle of the text's height is at Y, counted from the top of the page. */
void page_text(struct page *, enum page_set, double x, double y, int rgb, const char *text);
/* The title of a page so wide, cut where it is longer. */
void page_title(struct page *, double width, const char *text);
void page_box(struct page *, double x, double y, double width, double height, int rgb);
/* A horizontal dashed line. */
void page_line(struct page *, double x, double y, double width, int rgb);
/* One of gnuplot's point types. */
void page_point(struct page *, double x, double y, int type, int rgb);
/* Pixels, an upper estimate. */
double page_width(const struct page *, const char *text);
/* A copy that is no wider, cut with an ellipsis if need be. */
char *page_fit(const struct page *, const char *text, double width);
/* PIECES (ended by NULL) one after the other, " · " between them, in lines of WIDTH, within pieces only where one is
 * longer than a line; returns how many lines. DRY: writes nothing. */
int page_paragraph(struct page *, double x, double y, double width, double line, char *const pieces[],
    bool dry);
/* One row of at most WIDTH: what the colours of the blocks mean, in fewer words where it is narrow. */
void page_legend(struct page *, double x, double y, double width, const struct run *);
/* Define the data blocks for share/page.gp. */
void page_close(struct page *, FILE *program);
/* A time or amount of memory as people read it. */
char *page_number(double x);
/* A time with its unit: seconds from TIME_SECONDS on. */
enum { TIME_SECONDS = 10000 };	/* ms */
char *page_time(double ms);

#endif
