#include "degrees.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/draft/draft.h"
#include "lib/script/started.h"

static bool
has_name(const struct configuration *c, const char *name)
{
	char *own = GIVEN(configuration, c, name) ? xstrdup(c->name) : configuration_name(c);
	bool same = name != NULL && strcmp(own, name) == 0;

	free(own);
	return same;
}

const struct configuration *
degrees_asked(const struct records *all, const struct record *chosen)
{
	const struct configuration *found = NULL, *of_model = NULL;
	const char *model = NULL;
	bool any = false;

	for (const struct record *r = chosen; r > all->at && model == NULL; r--)
		if (r[-1].kind == RECORD_MODEL)
			model = r[-1].model.name;
	for (size_t i = 0; i < all->n; i++) {
		const struct record *r = &all->at[i];
		const struct configuration *c = r->kind == RECORD_CANDIDATE ? &r->candidate : &r->estimate.of;

		if (r->kind != RECORD_CANDIDATE && r->kind != RECORD_ESTIMATE)
			continue;
		/* The candidate of the current run does not request other degrees. */
		any |= c->origin == NULL || strcmp(c->origin, "current") != 0;
		if (has_name(c, chosen->plan.name))
			found = c;
		else if (has_name(c, model))
			of_model = c;
	}
	if (found == NULL)
		found = of_model;
	if (any && found == NULL)
		place_warn(chosen->place, "no candidate has the name of the plan '%s' or of its model: degrees are not "
		    "changed", chosen->plan.name);
	return found;
}

static void
take(struct configuration *c, struct draft *d)
{
	*c = d->current;
	configuration_complete(c);
	d->current.stage_layers = (struct grid){ 0 };
	draft_free(d);
}

bool
degrees_of_yaml(struct configuration *c, const struct yaml *root)
{
	struct draft d = { .batch = 0 };
	bool said;

	mindformers_read(&d, root, NULL);
	said = draft_divide(&d, root->place);
	take(c, &d);
	return said;
}

bool
degrees_of_started(struct configuration *c, const struct started *started, int devices, bool experts)
{
	struct additions none = { .name = NULL };
	struct draft d = { .net.experts = experts };
	struct place at = { started->place.source, 0 };
	int each, dp;
	bool said;

	megatron_read(&d, started, NULL, &none);
	each = d.current.tp * d.current.pp * d.current.cp;
	if (devices > 0)
		d.devices = devices;
	dp = d.devices / each;
	said = dp > 0 && d.devices % each == 0;
	/* The batch contradicts the new degrees, so it must change. */
	if (said && d.batch % (dp * d.current.mbs) != 0)
		d.batch = 0;
	if (said && d.optimizers > 0 && dp * d.current.cp % d.optimizers != 0)
		d.optimizers = 0;
	if (said)
		draft_divide(&d, at);
	take(c, &d);
	return said;
}

/* Return a text such as "dp 4, not 8"; caller frees. */
static char *
other(const char *name, double said, double asked)
{
	return xasprintf("%s %g, not %g", name, said, asked);
}

char *
degrees_difference(const struct configuration *a, const struct configuration *b, bool experts)
{
#define SAID(member, where) { #member, (where) && GIVEN(configuration, a, member), a->member, b->member }
#define ALWAYS(member) { #member, true, a->member, b->member }
	bool dispatched = experts && a->dispatcher != DISPATCHER_UNSAID;
	const struct { const char *name; bool given; double asked, said; } settings[] = {
		ALWAYS(dp), ALWAYS(tp), ALWAYS(cp), ALWAYS(pp), ALWAYS(ep), ALWAYS(mbs), ALWAYS(micro_batches),
		{ "cp_kind", a->cp > 1, a->cp_kind, b->cp_kind }, { "etp", experts, a->etp, b->etp },
		SAID(sp, a->tp > 1), SAID(zero, true),
		{ "shard", a->zero > 0 && GIVEN(configuration, a, zero), a->shard, b->shard },
		SAID(dispatcher, dispatched),
		SAID(ep_overlap, experts), SAID(graph, true), SAID(graph_scope, a->graph == GRAPH_PART),
		SAID(fused, true), SAID(attention8, true), SAID(store, true),
		SAID(compute, true), { "optimizer", GIVEN(configuration, a, optimizer), a->optimizer % OPTIMIZER_UNSAID,
		    b->optimizer % OPTIMIZER_UNSAID }, SAID(optimizer_host, true),
	};
#undef SAID
#undef ALWAYS

	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
		if (settings[i].given && settings[i].asked != settings[i].said)
			return other(settings[i].name, settings[i].said, settings[i].asked);
	return NULL;
}

void
degrees_write(struct configuration *c, const char *name, struct place at)
{
	static char origin[] = "current";

	configuration_check(c, at);
	configuration_give_degrees(c);
	configuration_give_kind(c);
	GIVE(configuration, c, name, xstrdup(name));
	GIVE(configuration, c, origin, origin);
	record_put(stdout, RECORD_CANDIDATE, c);
	free(c->name);
}
