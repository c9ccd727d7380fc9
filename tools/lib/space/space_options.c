#include "space_options.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/base/status.h"

enum { DEGREE_MOST = 1 << 24 };

const char *const space_no_yes[] = { "no", "yes", NULL };
const char *const space_fused[] = { "none", "mc2", "permute", "mc2+permute", NULL };

static void
choose(struct choice *c, const char *option, const char *text, int least)
{
	struct grid g = option_ranges(option, text, least, DEGREE_MOST);

	free(c->at);
	*c = (struct choice){ .given = true };
	for (int i = 0; i < g.stages; i++)
		c->most = g.at[i] > c->most ? g.at[i] : c->most;
	c->at = xcalloc((size_t)c->most + 1, sizeof *c->at);
	for (int i = 0; i < g.stages; i++)
		c->at[g.at[i]] = true;
	free(g.at);
}

/* Parse a list such as "1,tp". The word tp means the degree of tensor parallelism. */
static void
choose_etp(struct space *s, char *text)
{
	char *part, *numbers = xstrdup(""), *longer;

	s->etp_tp = false;
	while ((part = strsep(&text, ",")) != NULL) {
		if (strcmp(part, "tp") == 0) {
			s->etp_tp = true;
			continue;
		}
		longer = xasprintf("%s%s%s", numbers, *numbers != '\0' ? "," : "", part);
		free(numbers);
		numbers = longer;
	}
	if (*numbers != '\0')
		choose(&s->choice[DIM_ETP], "-etp", numbers, 1);
	free(numbers);
}

void
space_take_degrees(void *space, const char *option, char *text)
{
	struct space *s = space;
	int dim = 0;

	while (strcmp(dimension_names[dim], option + 1) != 0)
		dim++;
	if (dim == DIM_ZERO && text[strspn(text, "0123,-")] != '\0')
		errx(STATUS_USAGE, "-zero: not 0 to 3 '%s'", text);
	if (dim == DIM_SHARD && strcmp(text, "all") == 0)
		s->shard_all = true;
	else if (dim == DIM_ETP)
		choose_etp(s, text);
	else
		choose(&s->choice[dim], option, text, dim == DIM_ZERO ? 0 : 1);
}

/* Parse a list such as "none,mla_up_proj+mlp". */
void
space_take_modules(void *space, const char *option, char *text)
{
	struct variants *v = &((struct space *)space)->variants;
	char *set, *part;

	while ((set = strsep(&text, ",")) != NULL) {
		int modules = 0;

		if (strcmp(set, "none") == 0)
			set = NULL;
		while ((part = strsep(&set, "+")) != NULL)
			modules |= 1 << option_choice(option, part, module_names);
		*APPEND(v->modules, v->nmodules) = modules;
	}
}

void
space_options_check(const struct space *s)
{
	if (s->devices == 0)
		option_usage("-n is missing: the number of devices");
	if (s->batch == 0)
		option_usage("-gb is missing: the sequences per step");
	if (s->framework == MINDFORMERS && (variants_compute(&s->variants) || s->variants.host.n > 0))
		option_usage("-rules mindformers: not with -compute or -optimizer-host");
	if (s->framework == MINDFORMERS && (s->variants.dispatcher[DISPATCHER_FLEX] || s->variants.graph[GRAPH_PART] ||
	    s->variants.graph[GRAPH_FULL] || s->variants.nmodules > 0))
		option_usage("-rules mindformers: not with -dispatcher flex, -graph or -modules");
}

void
space_take(struct space *s, const struct configuration *c)
{
	if (c->origin != NULL && strcmp(c->origin, "current") == 0)
		variants_take(&s->variants, c);
}

void
space_begin(struct space *s, const struct architecture *n, const struct cluster *c)
{
	s->net = n;
	s->variants.tail_even = n->mtp_layers > 0;
	/*
	 * Without a dispatcher, estimates would assume that its traffic is hidden. Within a space that would be wrong.
	 */
	if (n->experts > 0 && !s->variants.dispatcher[DISPATCHER_FLEX] &&
	    !(s->variants.based && s->variants.base.dispatcher != DISPATCHER_UNSAID))
		s->variants.dispatcher[DISPATCHER_ALLTOALL] = true;
	s->variants.alone = s->empty && s->framework == MEGATRON;
	if (!s->choice[DIM_TP].given && c != NULL)
		s->node = c->devices_per_node;
}
