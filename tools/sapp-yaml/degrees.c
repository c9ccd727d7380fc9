#include "degrees.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/draft/draft.h"

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
		any = true;
		if (has_name(c, chosen->plan.name))
			found = c;
		else if (has_name(c, model))
			of_model = c;
	}
	if (found == NULL)
		found = of_model;
	if (any && found == NULL)
		place_warn(chosen->place, "no candidate has the name of the plan '%s' or of its model: degrees stay as "
		    "they are", chosen->plan.name);
	return found;
}

static void
take(struct configuration *c, struct draft *d)
{
	*c = d->current;
	d->current.stage_layers = (struct grid){ 0 };
	draft_free(d);
}

bool
degrees_of_yaml(struct configuration *c, const struct yaml *root)
{
	struct draft d = { .batch = 0 };

	mindformers_read(&d, root, NULL);
	take(c, &d);
	return c->dp > 0;
}

bool
degrees_of_script(struct configuration *c, const char *text, const char *source, int devices)
{
	struct additions none = { .name = NULL };
	struct draft d = { .batch = 0 };
	int each;

	megatron_read(&d, text, (struct place){ source, 0 }, NULL, &none);
	take(c, &d);
	each = c->tp * c->pp * c->cp;
	if (devices == 0)
		devices = d.devices;
	if (each == 0 || devices % each != 0)
		return false;
	c->dp = devices / each;
	if (c->dp > 0 && d.batch % (c->dp * c->mbs) == 0)
		c->micro_batches = d.batch / (c->dp * c->mbs);
	return c->dp > 0;
}

char *
degrees_difference(const struct configuration *a, const struct configuration *b)
{
	const struct { const char *name; int asked, said; } degree[] = {
		{ "data parallel", a->dp, b->dp }, { "tensor parallel", a->tp, b->tp },
		{ "context parallel", a->cp, b->cp }, { "stages", a->pp, b->pp },
		{ "expert parallel", a->ep, b->ep }, { "sequences of a micro-batch", a->mbs, b->mbs },
		{ "attention over a divided sequence", a->cp > 1 ? a->cp_kind : 0, a->cp > 1 ? b->cp_kind : 0 },
		{ "sequence parallel", a->sp, GIVEN(configuration, a, sp) ? b->sp : a->sp },
		{ "optimizer divided", a->zero > 0, GIVEN(configuration, a, zero) ? b->zero > 0 : a->zero > 0 },
	};

	for (size_t i = 0; i < sizeof degree / sizeof degree[0]; i++)
		if (degree[i].asked != degree[i].said)
			return xasprintf("%s %d, not %d", degree[i].name, degree[i].said, degree[i].asked);
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
