#include "texture.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"

static const double apart = 1.15;	/* minimum ratio of times between kernels that differ */
static const double grain = 500;	/* ns; smaller differences do not count */
static const double alike = 0.6;	/* minimum fraction of equal kernels between two anchors */
enum { MAX_KINDS = 12, MAX_LAYER = 4000, LEAST_REPEAT = 5 };

struct timed_kernel {
	uint32_t symbol;
	int64_t time;		/* ns */
	size_t at;
};

ORDER_BY(by_symbol, struct timed_kernel, it->symbol, it->time, it->at)

uint32_t *
texture_of(const struct work *w)
{
	struct timed_kernel *k = xcalloc(w->n + 1, sizeof *k);
	uint32_t *texture = xcalloc(w->n + 1, sizeof *texture), number = 0;

	for (size_t i = 0; i < w->n; i++)
		k[i] = (struct timed_kernel){ w->at[i]->symbol, w->at[i]->end - w->at[i]->start, i };
	SORT(k, w->n, by_symbol);
	for (size_t i = 0; i < w->n; i++) {
		number += i == 0 || k[i].symbol != k[i - 1].symbol ||
		    (double)k[i].time > apart * (double)k[i - 1].time + grain;
		texture[k[i].at] = number;
	}
	free(k);
	return texture;
}

struct stretch {		/* kernels [from, from + n) */
	size_t from, n, times;
};

/* Return the length of the longest common subsequence of two stretches, relative to the longer stretch. */
static double
likeness(const uint32_t t[], const struct stretch *a, const struct stretch *b)
{
	size_t *row = xcalloc(b->n + 1, sizeof *row), longer = a->n > b->n ? a->n : b->n;
	double share;

	for (size_t i = 0; i < a->n; i++)
		for (size_t j = 0, diagonal = 0; j < b->n; j++) {
			size_t above = row[j + 1];

			row[j + 1] = t[a->from + i] == t[b->from + j] ? diagonal + 1 : above > row[j] ? above : row[j];
			diagonal = above;
		}
	share = longer > 0 ? (double)row[b->n] / (double)longer : 1;
	free(row);
	return share;
}

/* Add the kernels between two kernels of a type to the kinds of stretches. Return false if the kinds are too many. */
static bool
add_stretch(struct stretch kind[], size_t *n, const uint32_t t[], struct stretch x)
{
	for (size_t i = 0; i < *n; i++)
		if (kind[i].n == x.n && memcmp(&t[kind[i].from], &t[x.from], x.n * sizeof *t) == 0) {
			kind[i].times++;
			return true;
		}
	if (*n == MAX_KINDS || x.n > MAX_LAYER)
		return false;
	kind[(*n)++] = x;
	return true;
}

/* Return whether all kinds of stretches resemble the most common kind. */
static bool
all_alike(const struct stretch kind[], size_t n, const uint32_t t[])
{
	size_t most = 0;

	for (size_t i = 1; i < n; i++)
		if (kind[i].times > kind[most].times)
			most = i;
	for (size_t i = 0; i < n; i++)
		if (i != most && likeness(t, &kind[i], &kind[most]) < alike)
			return false;
	return n > 0;
}

struct forward_stretches {		/* the parts of a step in which forwards run */
	size_t *of;		/* [work->n]: 1 + index of the kernel's stretch; 0: none */
	size_t *before;		/* [work->n + 1]: number of anchors before each kernel */
};

static struct forward_stretches
forwards_of(const struct work *w, const struct positions *base, const struct positions *gradient)
{
	struct forward_stretches f = { xcalloc(w->n + 1, sizeof *f.of), xcalloc(w->n + 2, sizeof *f.before) };
	size_t next = 0, number = 0;

	for (size_t i = 0; i < w->n; i++) {
		f.before[i + 1] = f.before[i];
		if (next < base->n && base->at[next] == i) {
			f.before[i + 1]++;
			next++;
		}
	}
	for (size_t i = 0, j; i < w->n; i = j) {
		number++;
		for (j = i + 1; j < w->n && !work_transfer(w, j, j) && !positions_any(gradient, j, j + 1); j++)
			;
		for (size_t k = i; k < j && f.before[j] > f.before[i]; k++)
			f.of[k] = number;
	}
	return f;
}

/* Return whether nearly the same kernels run between all neighbours in P, which are kernels of one type. */
static bool
divides(const uint32_t t[], const struct work *w, const struct sequence *s, const struct positions *p,
    const struct forward_stretches *f)
{
	struct stretch kind[MAX_KINDS];
	size_t n = 0, feeds = 0, all = 0;
	bool compared = false;	/* whether a stretch has two gaps in a row */

	for (size_t i = 0; i + 1 < p->n; i++) {
		size_t from = p->at[i] + 1, to = p->at[i + 1];

		compared |= i > 0 && f->of[p->at[i - 1]] == f->of[to];

		if (f->of[p->at[i]] != f->of[to])
			continue;
		if (f->before[to] - f->before[from] > 1 || !work_role(w, s, from, to, ROLE_MATMUL) ||
		    !add_stretch(kind, &n, t, (struct stretch){ from, to - from, 1 }))
			return false;
		all++;
		feeds += work_role(w, s, from, to, ROLE_ACTIVATION);
	}
	/* If only some of the gaps contain a feed-forward network, the gaps are halves of layers. */
	if (feeds > 0 && feeds < all)
		return false;
	return compared && all_alike(kind, n, t);
}

ORDER_BY(by_type, struct timed_kernel, it->symbol, it->at)

uint32_t
texture_finer(const uint32_t t[], const struct work *w, const struct sequence *s, const struct positions *base,
    const struct positions *gradient, size_t *n)
{
	struct forward_stretches f = forwards_of(w, base, gradient);
	struct timed_kernel *k = xcalloc(w->n + 1, sizeof *k);
	struct positions p = { .at = xcalloc(w->n + 1, sizeof *p.at) };
	uint32_t best = NO_ANCHOR;
	size_t most = base->n;

	for (size_t i = 0; i < w->n; i++)
		k[i] = (struct timed_kernel){ w->at[i]->type, 0, i };
	SORT(k, w->n, by_type);
	for (size_t i = 0, j; i < w->n; i = j) {
		uint32_t type = k[i].symbol;

		p.n = 0;
		for (j = i; j < w->n && k[j].symbol == type; j++)
			if (f.of[k[j].at] > 0)
				p.at[p.n++] = k[j].at;
		if (p.n > base->n && !(s->type[type].roles & (ROLE_GRADIENT | ROLE_OPTIMIZER)) && (p.n > most ||
		    (p.n == most && s->type[type].time > s->type[best].time)) && divides(t, w, s, &p, &f)) {
			most = p.n;
			best = type;
		}
	}
	*n = most;
	free(f.of);
	free(f.before);
	free(k);
	free(p.at);
	return best;
}

bool
texture_repeats(const uint32_t t[], const struct work *w, const struct sequence *s, size_t from, size_t to,
    size_t *again)
{
	size_t n = to - from, *row = xcalloc(n + 2, sizeof *row);
	bool found = false;

	/* row[j + 1]: number of equal kernels that end at I and at J. */
	for (size_t i = 0; i < n && n <= MAX_LAYER && !found; i++)
		for (size_t j = n; j-- > i + 1 && !found;) {
			row[j + 1] = t[from + i] == t[from + j] ? row[j] + 1 : 0;
			if (row[j + 1] > j - i)
				row[j + 1] = j - i;
			if (row[j + 1] >= LEAST_REPEAT) {
				size_t begin = from + j + 1 - row[j + 1], end = from + j + 1,
				    product = work_first(w, s, begin, end, ROLE_MATMUL);

				found = product < end && work_role(w, s, product + 1, end, ROLE_MATMUL) &&
				    work_role(w, s, begin, end, ROLE_NORM);
				*again = begin;
			}
		}
	free(row);
	return found;
}
