#include "knots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"
#include "lib/base/sorted.h"

static const double alike = 0.05;	/* relative difference up to which sizes count as equal */

struct knot {
	const struct observed_communication *of;
	double bytes, time, weight;
};

ORDER_BY(by_size, struct knot, it->of->op, it->of->members, it->of->nodes, it->bytes)

static bool
same(const struct knot *a, const struct knot *b)
{
	return a->of->op == b->of->op && a->of->members == b->of->members && a->of->nodes == b->of->nodes;
}

/*
 * Merge knots with nearly equal sizes, and then knots whose time falls with size (pool adjacent violators). Return the
 * number left.
 */
static size_t
pool(struct knot *k, size_t n)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		if (m > 0 && k[i].bytes <= (1 + alike) * k[m - 1].bytes) {
			double w = k[m - 1].weight + 1;

			k[m - 1].bytes *= pow(k[i].bytes / k[m - 1].bytes, 1 / w);
			k[m - 1].time += (k[i].time - k[m - 1].time) / w;
			k[m - 1].weight = w;
		} else {
			k[m++] = k[i];
		}
	}
	for (size_t i = 1; i < m; i++)
		for (size_t j = i; j > 0 && k[j].time < k[j - 1].time; j--) {
			double w = k[j].weight + k[j - 1].weight;
			double mean = (k[j].weight * k[j].time + k[j - 1].weight * k[j - 1].time) / w;

			k[j].time = k[j - 1].time = mean;
		}
	return m;
}

/* Compute the error of each inner knot if its time is interpolated in logarithms between its neighbours. */
static void
left_out(const struct knot *k, size_t n, struct coefficient *c)
{
	double *each = xcalloc(n, sizeof *each), most = 0;

	for (size_t i = 1; i + 1 < n; i++) {
		double part = log(k[i].bytes / k[i - 1].bytes) / log(k[i + 1].bytes / k[i - 1].bytes);
		double time = k[i - 1].time * pow(k[i + 1].time / k[i - 1].time, part);

		each[i - 1] = fabs(time / k[i].time - 1);
		most = fmax(most, each[i - 1]);
	}
	if (n > 2) {
		GIVE(coefficient, c, left_out, most);
		GIVE(coefficient, c, error, numbers_median(each, n - 2));
	}
	free(each);
}

void
knots_write(FILE *out, const struct fit_sample *s)
{
	struct knot *all = xcalloc(s->ncommunications + 1, sizeof *all);
	size_t n = 0;

	for (size_t i = 0; i < s->ncommunications; i++) {
		const struct observed_communication *m = &s->communication[i].communication;

		if (m->bytes > 0 && m->members > 1 && m->time > 0)
			all[n++] = (struct knot){ m, m->bytes, m->time, 1 };
	}
	SORT(all, n, by_size);
	for (size_t i = 0, j, m; i < n; i = j) {
		struct coefficient c = { .of = (char *)"communication", .source = FROM_MEASURED };

		for (j = i; j < n && same(&all[i], &all[j]); j++)
			;
		m = pool(all + i, j - i);
		GIVE(coefficient, &c, op, all[i].of->op);
		GIVE(coefficient, &c, members, all[i].of->members);
		if (all[i].of->nodes > 0)
			GIVE(coefficient, &c, nodes, all[i].of->nodes);
		GIVE(coefficient, &c, knots, table_new((int)m, 2));
		for (size_t k = 0; k < m; k++) {
			c.knots.at[2 * k] = all[i + k].bytes;
			c.knots.at[2 * k + 1] = all[i + k].time;
		}
		left_out(all + i, m, &c);
		c.runs = (int)(j - i);
		record_put(out, RECORD_COEFFICIENT, &c);
		free(c.knots.at);
	}
	free(all);
}
