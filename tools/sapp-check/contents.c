/* Contents: built by adding one layer at a time. */
#include "contents.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

static int
by_activation(const void *a, const void *b)
{
	const struct check_mix *x = a, *y = b;
	int order = mpz_cmp(x->activation, y->activation);

	return order != 0 ? order : mpz_cmp(x->backward, y->backward);
}

static void
mix_clear(struct check_mix *m)
{
	mpz_clear(m->activation);
	mpz_clear(m->backward);
}

static void
front_free(struct contents_front *f)
{
	for (int i = 0; i < f->n; i++)
		mix_clear(&f->mix[i]);
	free(f->mix);
}

/* Drop the mixes for which a mix with less activation is at least as fast. */
static void
thin(struct contents_front *f)
{
	int n = 0;

	if (f->n > 1)
		qsort(f->mix, (size_t)f->n, sizeof *f->mix, by_activation);
	for (int i = 0; i < f->n; i++)
		if (n > 0 && mpz_cmp(f->mix[i].backward, f->mix[n - 1].backward) >= 0)
			mix_clear(&f->mix[i]);
		else
			f->mix[n++] = f->mix[i];
	f->n = n;
}

/* Add the mixes of the front BEFORE with one more layer of body B, recomputed by KIND. */
static void
extend(const struct check_question *q, const struct contents_front *before, const struct check_body *b, int kind,
    struct contents_front *to)
{
	for (int i = 0; i < before->n; i++) {
		struct check_mix *m = APPEND(to->mix, to->n);

		mpz_init(m->activation);
		mpz_init(m->backward);
		mpz_add(m->activation, before->mix[i].activation, ledger_at(&q->mb, b->activation[kind]));
		mpz_add(m->backward, before->mix[i].backward, ledger_at(&q->ms, b->backward[kind]));
	}
}

static void
copy_all(struct contents_front *to, const struct contents_front *from)
{
	for (int i = 0; i < from->n; i++) {
		struct check_mix *m = APPEND(to->mix, to->n);

		mpz_init_set(m->activation, from->mix[i].activation);
		mpz_init_set(m->backward, from->mix[i].backward);
	}
}

/* Add the content that consists of BEFORE (-1: empty) and a layer of B. Return its index. */
static int
content_add(struct check_contents *c, int before, const struct check_body *b)
{
	const struct check_question *q = c->question;
	struct check_content *to = APPEND(c->at, c->n);
	const struct check_content *from = before >= 0 ? &c->at[before] : NULL;

	*to = (struct check_content){ .layers = from != NULL ? from->layers + 1 : 0 };
	to->count = xcalloc((size_t)q->nbodies, sizeof *to->count);
	mpz_init(to->forward);
	mpz_init(to->parameter);
	mpz_init(to->transient);
	mpz_init(to->floor);
	if (from == NULL) {
		struct check_mix *m = APPEND(to->front[NO_KIND].mix, to->front[NO_KIND].n);

		mpz_init(m->activation);
		mpz_init(m->backward);
		copy_all(&to->best, &to->front[NO_KIND]);
		return c->n - 1;
	}
	memcpy(to->count, from->count, (size_t)q->nbodies * sizeof *to->count);
	to->count[b - q->body]++;
	mpz_add(to->forward, from->forward, ledger_at(&q->ms, b->forward));
	mpz_add(to->parameter, from->parameter, ledger_at(&q->mb, b->parameter));
	mpz_add(to->floor, from->floor, ledger_at(&q->mb, b->floor));
	mpz_set(to->transient, from->transient);
	if (mpz_cmp(ledger_at(&q->mb, b->transient), to->transient) > 0)
		mpz_set(to->transient, ledger_at(&q->mb, b->transient));
	for (int last = 0; last <= NO_KIND; last++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (b->has[k] && (b->end || q->follows[last][k]))
				extend(q, &from->front[last], b, k, &to->front[b->end || q->any_mix ? last : k]);
	for (int last = 0; last <= NO_KIND; last++)
		thin(&to->front[last]);
	for (int last = 0; last <= NO_KIND; last++)
		copy_all(&to->best, &to->front[last]);
	thin(&to->best);
	return c->n - 1;
}

void
contents_open(struct check_contents *c, const struct check_question *q, int most)
{
	/* [bodies][most + 1], contents with layers of one body only; 0: not made yet */
	int *alone = xcalloc((size_t)q->nbodies * (size_t)(most + 1), sizeof *alone), at = 0;

	*c = (struct check_contents){ .question = q, .width = most + 1 };
	c->index = xcalloc((size_t)(q->layers + 1) * (size_t)c->width, sizeof *c->index);
	c->body = xcalloc((size_t)q->layers, sizeof *c->body);
	for (int b = 0; b < q->nbodies; b++)
		for (int i = 0; i < q->body[b].layers; i++)
			c->body[at++] = b;
	content_add(c, -1, NULL);
	for (int i = 0; i <= q->layers; i++)
		for (int n = 1; n <= most; n++) {
			int *here = &c->index[(size_t)i * (size_t)c->width + (size_t)n];
			int *same = i < q->layers ? &alone[c->body[i] * c->width + n] : NULL;

			if (i + n > q->layers) {
				*here = -1;
			} else if (c->body[i + n - 1] != c->body[i]) {
				*here = content_add(c, here[-1], &q->body[c->body[i + n - 1]]);
			} else {
				if (*same == 0)
					*same = content_add(c, here[-1], &q->body[c->body[i]]);
				*here = *same;
			}
		}
	free(alone);
}

void
check_contents_free(struct check_contents *c)
{
	for (int i = 0; i < c->n; i++) {
		struct check_content *k = &c->at[i];

		for (int last = 0; last <= NO_KIND; last++)
			front_free(&k->front[last]);
		front_free(&k->best);
		free(k->count);
		mpz_clear(k->forward);
		mpz_clear(k->parameter);
		mpz_clear(k->transient);
		mpz_clear(k->floor);
	}
	free(c->at);
	free(c->index);
	free(c->body);
}

int
check_contents_find(const struct check_contents *c, int first, int layers)
{
	return layers < c->width ? c->index[(size_t)first * (size_t)c->width + (size_t)layers] : -1;
}

/* Return the body of the first layer (AT: 1) or of the last layer (AT: -1); -1: the content is empty. */
static int
outer_body(const struct check_question *q, const struct check_content *c, int at)
{
	for (int i = 0; i < q->nbodies; i++) {
		int b = at > 0 ? i : q->nbodies - 1 - i;

		if (c->count[b] > 0)
			return b;
	}
	return -1;
}

bool
contents_before(const struct check_contents *c, int one, int other)
{
	const struct check_question *q = c->question;
	int last = outer_body(q, &c->at[one], -1), first = outer_body(q, &c->at[other], 1);

	return last < 0 || first < 0 || last < first || (last == first &&
	    c->at[one].count[last] + c->at[other].count[first] <= q->body[first].layers);
}
