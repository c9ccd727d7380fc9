/* Alternatives: lists of the contents of each piece, and their fronts as vectors. */
#include "alternatives.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "sapp-lp/model/tuning.h"

/* Maximum of contents times pieces for listing: MOST_OF_FEW with at most FEW chunks, otherwise MOST. */
static const double MOST = 3e4, MOST_OF_FEW = 1.5e5;
enum { FEW = 4 };

static struct front
front_new(const struct pareto_front *from)
{
	int n = from->thinned ? from->n - 1 : from->n;
	struct front f = { .n = n, .activation = xcalloc((size_t)n, sizeof *f.activation),
		.backward = xcalloc((size_t)from->n, sizeof *f.backward),
		.corner = xcalloc((size_t)n, sizeof *f.corner) };

	f.slowest = f.backward + (from->n - n);
	for (int i = 0; i < from->n; i++)
		f.backward[i] = from->mix[i].backward;
	for (int i = 0; i < n; i++) {
		f.activation[i] = from->mix[from->n - n + i].activation;
		while (f.corners > 1) {
			int a = f.corner[f.corners - 2], b = f.corner[f.corners - 1];

			if ((f.backward[b] - f.backward[a]) * (f.activation[a] - f.activation[i]) <
			    (f.backward[i] - f.backward[a]) * (f.activation[a] - f.activation[b]))
				break;
			f.corners--;
		}
		f.corner[f.corners++] = i;
	}
	return f;
}

static void
add_alternative(struct alternatives *a, int piece, int content)
{
	const struct problem *p = a->problem;
	const struct content *c = &p->contents.content[content];
	int stage = piece % p->stages, chunk = piece / p->stages;
	const struct rows *rows = &p->evaluator.rows[stage];
	struct front *f = &a->front[content];
	struct alternative *to;

	if (f->n == 0)
		*f = front_new(contents_front(&p->contents, content));
	to = APPEND(a->alternative[piece], a->n[piece]);
	*to = (struct alternative){ content, xcalloc((size_t)rows->n, sizeof *to->fixed) };
	for (int r = 0; r < rows->n; r++) {
		to->fixed[r] = row_content_parameter(p, stage, r, c);
		if (p->transient && rows->running[r * p->chunks + chunk] > 0)
			to->fixed[r] += rows->running[r * p->chunks + chunk] * piece_transient(p, piece, c);
		to->fixed[r] += rows->held[r * p->chunks + chunk] * c->kept;
	}
}

/*
 * Return whether a piece with this content, alone on its stage, fits and keeps the stage busy for less than HORIZON,
 * ms.
 */
static bool
can_hold(const struct problem *p, int piece, int content, double horizon)
{
	const struct content *c = &p->contents.content[content];
	int stage = piece % p->stages, chunk = piece / p->stages;
	const struct rows *rows = &p->evaluator.rows[stage];
	struct mix least = { .backward = c->backward };
	struct times t;

	if (!piece_can_hold(p, piece, content))
		return false;
	t = piece_times(p, piece, c, &least);
	if ((t.forward + t.backward) * p->micro * p->pace[stage] * p->together >= horizon)
		return false;
	for (int r = 0; r < rows->n; r++)
		if (row_content_parameter(p, stage, r, c) + rows->live[r * p->chunks + chunk] * c->activation >
		    proof_limit(p, stage) - (row_is_other(p, stage, r) ? 0 : stage_ends(p, stage)))
			return false;
	return true;
}

bool
alternatives_can(const struct problem *p)
{
	return tuning.generated && p->chunks > 1 && !p->parts &&
	    (double)p->pieces * p->contents.ncontents <= (p->chunks > FEW ? MOST : MOST_OF_FEW);
}

struct alternatives *
alternatives_new(const struct problem *p, double horizon)
{
	struct alternatives *a = xcalloc(1, sizeof *a);

	a->problem = p;
	a->front = xcalloc((size_t)p->contents.ncontents, sizeof *a->front);
	a->n = xcalloc((size_t)p->pieces, sizeof *a->n);
	a->alternative = xcalloc((size_t)p->pieces, sizeof *a->alternative);
	for (int i = 0; i < p->pieces; i++)
		for (int c = 0; c < p->contents.ncontents; c++)
			if (can_hold(p, i, c, horizon))
				add_alternative(a, i, c);
	return a;
}

void
alternatives_free(struct alternatives *a)
{
	for (int i = 0; i < a->problem->pieces; i++) {
		for (int k = 0; k < a->n[i]; k++)
			free(a->alternative[i][k].fixed);
		free(a->alternative[i]);
	}
	for (int c = 0; c < a->problem->contents.ncontents; c++) {
		free(a->front[c].activation);
		free(a->front[c].backward);
		free(a->front[c].corner);
	}
	free(a->front);
	free(a->n);
	free(a->alternative);
	free(a);
}
