/* Axis: the time axis that one or several strategies share, its steady part folded away when it is long. */
#ifndef AXIS_H
#define AXIS_H

#include "run.h"

struct axis {
	double length;		/* ms, the longest step */
	double from, to;	/* ms, left out; from == to: nothing */
	double gap;		/* ms, what is shown instead */
	double pixels;		/* width */
};

struct axis axis_new(struct run *const s[], int n, double pixels);
/* Where a time stands, in ms of what is shown: 0 .. axis_span(). */
double axis_at(const struct axis *, double time);
double axis_span(const struct axis *);
double axis_pixels(const struct axis *, double ms);
/* Is all of this time left out? */
bool axis_hides(const struct axis *, double start, double end);
/*
 * Define TIME, the label of the axis, TICS and, without labels, MARKS, as gnuplot's "set xtics" takes them:
 * "('0' 0, '500' 500)".
 */
void axis_tics(const struct axis *, FILE *program, double font);
/* The smallest of 1, 2, 5, 10, 20, ... that is at least X. */
double axis_round(double x);
/* Micro-batches of S that are left out altogether. */
int axis_hidden_micros(const struct axis *, const struct run *s);

#endif
