#include "ranking.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"

enum { PRUNE_LEAST = 1024 };

struct ranking
ranking_new(size_t k, double alike, size_t size, void (*drop)(void *))
{
	return (struct ranking){ .k = k, .alike = alike, .size = size, .drop = drop, .worst = INFINITY,
	    .prune_at = PRUNE_LEAST };
}

struct rank
rank_of(const struct configuration *c, double step_time, double lower_bound, bool fits)
{
	return (struct rank){ .step_time = step_time, .lower_bound = lower_bound, .fits = fits,
	    .simple = { c->cp, c->tp, c->pp, c->vp, c->mbs } };
}

static void *
slot_of(const struct ranking *r, const struct rank *k)
{
	return r->slots + k->slot * r->size;
}

ORDER_BY(compare_keys, struct rank, it->key, it->came)

static int
compare_rows(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	for (size_t i = 0; i < sizeof x->simple / sizeof x->simple[0]; i++)
		if (x->simple[i] != y->simple[i])
			return x->simple[i] < y->simple[i] ? -1 : 1;
	return compare_keys(a, b);
}

static bool
agree(double a, double b, double fraction)
{
	return fabs(a - b) <= fraction * fmin(fabs(a), fabs(b));
}

static bool
is_alike(const struct ranking *r, const struct rank *a, const struct rank *b)
{
	return a->fits == b->fits && agree(a->key, b->key, r->alike) && agree(a->step_time, b->step_time, r->alike) &&
	    agree(a->lower_bound, b->lower_bound, r->alike);
}

/*
 * Sort the ranks and form rows. A rank joins the first row whose best it equals, otherwise it starts a row. Move the
 * first WANTED rows to the front, and return the number of ranks in them. Set *ROWS to the number of rows.
 */
static size_t
deal(struct ranking *r, size_t wanted, size_t *rows)
{
	size_t *first = xcalloc(r->n + 1, sizeof *first), n = 0, from = 0, kept = 0;

	SORT(r->at, r->n, compare_keys);
	for (size_t i = 0; i < r->n; i++) {
		struct rank *now = &r->at[i];

		now->row = SIZE_MAX;
		while (from < n && !agree(r->at[first[from]].key, now->key, r->alike))
			from++;
		for (size_t k = from; r->alike > 0 && k < n && now->row == SIZE_MAX; k++)
			if (is_alike(r, &r->at[first[k]], now))
				now->row = k;
		if (now->row == SIZE_MAX && n == wanted)
			continue;
		if (now->row == SIZE_MAX) {
			now->row = n;
			first[n++] = i;
		}
		kept++;
	}
	SORT(r->at, r->n, compare_rows);
	*rows = n;
	free(first);
	return kept;
}

/* Drop all ranks after the first KEPT. */
static void
cut(struct ranking *r, size_t kept)
{
	for (size_t i = kept; i < r->n; i++) {
		if (r->drop != NULL)
			r->drop(slot_of(r, &r->at[i]));
		r->spare[r->nspare++] = r->at[i].slot;
	}
	r->n = kept;
}

/*
 * Drop ranks that cannot be in the final rows. Later ranks may split rows, so twice the wanted number of rows is kept.
 */
static void
prune(struct ranking *r)
{
	size_t wanted = r->alike > 0 ? 2 * r->k : r->k, rows, kept = deal(r, wanted, &rows);

	if (rows == wanted && kept < r->n) {
		cut(r, kept);
		r->worst = 0;
		for (size_t i = 0; i < r->n; i++)
			r->worst = i == 0 ? r->at[i].key : fmax(r->worst, r->at[i].key);
	}
	r->prune_at = 2 * r->n > PRUNE_LEAST ? 2 * r->n : PRUNE_LEAST;
}

void *
ranking_offer(struct ranking *r, const struct rank *offered)
{
	struct rank *k;

	if (offered->key > r->worst)
		return NULL;
	if (r->n >= r->prune_at)
		prune(r);
	if (r->n == r->room) {
		r->room = r->room > 0 ? 2 * r->room : 64;
		r->at = xreallocarray(r->at, r->room, sizeof *r->at);
		r->slots = xreallocarray(r->slots, r->room, r->size);
		r->spare = xreallocarray(r->spare, r->room, sizeof *r->spare);
	}
	k = &r->at[r->n++];
	*k = *offered;
	k->came = r->came++;
	k->slot = r->nspare > 0 ? r->spare[--r->nspare] : r->n - 1;
	return slot_of(r, k);
}

void
ranking_finish(struct ranking *r)
{
	cut(r, deal(r, r->k, &r->nrows));
	r->row = xcalloc(r->nrows + 1, sizeof *r->row);
	for (size_t i = r->n; i-- > 0; )
		r->row[r->at[i].row] = i;
	r->row[r->nrows] = r->n;
}

size_t
ranking_members(const struct ranking *r, size_t row)
{
	return r->row[row + 1] - r->row[row];
}

void *
ranking_at(const struct ranking *r, size_t row, size_t number)
{
	return slot_of(r, &r->at[r->row[row] + number]);
}

void
ranking_free(struct ranking *r)
{
	cut(r, 0);
	free(r->at);
	free(r->slots);
	free(r->spare);
	free(r->row);
	*r = (struct ranking){ 0 };
}

void
ranking_tell(struct prediction *p, const struct configuration *c, const char *name)
{
	struct alike *a = array_add(&alike_fields, &p->alike);

	*a = (struct alike){ .name = name != NULL ? xstrdup(name) : configuration_name(c), .dp = c->dp, .tp = c->tp,
	    .cp = c->cp, .pp = c->pp, .ep = c->ep, .vp = c->vp, .mbs = c->mbs };
	field_give(&prediction_fields, p, offsetof(struct prediction, alike));
}

char *
ranking_words(const struct prediction *p)
{
	static const struct {
		const char *name;
		size_t own, other;
	} by[] = {
#define BY(m) { #m, offsetof(struct configuration, m), offsetof(struct alike, m) }
		BY(cp), BY(tp), BY(pp), BY(vp), BY(mbs), BY(ep), BY(dp),
#undef BY
	};
	const struct alike *a = p->alike.at;

	if (p->alike.n == 0)
		return xstrdup("");
	for (size_t k = 0; k < sizeof by / sizeof by[0]; k++) {
		int own = *(const int *)((const char *)&p->of + by[k].own), least = own, most = own;

		for (int i = 0; i < p->alike.n; i++) {
			int other = *(const int *)((const char *)&a[i] + by[k].other);

			least = other != own && (other < least || least == own) ? other : least;
			most = other != own && (other > most || most == own) ? other : most;
		}
		if (least != own)
			return least == most ? xasprintf(", and %d alike with %s %d", p->alike.n, by[k].name, least) :
			    xasprintf(", and %d alike with %s %d to %d", p->alike.n, by[k].name, least, most);
	}
	return xasprintf(", and %d alike", p->alike.n);
}
