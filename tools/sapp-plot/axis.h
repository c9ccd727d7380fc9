/* Axis: a time axis that strategies share. The steady part of long steps is omitted. */
#ifndef AXIS_H
#define AXIS_H

#include "run.h"

struct axis {
	double length;		/* ms, longest step */
	double from, to;	/* ms, omitted interval; from == to: none */
	double gap;		/* ms, length shown instead of the omitted interval */
	double pixels;		/* width in pixels */
};

struct axis axis_new(struct plot_run *const s[], int n, double pixels);
/* Return the position of a time, 0 to axis_span(), in ms. */
double axis_at(const struct axis *, double time);
double axis_span(const struct axis *);
double axis_pixels(const struct axis *, double ms);
/* Return whether the interval is omitted. */
bool axis_hides(const struct axis *, double start, double end);
/*
 * Write TIME (label of the axis), TICS and MARKS (without labels) in the syntax of gnuplot's "set xtics": "('0' 0,
 * '500' 500)".
 */
void axis_tics(const struct axis *, FILE *program, double font);
/* Return the smallest of 1, 2, 5, 10, 20, ... that is at least X. */
double axis_round(double x);
/* Return the number of micro-batches of S that are omitted entirely. */
int axis_hidden_micros(const struct axis *, const struct plot_run *s);

#endif
