#include "ratios.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/base/status.h"
#include "lib/record/record.h"

static const char *const names[] = { "dense", "backward", "head", "recompute", "select", "forward", NULL };
enum { DENSE, BACKWARD, HEAD, RECOMPUTE, SELECT, FORWARD, RATIOS };
#define DENSE_USUAL 0.33
#define MOST 1e6

struct ratios
ratios_read(const char *text)
{
	double value[RATIOS] = { [DENSE] = -1, [BACKWARD] = 2, [HEAD] = 1.5, [RECOMPUTE] = 1, [SELECT] = -1,
	    [FORWARD] = 1 };
	bool given[RATIOS] = { false };
	char *copy = xstrdup(text), *rest = copy, *part;

	while ((part = strsep(&rest, ",")) != NULL) {
		char *number = strchr(part, '=');
		int i;

		if (number == NULL)
			errx(STATUS_USAGE, "-ratios: expected NAME=NUMBER '%s'", part);
		*number++ = '\0';
		i = option_choice("-ratios", part, names);
		if (given[i])
			errx(STATUS_USAGE, "-ratios: duplicate name '%s'", part);
		given[i] = true;
		value[i] = option_real("-ratios", number, i == FORWARD || i == BACKWARD ? 1e-9 : 0, MOST);
	}
	free(copy);
	return (struct ratios){ .forward = value[FORWARD], .dense = value[DENSE], .backward = value[BACKWARD],
	    .recompute = value[RECOMPUTE], .select = value[SELECT], .head = value[HEAD] };
}

static void
put(FILE *out, struct layer *l, char *model)
{
	GIVE(layer, l, model_name, model);
	record_put(out, RECORD_LAYER, l);
}

/* Write COUNT equal layers, numbered from FIRST on. */
static void
put_body(FILE *out, const struct ratios *r, char *model, bool moe, int first, int count, double forward)
{
	struct layer l = { .name = xasprintf("%s%d", moe ? "moe" : "dense", first), .type = LAYER_BODY,
	    .nb_layer = count };

	GIVE(layer, &l, time, forward);
	GIVE(layer, &l, backward[RECOMPUTE_NONE], r->backward * forward);
	if (r->select >= 0)
		GIVE(layer, &l, backward[RECOMPUTE_SELECT], (r->backward + r->select) * forward);
	GIVE(layer, &l, backward[RECOMPUTE_FULL], (r->backward + r->recompute) * forward);
	put(out, &l, model);
	free(l.name);
}

void
ratios_write(FILE *out, const struct ratios *r, const struct architecture *n, const char *name)
{
	char head[] = "head", tail[] = "tail", *called = xstrdup(name != NULL ? name : n->name);
	struct layer first = { .name = head, .type = LAYER_HEAD, .nb_layer = 1 };
	struct layer last = { .name = tail, .type = LAYER_TAIL, .nb_layer = 1 };
	double dense = r->dense >= 0 ? r->dense : n->experts > 0 ? DENSE_USUAL : 1;
	double end = r->head * r->forward / (1 + r->backward);
	struct model m = { .name = called };

	record_put(out, RECORD_MODEL, &m);
	GIVE(layer, &first, time, 0);
	put(out, &first, called);
	for (int from = 0, l = 1; l <= n->layers; l++) {
		bool moe = architecture_is_moe(n, from);

		if (l < n->layers && architecture_is_moe(n, l) == moe)
			continue;
		put_body(out, r, called, moe, from, l - from, r->forward * (moe ? 1 : dense));
		from = l;
	}
	GIVE(layer, &last, time, end);
	GIVE(layer, &last, backward[RECOMPUTE_NONE], r->backward * end);
	put(out, &last, called);
	free(called);
}
