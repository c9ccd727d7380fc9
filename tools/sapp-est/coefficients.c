/* Coefficients: make an anchor of each run, and tables of collectives. */
#include "coefficients.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/cost/shape.h"
#include "lib/estimate/anchor.h"
#include "lib/record/observed.h"
#include "layers.h"

#define MILLI 1e-3
#define MEGA 1048576.0

void
coefficients_take_run(struct coefficients *c, const struct training_run *r)
{
	struct training_run *to;
	char *name;

	to = APPEND(c->run, c->nruns);
	*to = (struct training_run){ 0 };
	fields_copy(&training_run_fields, to, r);
	name = to->of.name != NULL ? to->of.name : configuration_name(&r->of);
	to->of = r->of;
	to->of.name = name;
	to->of.origin = NULL;
}

const struct training_run *
coefficients_run(const struct coefficients *c, const char *name)
{
	for (size_t i = 0; i < c->nruns; i++)
		if (strcmp(c->run[i].of.name, name) == 0)
			return &c->run[i];
	return NULL;
}

/* Return whether a coefficient is a figure of operator tables. */
static bool
of_operators(const struct coefficient *k)
{
	return strcmp(k->of, "gap") == 0 || strcmp(k->of, "sustain") == 0 || strcmp(k->of, "contention") == 0;
}

void
coefficients_take(struct coefficients *c, const struct coefficient *k, struct place at)
{
	if (GIVEN(coefficient, k, run) && coefficients_run(c, k->run) == NULL)
		place_die(at, "coefficient: no run record before this one has the name '%s'", k->run);
	if (!GIVEN(coefficient, k, run) && !GIVEN(coefficient, k, knots) && strcmp(k->of, "memory_activation") != 0 &&
	    !of_operators(k))
		return;
	if (!GIVEN(coefficient, k, knots) && k->terms.n == 0)
		place_die(at, "coefficient: '%s' has neither terms nor knots", k->of);
	*APPEND(c->at, c->n) = (struct coefficient){ 0 };
	fields_copy(&coefficient_fields, &c->at[c->n - 1], k);
}

/* Return the value of a coefficient for the factors of a run. */
static double
value_of(const struct coefficient *k, const struct anchor *a)
{
	const struct configuration *c = &a->of;
	const struct { const char *name; double value; } factor[] = { { "tp", c->tp }, { "cp", c->cp }, { "ep", c->ep },
		{ "mbs", c->mbs }, { "seq", a->net.seq_length }, { "experts", a->net.experts } };
	double sum = 0;

	for (int i = 0; i < k->terms.n; i++) {
		const struct coefficient_term *t = (const struct coefficient_term *)k->terms.at + i;
		double p = t->value;

		for (int e = 0; e < t->exponents.n; e++)
			for (size_t f = 0; f < sizeof factor / sizeof factor[0]; f++)
				if (strcmp(t->exponents.name[e], factor[f].name) == 0)
					p *= pow(factor[f].value, t->exponents.at[e]);
		sum += p;
	}
	return sum;
}

/* Return the measured layer that a coefficient is for; NULL if ambiguous. */
static struct measured_layer *
layer_of(struct anchor *a, const struct coefficient *k)
{
	int moe = architecture_moe_before(&a->net, a->net.layers), kind;

	if (k->part == PLACE_HEAD || k->part == PLACE_TAIL)
		return k->part == PLACE_HEAD ? &a->head : &a->tail;
	if (k->part != PLACE_BODY)
		return NULL;
	kind = k->layer != NULL ? layers_kind(k->layer, 0, &a->net) : -1;
	if (a->net.pattern.n == 0 && (moe == 0 || moe == a->net.layers))
		kind = moe == 0 ? KIND_DENSE : KIND_MOE;
	if (kind < 0)
		warnx("coefficient: ignored, as it is unknown whether '%s' is a dense layer or a mixture of experts",
		    k->layer != NULL ? k->layer : "");
	return kind < 0 ? NULL : &a->layer[kind];
}

/* Add a value: MEAN takes the mean over several classes of a kind; otherwise several layers of an end are summed. */
static void
add(double *x, double *of, double value, bool mean)
{
	if (!mean)
		*x = fmax(*x, 0) + value;
	else
		*x = (fmax(*x, 0) * *of + value) / (*of + 1);
	++*of;
}

static void
take_layer(struct anchor *a, const struct coefficient *k)
{
	static const char *const names[] = { "time", "backward_time", "weight_time", "recompute_time",
		"memory_activation" };
	size_t which = 0;
	struct measured_layer *l;
	double value = value_of(k, a);
	bool body = k->part == PLACE_BODY;

	while (which < sizeof names / sizeof names[0] && strcmp(k->of, names[which]) != 0)
		which++;
	if (which == sizeof names / sizeof names[0] || (l = layer_of(a, k)) == NULL)
		return;
	if (which < 4)
		a->error = fmax(a->error, body ? k->error : 0);
	if (which == 0)
		add(&l->forward, &l->of.forward, MILLI * value, body);
	else if (which == 1)
		add(&l->backward, &l->of.backward, MILLI * value, body);
	else if (which == 2)
		l->backward = fmax(l->backward, 0) + MILLI * value;
	else if (which == 3)
		add(&l->again[KEEP_FULL], &l->of.again[KEEP_FULL], MILLI * value, body);
	else
		add(&l->memory[KEEP_ALL], &l->of.memory[KEEP_ALL], MEGA * value, body);
}

/* Return whether a coefficient is for the regime of this run. */
static bool
same_regime(const struct coefficient *k, const struct configuration *c)
{
	for (int i = 0; i < k->regime.n; i++) {
		const char *name = k->regime.name[i];
		int degree = strcmp(name, "tp") == 0 ? c->tp : strcmp(name, "cp") == 0 ? c->cp :
		    strcmp(name, "ep") == 0 ? c->ep : c->pp;

		if ((k->regime.at[i] > 1) != (degree > 1))
			return false;
	}
	return true;
}

static struct anchor
anchor_of(const struct coefficients *c, size_t i, const struct architecture *n)
{
	const struct training_run *r = &c->run[i];
	const struct measured_layer none = measured_layer_none();
	struct anchor a = { .of = r->of, .net = shape_network(r, n), .head = none, .tail = none, .optimizer = -1,
		.step = MILLI * r->step_time };

	for (int kind = 0; kind < CLASSES_MOST; kind++)
		a.layer[kind] = none;
	/* Memory and recomputation of layers have coefficients of their own. */
	for (size_t k = 0; k < c->n; k++) {
		const struct coefficient *of = &c->at[k];

		if (GIVEN(coefficient, of, run) ? strcmp(of->run, r->of.name) != 0 : !same_regime(of, &a.of))
			continue;
		if (strcmp(of->of, "optimizer") == 0)
			a.optimizer = MILLI * value_of(of, &a);
		else
			take_layer(&a, of);
	}
	a.of.name = NULL;
	return a;
}

void
coefficients_apply(struct coefficients *c, struct measured *m, const struct architecture *n)
{
	struct operator_table *t = &m->operators;
	double hidden = 0, runs = 0;

	for (size_t i = 0; i < c->nruns; i++) {
		struct anchor a = anchor_of(c, i, n);
		bool any = a.step > 0;		/* whether layers also are measured */

		for (int kind = 0; kind < n->classes.n; kind++)
			any |= a.layer[kind].forward >= 0;
		if (any)
			*APPEND(m->anchor, m->nanchors) = a;
		else
			architecture_free_classes(&a.net);
	}
	/* Go backwards: an installed table is read last, and figures read earlier override it. */
	for (size_t i = c->n; i-- > 0;) {
		const struct coefficient *k = &c->at[i];
		double value = k->terms.n > 0 ? ((const struct coefficient_term *)k->terms.at)->value : -1;

		if (strcmp(k->of, "hidden") == 0 && k->terms.n > 0) {
			hidden += value;
			runs++;
		}
		/* These are figures of operator tables. */
		t->gap = strcmp(k->of, "gap") == 0 ? value : t->gap;
		t->sustain = strcmp(k->of, "sustain") == 0 ? value : t->sustain;
		t->contention = strcmp(k->of, "contention") == 0 ? value : t->contention;
		for (int j = 0; j < k->knots.chunks && k->knots.stages == 2 && k->members > 1; j++)
			collectives_knot(&m->collectives, k->op, k->members, k->nodes, k->knots.at[2 * j],
			    MILLI * k->knots.at[2 * j + 1], k->error);
	}
	if (runs > 0)
		m->hidden = fmin(fmax(hidden / runs, 0), 1);
	for (size_t i = 0; i < c->nruns; i++)
		fields_free(&training_run_fields, &c->run[i]);
	for (size_t i = 0; i < c->n; i++)
		fields_free(&coefficient_fields, &c->at[i]);
	free(c->run);
	free(c->at);
	*c = (struct coefficients){ 0 };
}
