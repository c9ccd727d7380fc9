#include "modules.h"

#include <string.h>

/* The module that Megatron-LM recomputes by default. */
static char core_attn[] = "core_attn";
static char *selected[] = { core_attn };
static const struct texts selected_by_itself = { .n = 1, .at = selected };
static const struct texts none;

static bool
has(const struct texts *t, const char *name)
{
	for (int i = 0; i < t->n; i++)
		if (strcmp(t->at[i], name) == 0)
			return true;
	return false;
}

static bool
same(const struct texts *a, const struct texts *b)
{
	a = a != NULL ? a : &none;
	b = b != NULL ? b : &none;
	for (int i = 0; i < a->n; i++)
		if (!has(b, a->at[i]))
			return false;
	for (int i = 0; i < b->n; i++)
		if (!has(a, b->at[i]))
			return false;
	return true;
}

static bool
says(const struct operators *o)
{
	return o != NULL && o->recompute_modules.n + o->offload_modules.n + o->swap_modules.n > 0;
}

struct modules
modules_of(const struct records *all)
{
	struct modules m = { .of = { NULL } };

	for (size_t i = 0; i < all->n; i++) {
		const struct operators *o = &all->at[i].operators;
		int kind;

		if (all->at[i].kind != RECORD_KIND || !says(o))
			continue;
		kind = recompute_kind(o->name, all->at[i].place);
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (k != kind && m.of[k] != NULL && same(&m.of[k]->recompute_modules, &o->recompute_modules) &&
			    same(&m.of[k]->offload_modules, &o->offload_modules) &&
			    same(&m.of[k]->swap_modules, &o->swap_modules))
				place_die(all->at[i].place, "kind: '%s' has the same modules as '%s'", o->name,
				    recompute_names[k]);
		m.of[kind] = o;
	}
	return m;
}

/*
 * Return whether the target can express all parts of a kind. MindSpeed does not combine recomputation and swapping.
 * Megatron-LM offloads the input of attn_proj only together with core_attn, which needs that input.
 */
static bool
can_say(const struct operators *o, enum target t)
{
	if (!says(o) || frameworks[t].words == WORDS_NONE)
		return false;
	/* A kind that offloads in one framework's words must also offload in the other framework's words. */
	if (frameworks[t].words == WORDS_SWAP)
		return o->swap_modules.n > 0 ? o->recompute_modules.n == 0 : o->offload_modules.n == 0;
	if (o->offload_modules.n == 0 && o->swap_modules.n > 0)
		return false;
	if (has(&o->offload_modules, "attn_proj") && !has(&o->offload_modules, "core_attn"))
		return false;
	return true;
}

unsigned
modules_kinds(const struct modules *m, enum target t)
{
	unsigned set = 0;

	for (int k = RECOMPUTE_BUILT_IN; k < RECOMPUTE_KINDS; k++)
		if (can_say(m->of[k], t))
			set |= 1u << k;
	return set;
}

unsigned
modules_kinds_of(const struct modules *m, enum target t, const struct network *net)
{
	unsigned set = modules_kinds(m, t);

	for (int b = 0; b < net->nbodies; b++)
		for (int k = RECOMPUTE_BUILT_IN; k < RECOMPUTE_KINDS; k++)
			if ((set >> k & 1) && net->body[b].offload[k] > 0 && (frameworks[t].words == WORDS_SWAP ?
			    m->of[k]->swap_modules.n : m->of[k]->offload_modules.n) == 0)
				set &= ~(1u << k);
	return set;
}

int
modules_find(const struct modules *m, struct module_words w)
{
	const struct texts *recompute = w.recompute;
	bool any = false;

	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		const struct operators *o = m->of[k];

		any |= o != NULL && o->recompute_modules.n > 0;
		if (o == NULL || !same(&o->recompute_modules, recompute))
			continue;
		/* The words that a kind has for another framework do not matter. */
		if (w.swap != NULL ? same(&o->swap_modules, w.swap) : w.offload != NULL ?
		    same(&o->offload_modules, w.offload) : o->offload_modules.n == 0 && recompute != NULL)
			return k;
	}
	if (w.offload == NULL && w.swap == NULL && (!any || (m->of[RECOMPUTE_SELECT] == NULL &&
	    same(recompute, &selected_by_itself))))
		return RECOMPUTE_SELECT;
	return -1;
}
