/* A space by options. */
#include "space_options.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clipped.h"
#include "lib/base/option.h"
#include "lib/base/status.h"

enum { DEVICES_MOST = 1 << 24, BATCH_MOST = 1 << 26, DEGREE_MOST = 1 << 24 };

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

/* "1,tp": numbers, and tp for as many as tensor parallelism has. */
static void
choose_etp(struct space *s, const char *text)
{
	char *copy = xstrdup(text), *rest = copy, *part, *numbers = xstrdup(""), *longer;

	s->etp_tp = false;
	while ((part = strsep(&rest, ",")) != NULL) {
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
	free(copy);
}

static void
choose_named(bool *at, const char *option, const char *text, const char *const *names)
{
	char *copy = xstrdup(text), *rest = copy, *part;

	while ((part = strsep(&rest, ",")) != NULL)
		at[option_choice(option, part, names)] = true;
	free(copy);
}

/* "none,mla_up_proj+mlp". */
static void
choose_modules(struct variants *v, const char *text)
{
	char *copy = xstrdup(text), *rest = copy, *set, *part;

	while ((set = strsep(&rest, ",")) != NULL) {
		int modules = 0;

		if (strcmp(set, "none") == 0)
			set = NULL;
		while ((part = strsep(&set, "+")) != NULL)
			modules |= 1 << option_choice("-modules", part, module_names);
		v->modules = xreallocarray(v->modules, (size_t)v->nmodules + 1, sizeof *v->modules);
		v->modules[v->nmodules++] = modules;
	}
	free(copy);
}

bool
space_option(struct space *s, int ch, const char *text)
{
	char option[16];
	struct clipped dashed = CLIPPED(option);
	static const char *const no_yes[] = { "no", "yes", NULL };

	switch (ch) {
	case SPACE_OPTION_DEVICES:
		s->devices = option_int("-n", text, 1, DEVICES_MOST);
		return true;
	case SPACE_OPTION_BATCH:
		s->batch = option_int("-gb", text, 1, BATCH_MOST);
		return true;
	case SPACE_OPTION_RULES:
		s->framework = (enum framework)option_choice("-rules", text, framework_names);
		return true;
	case SPACE_OPTION_TP_MAX:
		s->tp_max = option_int("-tp-max", text, 1, DEGREE_MOST);
		return true;
	case SPACE_OPTION_PP_MAX:
		s->pp_max = option_int("-pp-max", text, 1, DEGREE_MOST);
		return true;
	case SPACE_OPTION_CP_MAX:
		s->cp_max = option_int("-cp-max", text, 1, DEGREE_MOST);
		return true;
	case SPACE_OPTION_EP_MAX:
		s->ep_max = option_int("-ep-max", text, 1, DEGREE_MOST);
		return true;
	case SPACE_OPTION_CP_KIND:
		choose_named(s->cp_kind, "-cp-kind", text, context_names);
		return true;
	case SPACE_OPTION_EMPTY:
		s->empty = true;
		return true;
	case SPACE_OPTION_EVEN:
		s->even = true;
		return true;
	case SPACE_OPTION_DISPATCHER:
		choose_named(s->variants.dispatcher, "-dispatcher", text, dispatcher_names);
		return true;
	case SPACE_OPTION_EP_OVERLAP:
		choose_named(s->variants.ep_overlap, "-ep-overlap", text, no_yes);
		return true;
	case SPACE_OPTION_GRAPH:
		choose_named(s->variants.graph, "-graph", text, graph_names);
		return true;
	case SPACE_OPTION_MODULES:
		choose_modules(&s->variants, text);
		return true;
	}
	if (ch < SPACE_OPTION || ch >= SPACE_OPTION + DIMENSIONS)
		return false;
	if (ch == SPACE_OPTION + DIM_SHARD && strcmp(text, "all") == 0) {
		s->shard_all = true;
		return true;
	}
	if (ch == SPACE_OPTION + DIM_ETP) {
		choose_etp(s, text);
		return true;
	}
	clipped_print(&dashed, "-%s", dimension_names[ch - SPACE_OPTION]);
	if (ch == SPACE_OPTION + DIM_ZERO) {
		for (const char *t = text; *t != '\0'; t++)
			if (strchr("0123,-", *t) == NULL)
				errx(STATUS_USAGE, "-zero: not 0 to 3 '%s'", text);
	}
	choose(&s->choice[ch - SPACE_OPTION], option, text, ch == SPACE_OPTION + DIM_ZERO ? 0 : 1);
	return true;
}

void
space_options_check(const struct space *s, const char *usage)
{
	if (s->devices == 0)
		option_usage(usage, "-n: the number of devices is missing");
	if (s->batch == 0)
		option_usage(usage, "-gb: the sequences of a step are missing");
	if (s->framework == MINDFORMERS && (s->variants.dispatcher[DISPATCHER_FLEX] || s->variants.graph[GRAPH_PART] ||
	    s->variants.graph[GRAPH_FULL] || s->variants.nmodules > 0))
		option_usage(usage, "-rules: MindFormers has neither the dispatcher flex, graphs nor modules");
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
	if (s->tp_max == 0 && c != NULL)
		s->tp_max = c->devices_per_node;
}
