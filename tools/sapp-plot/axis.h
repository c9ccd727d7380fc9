/* Axis: a time axis shared by strategies; the steady part of long steps is folded away. */
#ifndef AXIS_H
#define AXIS_H

#include "run.h"

struct axis {
	double length;		/* ms, the longest step */
	double from, to;	/* ms, the omitted interval; from == to: nothing */
	double gap;		/* ms, shown in its place */
	double pixels;		/* width */
};

struct axis axis_new(struct plot_run *const s[], int n, double pixels);
/* Return the position of a time: 0 .. axis_span(), in ms. */
double axis_at(const struct axis *, double time);
double axis_span(const struct axis *);
double axis_pixels(const struct axis *, double ms);
/* Return whether the interval is omitted. */
bool axis_hides(const struct axis *, double start, double end);
/* Define TIME (axis label), TICS and unlabelled MARKS in gnuplot's "set xtics" syntax: "('0' 0, '500' 500)". */
void axis_tics(const struct axis *, FILE *program, double font);
/* Return the smallest of 1, 2, 5, 10, 20, ... not below X. */
double axis_round(double x);
/* Return the number of micro-batches of S omitted entirely. */
int axis_hidden_micros(const struct axis *, const struct plot_run *s);

#endif
