#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "offer.h"

enum { STAGES_MOST = 16 };	/* rows with each: candidates with more stages are taken last */

/* Exit unless tp, cp and pp divide the number of devices, and ep divides the devices of a stage. */
static void
check_devices(const struct shrink_row *row, const struct configuration *c, int devices)
{
	int each = c->tp * c->cp * c->pp;

	if (devices % each != 0)
		place_die(row->place, "row '%s': tp %d, cp %d and pp %d do not divide %d devices", row->name, c->tp,
		    c->cp, c->pp, devices);
	if ((c->dp * c->cp * c->tp) % (c->ep * c->etp) != 0)
		place_die(row->place, "row '%s': ep %d does not divide dp %d times cp %d times tp %d of %d devices",
		    row->name, c->ep, c->dp, c->cp, c->tp, devices);
}

/* Set the sizes of the run that differ from the network's. */
static void
give_sizes(struct training_run *r, const struct site *s, int seq, int experts, int layers)
{
	GIVE(training_run, r, seq_length, seq);
	if (s->net->experts > 0)
		GIVE(training_run, r, experts, experts);
	if (layers > 0)
		GIVE(training_run, r, layers, layers);
}

/* Return a run with the degrees of C alone; the caller sets the rest. */
static struct training_run
run_like(const struct configuration *c, int purpose)
{
	struct training_run r = { .of = *c };

	r.of.name = r.of.origin = r.of.reject = r.of.why = NULL;
	r.of.stage_layers = (struct grid){ 0 };
	r.of.tail_even = false;
	r.of.vp = 1;
	r.of.recompute = KEEP_ALL;
	GIVE(training_run, &r, purpose, purpose);
	return r;
}

static void
finish(struct configuration *c)
{
	c->schedule = c->pp > 1 ? ORDER_1F1B : ORDER_NONE;
	c->shard = c->zero == 0 ? 1 : c->dp * c->cp;
	if (c->tp == 1)
		c->sp = false;
}

/* Limit the sizes of a base run by the table. */
static void
limit_base(const struct shrink_row *row, const struct site *s, struct configuration *base, int *seq, int *experts)
{
	base->tp = row_number(row, "tp", row->tp, base->tp, s->devices, 0);
	if (row->tp_most > 0 && base->tp > row->tp_most)
		base->tp = row->tp_most;
	if (base->tp > s->node)
		base->tp = s->node;
	*seq = row_number(row, "seq", row->seq, *seq, s->devices, 0);
	if (row->seq_most > 0 && *seq > row->seq_most)
		*seq = row->seq_most;
	if (*seq < row->seq_least)
		*seq = row->seq_least;
	*experts = row_number(row, "experts", row->experts, *experts, s->devices, 0);
	if (row->experts_most > 0 && *experts > row->experts_most)
		*experts = row->experts_most;
	base->cp = row_number(row, "cp", row->cp, base->cp, s->devices, 0);
	if (s->net->experts > 0)
		base->ep = row_number(row, "ep", row->ep, base->ep, s->devices, 0);
	base->mbs = row_number(row, "mbs", row->mbs, base->mbs, s->devices, 0);
}

static bool
applies(const struct shrink_row *row, const struct site *s)
{
	return !row->each && (!GIVEN(shrink_row, row, moe) || row->moe == (s->net->experts > 0)) &&
	    (row->nodes <= s->nodes || row->always);
}

/* Add the run of a row, relative to its base. If it cannot be made and other runs may replace it, it is dropped. */
static void
add_row(struct offers *all, struct site *s, const struct shrink_row *row, const struct configuration *base, int seq,
    int experts)
{
	struct training_run r = run_like(base, row->purpose);
	struct configuration *c = &r.of;
	int devices = row->nodes > 0 ? row->nodes * s->node : s->devices, layers;
	struct offer *o;
	char *why;

	c->tp = row_number(row, "tp", row->tp, base->tp, devices, s->node);
	c->cp = row_number(row, "cp", row->cp, base->cp, devices, 0);
	c->pp = row_number(row, "pp", row->pp, base->pp, devices, 0);
	c->mbs = row_number(row, "mbs", row->mbs, base->mbs, devices, 0);
	seq = row_number(row, "seq", row->seq, seq, devices, 0);
	if (s->net->experts > 0) {
		c->ep = row_number(row, "ep", row->ep, base->ep, devices, 0);
		c->etp = row_number(row, "etp", row->etp, base->etp, devices, 0);
		experts = row_number(row, "experts", row->experts, experts, devices, 0);
	}
	if (c->cp > 1 && seq / c->cp < row->shard_least)
		return;
	if (row->purpose != RUN_STATIC && experts > 0 && experts < s->net->experts_per_token) {
		place_say(row->place, "row '%s' is ignored: %d experts, but %d per token", row->name, experts,
		    s->net->experts_per_token);
		return;
	}
	/* Doubling a degree of 1 gives another regime, so the run is of no use here. */
	if (!row->always && regime_of(c) != regime_of(base))
		return;
	if (row->always) {
		c->dp = devices / (c->tp * c->cp * c->pp);
		check_devices(row, c, devices);
	} else if ((c->dp = shape_replicas(c, devices)) == 0) {
		return;
	}
	c->micro_batches = row->micro_batches == NULL ? 4 : row_number(row, "micro_batches", row->micro_batches, c->pp,
	    devices, 0);
	if (row->recompute >= 0)
		c->recompute = row->recompute;
	finish(c);
	layers = row->layers == NULL ? shape_layers(s->net, c->pp) : row_number(row, "layers", row->layers, c->pp,
	    devices, 0);
	give_sizes(&r, s, seq, experts, layers);
	o = offers_add(all, s, &r, &why);
	if (o == NULL && row->always)
		place_say(row->place, "row '%s' is ignored: %s", row->name, why != NULL ? why :
		    "it does not fit into memory");
	if (o != NULL)
		o->always |= row->always;
	free(why);
}

void
offers_of_rows(struct offers *all, struct site *s, const struct shrink_rows *rows, const struct configuration *of)
{
	struct configuration base = *of;
	int seq = s->net->seq_length, experts = s->net->experts;

	/* Use the smallest base of its regime that has equal load per device. */
	if (rows->choice) {
		base.tp = of->tp > 1 ? 2 : 1;
		base.cp = of->cp > 1 ? 2 : 1;
		base.ep = of->ep > 1 ? 2 : 1;
		/* Leave enough experts for a token. */
		while (base.ep < of->ep && experts / of->ep * base.ep < 2 * s->net->experts_per_token)
			base.ep *= 2;
		seq = seq / of->cp * base.cp;
		experts = experts / of->ep * base.ep;
	} else {
		base.tp = base.cp = base.ep = base.etp = base.mbs = 1;
	}
	base.pp = 1;
	base.sp = base.sp || !rows->choice;
	for (size_t i = 0; i < rows->n; i++)
		if (rows->at[i].base && applies(&rows->at[i], s)) {
			limit_base(&rows->at[i], s, &base, &seq, &experts);
			break;
		}
	for (size_t i = 0; i < rows->n; i++)
		if (applies(&rows->at[i], s)) {
			struct shrink_row row = rows->at[i];

			/* The base has the sizes of the row already. */
			if (row.base)
				row.tp = row.cp = row.seq = row.experts = row.mbs = row.ep = NULL;
			add_row(all, s, &row, &base, seq, experts);
		}
}

/* Shrink a candidate as Taylor does: first reduce its stages by the factor of missing devices, then its replicas. */
static bool
shrink(const struct shrink_row *row, struct configuration *c, int devices)
{
	int all = c->dp * c->tp * c->cp * c->pp, most = devices < all ? devices : all;
	int k = all / most, least = row->pp_least > 0 ? row->pp_least : 1, q;

	if (k >= c->pp / least)
		c->pp = least;
	else if (k % 3 == 0)
		c->pp = c->pp % 3 == 0 ? c->pp / 3 : c->pp / (k / 3);
	else
		c->pp /= k;
	q = c->pp * c->dp * c->tp * c->cp / most;
	if (q > 1)
		c->dp /= q;
	return c->pp > 0 && c->dp > 0;
}

struct shrunk {
	struct configuration of;
	size_t came;
};
ORDER_BY(by_degrees, struct shrunk, it->of.pp > STAGES_MOST, it->of.tp, it->of.cp, -it->of.ep)

static bool
same_degrees(const struct configuration *a, const struct configuration *b)
{
	return a->dp == b->dp && a->tp == b->tp && a->cp == b->cp && a->pp == b->pp && a->ep == b->ep;
}

void
offers_of_each(struct offers *all, struct site *s, const struct shrink_row *row, const struct configuration *asked,
    size_t n)
{
	struct shrunk *at = NULL;
	size_t count = 0, most = row->most > 0 ? (size_t)row->most : n;

	if (GIVEN(shrink_row, row, moe) && row->moe != (s->net->experts > 0))
		return;
	for (size_t i = 0; i < n; i++) {
		struct shrunk k = { .of = asked[i], .came = count };
		bool there = false;

		if (s->net->experts > 0)
			k.of.ep = row_number(row, "ep", row->ep, k.of.ep, s->devices, 0);
		if (!row->whole && !shrink(row, &k.of, s->devices))
			continue;
		if ((k.of.dp * k.of.tp * k.of.cp) % k.of.ep != 0)
			continue;
		for (size_t j = 0; j < count && !there; j++)
			there = same_degrees(&at[j].of, &k.of);
		if (!there)
			*APPEND(at, count) = k;
	}
	/* Keep the runs with least tp and cp, and with most ep. */
	if (count > most)
		SORT(at, count, by_degrees);
	for (size_t i = 0; i < count && i < most; i++) {
		struct training_run r = run_like(&at[i].of, row->purpose);
		char *stages = xasprintf("%d", r.of.pp), *why;
		int layers = row->layers != NULL ? row_number(row, "layers", row->layers, r.of.pp, s->devices, 0) :
		    row->whole ? s->net->layers : shape_layers(s->net, r.of.pp);
		bool left_out = row->layers_of.n > 0;
		struct offer *o;

		for (int k = 0; k < row->layers_of.n; k++)
			if (strcmp(row->layers_of.name[k], stages) == 0) {
				layers = (int)row->layers_of.at[k] - s->net->mtp_layers;
				left_out = false;
			}
		free(stages);
		if (left_out)
			continue;
		if (row->recompute >= 0)
			r.of.recompute = row->recompute;
		finish(&r.of);
		give_sizes(&r, s, s->net->seq_length, s->net->experts, layers);
		o = offers_add(all, s, &r, &why);
		if (o == NULL)
			place_say(row->place, "row '%s': %dx%dx%dx%d is ignored: %s", row->name, r.of.dp, r.of.tp,
			    r.of.pp, r.of.ep, why != NULL ? why : "it does not fit into memory");
		else
			o->always = true;
		free(why);
	}
	free(at);
}
