/* Kinds of the layers of each piece, from a launch's arguments of recomputation and offloading. */
#include "recomputed.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/record/record.h"

static char core_attn[] = "core_attn", mlp[] = "mlp";

static struct texts
copied(const struct texts *t)
{
	struct texts copy = { 0 };

	for (int i = 0; i < t->n; i++)
		texts_add(&copy, t->at[i]);
	return copy;
}

/* Return the kind with these modules. Without layers it is made; with layers it must be in the input. */
static enum recompute
kind_of(struct operator_kinds *made, const struct launch *l, enum launch_option o, const struct modules *m,
    struct module_words w)
{
	const char *first = w.recompute != NULL && w.recompute->n > 0 ? w.recompute->at[0] : "";
	const char *moves = w.swap != NULL ? "swap" : w.offload != NULL ? "offload" : "";
	int kind = modules_find(m, w), before = recompute_known();
	struct operators new = { 0 };
	char *text;
	size_t size;

	if (kind >= 0)
		return (enum recompute)kind;
	GIVE(operators, &new, name, xasprintf("%s%s%s", moves, *moves != '\0' && *first != '\0' ? "_" : "", first));
	if (*first != '\0')
		GIVE(operators, &new, recompute_modules, copied(w.recompute));
	if (w.offload != NULL)
		GIVE(operators, &new, offload_modules, copied(w.offload));
	if (w.swap != NULL)
		GIVE(operators, &new, swap_modules, copied(w.swap));
	if (!m->make || *moves == '\0') {
		FILE *f = memstream_open(&text, &size);

		record_put(f, RECORD_KIND, &new);
		memstream_close(f);
		place_die(l->place[o], "%s: no kind record of the input has these modules; add this one, and its name "
		    "to the kinds of each layer: %.*s", launch_name(o), (int)strcspn(text, "\n"), text);
	}
	kind = recompute_kind(new.name, l->place[o]);
	if (kind < before)
		place_die(l->place[o], "the input has a kind '%s' with other modules: rename it", new.name);
	made->at[made->n++] = new;
	return (enum recompute)kind;
}

/* Return the modules that --swap-attention offloads. Caller frees. */
static struct texts
swapped(const struct launch *l)
{
	static const char *const modules[] = { "input_norm", "self_attention", "post_attention_norm" };
	struct texts t = { 0 };

	if (l->value[LAUNCH_SWAP_MODULES] != NULL)
		return launch_words(l, LAUNCH_SWAP_MODULES);
	place_warn(l->place[LAUNCH_SWAP], "--swap-attention: no --swap-modules: MindSpeed's default is assumed, "
	    "input_norm,self_attention,post_attention_norm; if the release has another, add the argument");
	for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++)
		texts_add(&t, modules[i]);
	return t;
}

/*
 * Read MindSpeed's --swap-attention (swap_attention/adaptor.py), which replaces full recomputation. It offloads modules
 * of the layers that full recomputation would take, or of all layers. Of the recomputed layers, it recomputes the MLP.
 */
static int
swap_parts(struct operator_kinds *made, const struct launch *l, const struct modules *m, struct firsts parts[2])
{
	int n = launch_int(l, LAUNCH_RECOMPUTE, 0, LAYERS_MAX), count = 0;
	bool block = launch_is(l, LAUNCH_METHOD, "block");
	struct texts moved = swapped(l), again = { .n = 1, .at = (char *[]){ mlp } };

	if (launch_is(l, LAUNCH_METHOD, "uniform"))
		n = LAYERS_MAX;
	if (n > 0)
		parts[count++] = (struct firsts){ kind_of(made, l, LAUNCH_SWAP, m,
		    (struct module_words){ .recompute = &again, .swap = &moved }), n };
	if (!block && n < LAYERS_MAX)
		parts[count++] = (struct firsts){ kind_of(made, l, LAUNCH_SWAP, m,
		    (struct module_words){ .swap = &moved }), LAYERS_MAX };
	texts_free(&moved);
	return count;
}

/* Return the kind of all layers whose modules are recomputed or offloaded. */
static enum recompute
of_modules(struct operator_kinds *made, const struct launch *l, const struct modules *m, bool selective)
{
	bool offloads = l->value[LAUNCH_OFFLOAD] != NULL;
	enum launch_option o = offloads ? LAUNCH_OFFLOAD : l->value[LAUNCH_MODULES] != NULL ? LAUNCH_MODULES :
	    LAUNCH_GRANULARITY;
	struct texts recompute = { 0 }, moved = { 0 };
	enum recompute kind;

	if (m == NULL)
		return RECOMPUTE_SELECT;
	if (offloads && l->value[LAUNCH_OFFLOAD_MODULES] == NULL)
		place_die(l->place[o], "--fine-grained-activation-offloading: no --offload-modules");
	if (selective && l->value[LAUNCH_MODULES] != NULL)
		recompute = launch_words(l, LAUNCH_MODULES);
	else if (selective)
		texts_add(&recompute, core_attn);
	if (offloads)
		moved = launch_words(l, LAUNCH_OFFLOAD_MODULES);
	kind = kind_of(made, l, o, m, (struct module_words){ .recompute = selective ? &recompute : NULL,
	    .offload = offloads ? &moved : NULL });
	texts_free(&recompute);
	texts_free(&moved);
	return kind;
}

int
recomputed_read(struct operator_kinds *made, const struct launch *l, const struct modules *m, struct firsts parts[2])
{
	int n = launch_int(l, LAUNCH_RECOMPUTE, 0, LAYERS_MAX);
	bool selective = launch_is(l, LAUNCH_GRANULARITY, "selective") || (l->value[LAUNCH_ACTIVATIONS] != NULL &&
	    l->value[LAUNCH_GRANULARITY] == NULL);
	bool offloads = l->value[LAUNCH_OFFLOAD] != NULL, swaps = l->value[LAUNCH_SWAP] != NULL;

	parts[0] = (struct firsts){ RECOMPUTE_FULL, LAYERS_MAX };
	if (offloads && swaps)
		place_die(l->place[LAUNCH_SWAP], "--swap-attention: not allowed with "
		    "--fine-grained-activation-offloading");
	if (m == NULL && (offloads || swaps))
		place_die(l->place[offloads ? LAUNCH_OFFLOAD : LAUNCH_SWAP], "%s: activations are offloaded in a way "
		    "that is not supported", launch_name(offloads ? LAUNCH_OFFLOAD : LAUNCH_SWAP));
	if (l->value[LAUNCH_GRANULARITY] != NULL && ((offloads && !selective) || (swaps && selective)))
		place_die(l->place[LAUNCH_GRANULARITY], "--recompute-granularity: '%s' is not supported together with "
		    "offloaded activations: leave out one of them", l->value[LAUNCH_GRANULARITY]);
	if (l->value[LAUNCH_GRANULARITY] != NULL && !selective && !launch_is(l, LAUNCH_GRANULARITY, "full"))
		place_die(l->place[LAUNCH_GRANULARITY], "--recompute-granularity: not full or selective '%s'",
		    l->value[LAUNCH_GRANULARITY]);
	if (launch_is(l, LAUNCH_METHOD, "block") && l->value[LAUNCH_RECOMPUTE] == NULL &&
	    (swaps || launch_is(l, LAUNCH_GRANULARITY, "full")))
		place_die(l->place[LAUNCH_METHOD], "--recompute-method block: no --recompute-num-layers");
	if (swaps)
		return swap_parts(made, l, m, parts);
	if (selective || offloads) {
		parts[0].kind = of_modules(made, l, m, selective);
		return 1;
	}
	if (l->value[LAUNCH_GRANULARITY] == NULL)
		return 0;
	if (launch_is(l, LAUNCH_METHOD, "block"))
		parts[0].most = n;
	else if (!launch_is(l, LAUNCH_METHOD, "uniform"))
		place_die(l->place[LAUNCH_GRANULARITY],
		    "--recompute-granularity full: --recompute-method must be block or uniform");
	else if (n > 1)
		place_warn(l->place[LAUNCH_RECOMPUTE], "uniform recomputation of %d layers at a time: memory is "
		    "computed as if each layer was recomputed alone, which keeps more", n);
	return 1;
}
