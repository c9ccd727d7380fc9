/* What is not trained: frozen classes of layers, and adapters beside frozen products. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "draft.h"
#include "lib/base/alloc.h"

/* Sides of a layer's products, which adapters of rank 1 have as many parameters as; of experts there are none. */
static long
sides(const struct architecture *c, bool feed_forward)
{
	const char *const more[] = { c->up, c->down, c->whole };
	long h = c->hidden_size, heads = c->num_heads, dim = c->head_dim, query = heads * dim, kv = c->kv_heads * dim;
	long key = c->qk_head_dim + c->rope_head_dim, low = c->q_lora_rank > 0 ? c->q_lora_rank : h, n = 0;

	if (c->attention && architecture_latent(c))
		n = (c->q_lora_rank > 0 ? h + low : 0) + low + heads * key + h + c->kv_lora_rank + c->rope_head_dim +
		    c->kv_lora_rank + heads * (c->qk_head_dim + c->v_head_dim) + heads * c->v_head_dim + h;
	else if (c->attention)
		n = 2 * (h + query) + 2 * (h + kv);
	if (feed_forward && c->ffn_size > 0 && c->experts == 0)
		n += (c->gated ? 3 : 2) * (h + c->ffn_size);
	for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
		const char *at = more[i];

		for (int columns, depth; architecture_product(&at, &columns, &depth);)
			n += columns + depth;
	}
	return n;
}

static int
adapters(const struct architecture *c, int rank, bool feed_forward, struct place at)
{
	long all = rank * sides(c, feed_forward);

	if (all > INT_MAX)
		place_die(at, "-lora: more parameters of a layer's adapters than %d '%d'", INT_MAX, rank);
	return (int)all;
}

static void
add_adapters(struct architecture *n, int rank, struct place at)
{
	struct architecture *class = n->classes.at;

	GIVE(architecture, n, frozen, true);
	if (n->pattern.n == 0)
		GIVE(architecture, n, trained, adapters(&class[0], rank, n->experts == 0, at));
	for (int k = 0; k < n->classes.n && n->pattern.n > 0; k++) {
		/* A tower is frozen as it is. */
		bool tower = GIVEN(architecture, &class[k], seq_length);

		GIVE(architecture, &class[k], trained, tower ? 0 : adapters(&class[k], rank, true, at));
	}
}

static void
freeze(struct architecture *n, const char *name, struct place at)
{
	struct architecture *class = n->classes.at;
	bool tower = strcmp(name, "tower") == 0, language = strcmp(name, "language") == 0, found = language;

	if (language)
		GIVE(architecture, n, frozen, true);
	for (int k = 0; k < n->classes.n && n->pattern.n > 0; k++) {
		bool in_front = GIVEN(architecture, &class[k], seq_length);

		if (strcmp(name, class[k].name) == 0 || (tower && in_front)) {
			GIVE(architecture, &class[k], frozen, true);
			found = true;
		} else if (language && in_front && !GIVEN(architecture, &class[k], frozen)) {
			GIVE(architecture, &class[k], frozen, false);
		}
	}
	if (!found)
		place_die(at, "-freeze: neither tower, language nor a class of the network '%s'", name);
}

void
draft_freeze(struct draft *d, const struct additions *more, struct place at)
{
	char *names = more->freeze != NULL ? xstrdup(more->freeze) : NULL, *rest = NULL;

	for (char *name = names != NULL ? strtok_r(names, ",", &rest) : NULL; name != NULL;
	    name = strtok_r(NULL, ",", &rest))
		freeze(&d->net, name, at);
	free(names);
	if (more->lora > 0)
		add_adapters(&d->net, more->lora, at);
	architecture_check(&d->net, at);
}
