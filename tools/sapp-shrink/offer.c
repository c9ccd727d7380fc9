#include "offer.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/space/rule.h"

/* Number of steps: two profiled steps after three others; s from the start to the first step. */
enum { STEPS = 2 + 3, START = 60 };

int
regime_of(const struct configuration *c)
{
	return (c->tp > 1) | (c->cp > 1) << 1 | (c->ep > 1) << 2;
}

static void
add_sent(struct sent *sent, int *n, int what, int members, int span, int node)
{
	if (members > 1)
		sent[(*n)++] = (struct sent){ what, span > node ? 0 : members };
}

/* Ranks are numbered in the order tp, cp, dp, pp. */
int
sent_of(const struct configuration *c, const struct architecture *net, int node, struct sent sent[6])
{
	int n = 0, stage = c->tp * c->cp * c->dp;

	add_sent(sent, &n, SENDS_RING, c->tp, c->tp, node);
	if (c->cp > 1)
		add_sent(sent, &n, c->cp_kind == CONTEXT_ULYSSES ? SENDS_TOKENS : SENDS_MESSAGES,
		    c->cp_kind == CONTEXT_ULYSSES ? c->cp : 2, c->tp * c->cp, node);
	add_sent(sent, &n, SENDS_RING, c->dp * c->cp, stage, node);
	if (net->experts > 0)
		add_sent(sent, &n, SENDS_TOKENS, c->ep, c->ep * c->etp, node);
	if (c->pp > 1)
		add_sent(sent, &n, SENDS_MESSAGES, 2, 2 * stage, node);
	return n;
}

static char *
suffix(char *text, const char *name, int value, bool differs)
{
	char *longer;

	if (!differs)
		return text;
	longer = xasprintf("%s_%s%d", text, name, value);
	free(text);
	return longer;
}

/*
 * Return a name for the run, usable in file names. It is made of the degrees, and of the sizes that differ from the
 * network's.
 */
static char *
name_of(const struct training_run *r, const struct architecture *n)
{
	const struct configuration *c = &r->of;
	char *name = xasprintf("DP%d_TP%d_PP%d_EP%d", c->dp, c->tp, c->pp, c->ep), *longer;

	name = suffix(name, "CP", c->cp, c->cp > 1);
	name = suffix(name, "ETP", c->etp, c->etp > 1);
	name = suffix(name, "MBS", c->mbs, c->mbs > 1);
	name = suffix(name, "ZERO", c->zero, c->zero != 1);
	name = suffix(name, "SEQ", r->seq_length, r->seq_length != n->seq_length);
	name = suffix(name, "EXPERTS", r->experts, GIVEN(training_run, r, experts) && r->experts != n->experts);
	name = suffix(name, "HEADS", r->num_heads, GIVEN(training_run, r, num_heads));
	longer = xasprintf("%s%s%s%s%s%s", name, c->cp > 1 && c->cp_kind == CONTEXT_ULYSSES ? "_ULYSSES" : "",
	    c->tp > 1 && !c->sp ? "_NOSP" : "", c->fused & FUSED_MC2 ? "_MC2" : "",
	    c->fused & FUSED_PERMUTE ? "_PERMUTE" : "", c->recompute == KEEP_FULL ? "_FULL" : "");
	free(name);
	return longer;
}

/* Compare two runs, ignoring names and purposes. */
static bool
same_run(const struct training_run *a, const struct training_run *b)
{
	const struct configuration *c = &a->of, *d = &b->of;

	return c->dp == d->dp && c->tp == d->tp && c->cp == d->cp && c->pp == d->pp && c->ep == d->ep &&
	    c->etp == d->etp && c->mbs == d->mbs && c->micro_batches == d->micro_batches && c->zero == d->zero &&
	    c->sp == d->sp && c->cp_kind == d->cp_kind && c->fused == d->fused && c->recompute == d->recompute &&
	    a->layers == b->layers && a->seq_length == b->seq_length && a->experts == b->experts &&
	    a->num_heads == b->num_heads && a->vocab_size == b->vocab_size &&
	    (a->purpose == RUN_STATIC) == (b->purpose == RUN_STATIC);
}

/* Return the rule of the framework that the run violates (caller frees), or NULL. */
static char *
forbidden(const struct offer *o, const struct site *s)
{
	const struct configuration *c = &o->run.of;
	const struct space space = { .net = &o->net, .devices = c->dp * c->tp * c->cp * c->pp,
		.batch = c->dp * c->mbs * c->micro_batches, .framework = (enum framework)s->framework,
		.node = s->node };
	char *why = NULL;

	for (int rule = 0; rule < rules_count(); rule++)
		if (rule_broken(rule, &space, c, &why))
			return why;
	return NULL;
}

/* Estimate the cost of a run. Return false if it exceeds the memory. */
static bool
appraise(struct offer *o, struct site *s)
{
	const struct estimating how = { .imbalance = 1, .measured = measured_none() };
	struct configuration *c = &o->run.of;
	struct estimator *e;
	struct appraisal a;
	bool fits = true;

	o->run.devices = c->dp * c->tp * c->cp * c->pp;
	o->run.cost = (double)START * o->run.devices;
	if (o->run.purpose == RUN_STATIC)
		return true;
	e = estimator_new(&o->net, s->cluster, &how);
	a = estimate_fully(e, c);
	fits = a.brief.fits;
	o->run.cost += a.brief.step_time * STEPS * o->run.devices;
	if (!fits) {
		double over = s->nearest.over;

		nearest_offer(&s->nearest, e, c);
		if (s->nearest.over < over)
			s->lacking = o->run;
	}
	estimator_free(e);
	return fits;
}

struct offer *
offers_add(struct offers *all, struct site *s, struct training_run *r, char **why)
{
	struct offer o = { .run = *r, .net = shape_network(r, s->net) };

	*why = NULL;
	factors_of_run(r, o.x);
	for (size_t i = 0; i < all->n; i++)
		if (same_run(&all->at[i].run, r)) {
			architecture_free_classes(&o.net);
			return &all->at[i];
		}
	if (r->purpose != RUN_STATIC)
		*why = forbidden(&o, s);
	if (*why != NULL || !appraise(&o, s)) {
		all->too_large += *why == NULL;
		architecture_free_classes(&o.net);
		return NULL;
	}
	o.run.of.name = name_of(r, s->net);
	for (size_t i = 0, again = 2; i < all->n; i++)
		if (strcmp(all->at[i].run.of.name, o.run.of.name) == 0) {
			char *other = xasprintf("%s_%zu", o.run.of.name, again++);

			free(o.run.of.name);
			o.run.of.name = other;
			i = (size_t)-1;
		}
	*APPEND(all->at, all->n) = o;
	return &all->at[all->n - 1];
}

void
offers_known(struct offers *all, struct site *s, const struct training_run *r)
{
	struct offer *o = APPEND(all->at, all->n);

	*o = (struct offer){ .run = *r, .net = shape_network(r, s->net), .known = true };
	o->run.of.name = xstrdup(r->of.name);
	o->run.tells = (struct texts){ 0 };
	if (!GIVEN(training_run, r, seq_length))
		GIVE(training_run, &o->run, seq_length, s->net->seq_length);
	if (!GIVEN(training_run, r, experts) && s->net->experts > 0)
		GIVE(training_run, &o->run, experts, s->net->experts);
	factors_of_run(&o->run, o->x);
}

void
offers_of_shape(struct offers *all, struct site *s, const struct configuration *c, bool again)
{
	struct training_run r;
	char *why;

	if (!shape_run(&r, c, s->net, s->devices, &why)) {
		warnx("no run: %s", why);
		free(why);
		return;
	}
	GIVE(training_run, &r, purpose, RUN_ANCHOR);
	for (int full = 0; full <= again; full++) {
		struct offer *o;

		r.of.recompute = full ? KEEP_FULL : KEEP_ALL;
		o = offers_add(all, s, &r, &why);
		if (o == NULL && why != NULL)
			warnx("no run of tp %d, cp %d, ep %d: %s", c->tp, c->cp, c->ep, why);
		free(why);
	}
}

void
offers_say_nearest(const struct site *s)
{
	struct architecture net = shape_network(&s->lacking, s->net);
	const struct estimating how = { .imbalance = 1, .measured = measured_none() };
	struct estimator *e = estimator_new(&net, s->cluster, &how);

	nearest_say(&s->nearest, e, s->cluster);
	estimator_free(e);
	architecture_free_classes(&net);
}

void
offer_write(FILE *out, const struct offer *o)
{
	static const size_t always[] = { offsetof(struct training_run, of.name), offsetof(struct training_run, of.mbs),
		offsetof(struct training_run, of.recompute), offsetof(struct training_run, of.zero),
		offsetof(struct training_run, tells), offsetof(struct training_run, devices),
		offsetof(struct training_run, cost), offsetof(struct training_run, purpose) };
	struct training_run r = o->run;
	const struct configuration *c = &r.of;

	for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
		field_give(&training_run_fields, &r, always[i]);
#define GIVE_IF(member, condition) if (condition) \
	field_give(&training_run_fields, &r, offsetof(struct training_run, member))
	GIVE_IF(of.cp, c->cp > 1);
	GIVE_IF(of.cp_kind, c->cp > 1 && c->cp_kind != CONTEXT_RING);
	GIVE_IF(of.ep, c->ep > 1);
	GIVE_IF(of.etp, c->etp > 1);
	GIVE_IF(of.sp, c->tp > 1);
	GIVE_IF(of.fused, c->fused != 0);
#undef GIVE_IF
	if (!GIVEN(training_run, &r, dir))
		GIVE(training_run, &r, dir, r.of.name);
	record_put(out, RECORD_RUN, &r);
}

void
offers_free(struct offers *all)
{
	for (size_t i = 0; i < all->n; i++) {
		architecture_free_classes(&all->at[i].net);
		free(all->at[i].run.of.name);
		/* The command of a run with results belongs to the stream, so it is not freed. */
		if (!all->at[i].known)
			free(all->at[i].run.command);
		texts_free(&all->at[i].run.tells);
	}
	free(all->at);
}
