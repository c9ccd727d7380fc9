/* Frozen classes of layers, and adapters next to frozen products. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "draft.h"

/*
 * A product of a layer, with its names in PEFT, Megatron-LM and MindFormers. An adapter of rank 1 has as many
 * parameters as the product has rows and columns.
 */
struct product {
	const char *names;	/* separated by spaces */
	long sides;		/* number of rows + number of columns; 0: the layer does not have the product */
	bool fused;		/* it combines several of the other products, and has an adapter only if it is named */
};

struct adapters {
	int rank, n;
	char **name;		/* [n], names of products with adapters; empty: all products */
	bool *found;		/* [n], whether a layer has a product of the name */
	bool experts;		/* whether each routed expert has adapters of its own */
};

static bool
adapted(struct adapters *a, const struct product *p)
{
	bool any = false;

	if (a->n == 0 || p->sides == 0)
		return p->sides > 0 && !p->fused;
	for (int i = 0; i < a->n; i++) {
		size_t length = strlen(a->name[i]);

		for (const char *at = p->names; (at = strstr(at, a->name[i])) != NULL; at += length)
			if ((at == p->names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
				any = a->found[i] = true;
	}
	return any;
}

/* Return the sum of sides of the products in NAMES. Each of them gets an adapter. */
static long
sides_of(struct adapters *a, const char *names, const char *products)
{
	long n = 0;

	for (int columns, depth; architecture_product(&products, &columns, &depth);)
		n += adapted(a, &(struct product){ names, columns + depth, false }) ? columns + depth : 0;
	return n;
}

/* Return the sum of sides of a feed-forward network of WIDTH; 0 if WIDTH is 0. */
static long
feed_forward_sides(struct adapters *a, long hidden, long width, bool gated)
{
	const struct product products[] = {
		{ "mlp gate_proj w1", gated ? hidden + width : 0, false },
		{ "mlp up_proj w3", hidden + width, false },
		{ "linear_fc1 gate_up_proj w_gate_hidden", hidden + (gated ? 2L : 1L) * width, true },
		{ "mlp down_proj linear_fc2 w2", hidden + width, false },
	};
	long all = 0;

	for (size_t i = 0; i < sizeof products / sizeof products[0] && width > 0; i++)
		all += adapted(a, &products[i]) ? products[i].sides : 0;
	return all;
}

static int
parameters_by_rank(const struct adapters *a, long sides, struct place at)
{
	if (sides > INT_MAX / a->rank)
		place_die(at, "adapters: a layer has more than %d parameters at this rank '%d'", INT_MAX, a->rank);
	return (int)(a->rank * sides);
}

/* Return the parameters of a layer's adapters outside routed experts. */
static int
parameters_of(struct adapters *a, const struct architecture *c, bool feed_forward, struct place at)
{
	bool latent = c->attention && architecture_latent(c), low = latent && c->q_lora_rank > 0;
	bool heads = c->attention && !latent;
	long h = c->hidden_size, query = latent ? (long)c->num_heads * (c->qk_head_dim + c->rope_head_dim) :
	    (long)c->num_heads * c->head_dim, kv = (long)c->kv_heads * c->head_dim;
	const struct product products[] = {
		{ "attention q_proj linear_q wq", heads || (latent && !low) ? h + query : 0, false },
		{ "attention k_proj linear_k wk", heads ? h + kv : 0, false },
		{ "attention v_proj linear_v wv", heads ? h + kv : 0, false },
		{ "linear_qkv qkv_proj query_key_value w_qkv", heads ? h + query + 2 * kv : 0, true },
		/* MindSpeed-LLM joins the products that make the latents. */
		{ "linear_qkv", latent ? h + (low ? c->q_lora_rank : query) + c->kv_lora_rank + c->rope_head_dim : 0,
			true },
		{ "attention o_proj linear_proj wo",
			latent ? (long)c->num_heads * c->v_head_dim + h : heads ? query + h : 0, false },
		{ "attention q_a_proj linear_q_down_proj q2l_proj", low ? h + c->q_lora_rank : 0, false },
		{ "attention q_b_proj linear_q_up_proj l2q_proj", low ? c->q_lora_rank + query : 0, false },
		{ "attention kv_a_proj_with_mqa linear_kv_down_proj kv2l",
			latent ? h + c->kv_lora_rank + c->rope_head_dim : 0, false },
		{ "attention kv_b_proj linear_kv_up_proj lkv2kv",
			latent ? c->kv_lora_rank + (long)c->num_heads * (c->qk_head_dim + c->v_head_dim) : 0, false },
	};
	long all = sides_of(a, "in_proj", c->up) + sides_of(a, "in_proj", c->whole) +
	    sides_of(a, "out_proj", c->down);

	if (feed_forward)
		all += feed_forward_sides(a, h, c->experts == 0 ? c->ffn_size : a->experts ? c->shared_ffn_size : 0,
		    c->gated);
	for (size_t i = 0; i < sizeof products / sizeof products[0]; i++)
		all += adapted(a, &products[i]) ? products[i].sides : 0;
	return parameters_by_rank(a, all, at);
}

/* Name the class of each layer if adapters of dense and other layers differ. */
static void
name_classes(struct architecture *n, struct place at)
{
	struct texts names = { 0 };

	for (int i = 0; i < n->layers; i++)
		texts_add(&names, architecture_class(n, architecture_class_of(n, i))->name);
	n->pattern = names;
	field_give(&architecture_fields, n, offsetof(struct architecture, classes));
	field_give(&architecture_fields, n, offsetof(struct architecture, pattern));
	architecture_check(n, at);
}

/* Parse LIST: names separated by commas, or the alternatives of a pattern such as ".*wq|.*wv". */
static struct adapters
adapters_new(const struct adapted *from, const char *list)
{
	struct adapters a = { .rank = from->rank, .experts = from->experts };
	size_t room = list != NULL ? strlen(list) + 1 : 1;
	char *copy = xstrdup(list != NULL ? list : ""), *rest = NULL;

	a.name = xcalloc(room, sizeof *a.name);
	a.found = xcalloc(room, sizeof *a.found);
	for (char *name = strtok_r(copy, ",| ", &rest); name != NULL; name = strtok_r(NULL, ",| ", &rest)) {
		size_t length;

		name += strncmp(name, ".*", 2) == 0 ? 2 : 0;
		length = strlen(name);
		if (length > 2 && strcmp(name + length - 2, ".*") == 0)
			name[length - 2] = '\0';
		if (*name != '\0')
			a.name[a.n++] = xstrdup(name);
	}
	free(copy);
	return a;
}

static void
add_adapters(struct architecture *n, const struct adapted *from, const char *list, struct place at)
{
	static const struct product of_experts = { "mlp gate_proj up_proj down_proj gate_up_proj w1 w2 w3 linear_fc1 "
	    "linear_fc2", 1, false };
	struct architecture *class;
	struct adapters a = adapters_new(from, list);
	int warned = 0;

	GIVE(architecture, n, frozen, true);
	if (n->pattern.n == 0 && n->experts > 0 && a.experts)
		name_classes(n, at);
	class = n->classes.at;
	for (int k = 0; k < n->classes.n; k++)
		if (from->everywhere && !a.experts && class[k].experts > 0 && adapted(&a, &of_experts))
			place_die(at, "target_modules: names products of experts, but adapters of experts are not "
			    "supported");
	if (n->tied && (from->embedding || from->head))
		place_die(at, "modules_to_save: embedding and head share a matrix; a trained copy of one of them is "
		    "not supported");
	if (from->embedding)
		GIVE(architecture, n, trained_embedding, true);
	if (from->head)
		GIVE(architecture, n, trained_head, true);
	if (n->pattern.n == 0)
		GIVE(architecture, n, trained, parameters_of(&a, &class[0], n->experts == 0, at));
	for (int k = 0; k < n->classes.n && n->pattern.n > 0; k++) {
		/* A tower is frozen with all its layers. */
		bool tower = GIVEN(architecture, &class[k], seq_length);

		if (tower && from->everywhere && !warned++)
			place_warn(at, "target_modules: adapters in front of the language model are not counted; PEFT "
			    "adds adapters to all products of these names");
		GIVE(architecture, &class[k], trained, tower ? 0 : parameters_of(&a, &class[k], true, at));
		if (a.experts && !tower && class[k].experts > 0)
			GIVE(architecture, &class[k], trained_expert, parameters_by_rank(&a, feed_forward_sides(&a,
			    class[k].expert_hidden_size, class[k].expert_ffn_size, class[k].gated), at));
	}
	for (int i = 0; i < a.n; i++) {
		if (!a.found[i])
			place_die(at, "adapters: no layer has a product '%s'; known are attention, mlp, q_proj, "
			    "k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj, in_proj, out_proj, and their names "
			    "in Megatron-LM and MindFormers; choose some with -modules", a.name[i]);
		free(a.name[i]);
	}
	free(a.name);
	free(a.found);
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
		place_die(at, "-freeze: not tower, language or a layer class of the network '%s'", name);
}

void
draft_freeze(struct draft *d, const struct additions *more, struct place at)
{
	const struct adapted *from = more->adapters.rank > 0 ? &more->adapters : &d->adapters;
	char *names = more->freeze != NULL ? xstrdup(more->freeze) : NULL, *rest = NULL;

	for (char *name = names != NULL ? strtok_r(names, ",", &rest) : NULL; name != NULL;
	    name = strtok_r(NULL, ",", &rest))
		freeze(&d->net, name, at);
	free(names);
	if (more->modules != NULL && from->rank == 0)
		place_die(at, "-modules: needs -lora, as the file has no adapters");
	if (from->rank > 0)
		add_adapters(&d->net, from, more->modules != NULL ? more->modules : more->adapters.modules != NULL ?
		    more->adapters.modules : d->adapters.modules, at);
	architecture_check(&d->net, at);
}
