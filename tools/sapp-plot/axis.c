#include "axis.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "page.h"

static const double NARROW = 3;		/* pixels of a mean block below which the axis is folded */
static const double LEGIBLE = 7;	/* pixels of a mean block after folding */
static const double GAP = 14;		/* pixels for the omitted part */

/*
 * Find the steady interval: from the time at which all stages have run a backward, to the time at which the first of
 * the stages begins its last forward.
 */
static void
steady_part(const struct plot_run *s, double *from, double *to)
{
	for (int stage = 0; stage < s->stages; stage++) {
		double first_backward = HUGE_VAL, last_forward = 0;

		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
			const struct bar *b = &s->bar[i];

			if (b->phase == PHASE_F)
				last_forward = b->start;
			else if (b->end < first_backward)
				first_backward = b->end;
		}
		*from = fmax(*from, first_backward);
		*to = fmin(*to, last_forward);
	}
}

struct axis
axis_new(struct plot_run *const s[], int n, double pixels)
{
	struct axis a = { .pixels = pixels };
	double from = 0, to = HUGE_VAL, block = HUGE_VAL, wanted, cut;

	for (int i = 0; i < n; i++) {
		double busy = 0;

		a.length = fmax(a.length, s[i]->sim.sim.step_time);
		for (size_t b = 0; b < s[i]->n; b++) {
			a.length = fmax(a.length, s[i]->bar[b].end);
			busy += s[i]->bar[b].end - s[i]->bar[b].start;
		}
		block = fmin(block, busy / fmax(1, (double)s[i]->n));
		steady_part(s[i], &from, &to);
	}
	if (a.length <= 0)
		a.length = 1;	/* all times are zero, so the axis is empty */
	/* Keep a few rounds on both sides. Fold only if that makes blocks wide enough. */
	wanted = block * pixels / LEGIBLE;
	cut = fmin(a.length - wanted, to - from - 12 * block);
	if (block / a.length * pixels < NARROW && cut > a.length / 4) {
		a.from = (from + to - cut) / 2;
		a.to = a.from + cut;
		a.gap = GAP * (a.length - cut) / (pixels - GAP);
	}
	return a;
}

double
axis_at(const struct axis *a, double time)
{
	if (time <= a->from || a->from == a->to)
		return time;
	if (time < a->to)
		return a->from + a->gap * (time - a->from) / (a->to - a->from);
	return time - (a->to - a->from) + a->gap;
}

double
axis_span(const struct axis *a)
{
	return axis_at(a, a->length);
}

double
axis_pixels(const struct axis *a, double ms)
{
	return ms / axis_span(a) * a->pixels;
}

bool
axis_hides(const struct axis *a, double start, double end)
{
	return start >= a->from && end <= a->to && a->to > a->from;
}

double
axis_round(double x)
{
	double unit = pow(10, floor(log10(x)));

	return unit * (unit >= x ? 1 : 2 * unit >= x ? 2 : 5 * unit >= x ? 5 : 10);
}

void
axis_tics(const struct axis *a, FILE *program, double font)
{
	double unit = a->length >= TIME_SECONDS ? 1000 : 1;	/* ms per unit of labels */
	int digits = snprintf(NULL, 0, "%.0f", a->length / unit), decimals;
	/* Leave room for the width of a label between two labels. */
	double room = (digits + 3) * font / a->pixels * axis_span(a), step = axis_round(room);
	const char *comma = "";
	char *bare = NULL;
	size_t size;
	FILE *marks = memstream_open(&bare, &size);

	decimals = step >= unit ? 0 : (int)ceil(-log10(step / unit));
	fputs("TICS = \"(", program);
	for (int k = 0; k * step <= a->length; k++) {
		double t = k * step;

		if (a->to > a->from && t > a->from - room / 4 && t < a->to + room / 4)
			continue;
		fprintf(program, "%s'%.*f' %.9g", comma, decimals, t / unit, axis_at(a, t));
		fprintf(marks, "%s'' %.9g", comma, axis_at(a, t));
		comma = ", ";
	}
	memstream_close(marks);
	fprintf(program, ")\"\nMARKS = \"(%s)\"\nTIME = 'time, %s'\n", bare, unit > 1 ? "s" : "ms");
	free(bare);
}

int
axis_hidden_micros(const struct axis *a, const struct plot_run *s)
{
	char *seen = xcalloc((size_t)s->micros + 1, 1);
	int hidden = s->micros;

	for (size_t i = 0; i < s->n; i++) {
		const struct bar *b = &s->bar[i];

		if (!axis_hides(a, b->start, b->end) && !seen[b->micro]) {
			seen[b->micro] = 1;
			hidden--;
		}
	}
	free(seen);
	return hidden;
}
