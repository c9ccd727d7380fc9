/* Contents: layers added one by one. */
#include "contents.h"

#include <stdlib.h>

#include "lib/base/alloc.h"

static int
by_activation(const void *a, const void *b)
{
	const struct mix *x = a, *y = b;
	int order = mpz_cmp(x->activation, y->activation);

	return order != 0 ? order : mpz_cmp(x->backward, y->backward);
}

static void
mix_clear(struct mix *m)
{
	mpz_clear(m->activation);
	mpz_clear(m->backward);
}

/* Leave out what is no faster than one with less activation. */
static void
thin(struct front *f)
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

/* The mixes of BEFORE with a layer of B more, which is recomputed by KIND. */
static void
extend(const struct question *q, const struct front *before, const struct body *b, int kind, struct front *to)
{
	for (int i = 0; i < before->n; i++) {
		struct mix *m = APPEND(to->mix, to->n);

		mpz_init(m->activation);
		mpz_init(m->backward);
		mpz_add(m->activation, before->mix[i].activation, ledger_at(&q->mb, b->activation[kind]));
		mpz_add(m->backward, before->mix[i].backward, ledger_at(&q->ms, b->backward[kind]));
	}
}

/* BEFORE (NULL: nothing) and a layer of B. */
static int
content_add(struct contents *c, int before, const struct body *b)
{
	const struct question *q = c->question;
	struct content *to = APPEND(c->at, c->n);
	const struct content *from = before >= 0 ? &c->at[before] : NULL;

	*to = (struct content){ .layers = from != NULL ? from->layers + 1 : 0 };
	mpz_init(to->forward);
	mpz_init(to->parameter);
	mpz_init(to->transient);
	mpz_init(to->floor);
	if (from == NULL) {
		struct mix *m = APPEND(to->front[NO_KIND].mix, to->front[NO_KIND].n);

		mpz_init(m->activation);
		mpz_init(m->backward);
		return c->n - 1;
	}
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
	return c->n - 1;
}

void
contents_open(struct contents *c, const struct question *q, int most)
{
	/* [bodies][most + 1], the contents of one body; 0: not made yet */
	int *alone = xcalloc((size_t)q->nbodies * (size_t)(most + 1), sizeof *alone), at = 0;

	*c = (struct contents){ .question = q, .width = most + 1 };
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
contents_free(struct contents *c)
{
	for (int i = 0; i < c->n; i++) {
		struct content *k = &c->at[i];

		for (int last = 0; last <= NO_KIND; last++) {
			for (int m = 0; m < k->front[last].n; m++)
				mix_clear(&k->front[last].mix[m]);
			free(k->front[last].mix);
		}
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
contents_find(const struct contents *c, int first, int layers)
{
	return layers < c->width ? c->index[(size_t)first * (size_t)c->width + (size_t)layers] : -1;
}

bool
content_least(const struct content *c, int live, const mpz_t room, mpz_t out)
{
	bool any = false;
	mpz_t need;

	mpz_init(need);
	for (int last = 0; last <= NO_KIND; last++)
		for (int i = 0; i < c->front[last].n; i++) {
			const struct mix *m = &c->front[last].mix[i];

			mpz_mul_si(need, m->activation, live);
			if (mpz_cmp(need, room) > 0 || (any && mpz_cmp(m->backward, out) >= 0))
				continue;
			mpz_set(out, m->backward);
			any = true;
		}
	mpz_clear(need);
	return any;
}
