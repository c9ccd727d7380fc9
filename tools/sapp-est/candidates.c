#include "candidates.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cost/in_flight.h"
#include "lib/estimate/forecast.h"
#include "lib/estimate/planning.h"
#include "lib/record/record.h"
#include "count.h"
#include "measurements.h"

enum { FLUSH_AT = 1 << 16 };

/* Use a table of operators only for candidates that compute in the type of the table. */
static void
pick_operators(struct est_run *r)
{
	struct operator_table *t = &r->how.measured.operators;

	if (!operator_table_empty(t))
		r->aside = *t;
	*t = r->aside;
	operator_table_of_type(t, r->in.compute);
}

static void
begin(struct est_run *r)
{
	const struct architecture *n = inputs_network(&r->in);
	const struct cluster *c = inputs_cluster(&r->in);

	if (r->estimator != NULL && !r->in.changed)
		return;
	if (r->estimator != NULL)
		estimator_free(r->estimator);
	r->in.changed = false;
	r->net = n;
	r->cluster = c;
	pick_operators(r);
	r->estimator = estimator_new(n, c, &r->how);
}

static void
estimate(struct est_run *r, const struct configuration *c, struct place at, bool parts)
{
	struct prediction p;

	begin(r);
	fused_check(r->estimator, c, r->net, r->cluster, &r->kept, at);
	p = forecast(r->estimator, c, r->cluster, &r->how.measured);
	if (parts)
		forecast_parts(&p, r->estimator, r->net, r->cluster, c);
	line_print(&r->line, "estimate", &prediction_fields, &p);
	fields_free(&prediction_fields, &p);
	r->any = true;
}

static void
contend(struct est_run *r, const struct configuration *c)
{
	struct appraisal a = estimate_fully(r->estimator, c);

	next_run_add(&r->next, c, &a, r->cluster, r->net);
}

/* Exit if layers before a language model are trained. They would keep activations, which HEAD layers cannot. */
static void
check_tower(const struct architecture *n, struct place at)
{
	const struct architecture *class = n->classes.at;
	bool any = false;

	for (int k = 0; k < n->classes.n; k++) {
		any |= architecture_in_front(n, k);
		if (architecture_in_front(n, k) && (!class[k].frozen || class[k].trained > 0))
			place_die(at, "-tower-first: the tower is trained, so it keeps activations, which HEAD layers "
			    "cannot '%s'", class[k].name);
	}
	if (!any)
		place_die(at, "-tower-first: the network has no layers in front of a language model");
}

static void
ask(struct est_run *r, const struct configuration *c, bool tower_first, struct place at)
{
	char *name = c->name != NULL ? NULL : configuration_name(c);

	begin(r);
	if (tower_first)
		check_tower(r->net, at);
	planning_write(stdout, r->estimator, r->net, r->cluster, c, name != NULL ? name : c->name, tower_first);
	free(name);
	r->any = true;
}

void
candidates_pass_on(struct est_run *r, const struct record *rec)
{
	line_text(&r->line, rec->text);
	if (r->line.length > FLUSH_AT)
		line_flush(&r->line, stdout);
}

/* Exit unless the given numbers of layers per stage add up to all layers. */
static void
check_stages(const struct grid *g, int layers, struct place at)
{
	int all = 0;

	for (int i = 0; i < g->stages && all <= layers; i++)
		all += g->at[i];
	if (g->at != NULL && all != layers)
		place_die(at, "candidate: stage_layers: the sum is not the network's %d layers '%d'", layers, all);
}

/* Check that every piece has a layer, embedding or loss, as the lower bound requires. */
static void
check_pieces(const struct est_run *r, const struct record *rec)
{
	const struct configuration *c = &rec->candidate;
	long long pieces = (long long)c->pp * c->vp;
	int layers = inputs_network(&r->in)->layers;

	check_stages(&c->stage_layers, layers, rec->place);
	if (pieces > layers + PIECES_ALONE)
		place_die(rec->place, "candidate: pp %d times vp %d exceed the network's layers, embedding and loss, "
		    "%d '%lld'", c->pp, c->vp, layers + PIECES_ALONE, pieces);
}

/* Write the counts of the network, once. */
static void
count_whole(struct est_run *r)
{
	if (r->in.changed)
		count_print(&r->line, inputs_network(&r->in), NULL);
	r->in.changed = false;
}

/* Return whether no plan of a candidate has a step below BELOW ms. */
static bool
beaten(struct est_run *r, const struct configuration *c, double below)
{
	if (below == INFINITY)
		return false;
	begin(r);
	return estimate_briefly(r->estimator, c).lower_bound >= below / 1e3 ||
	    !estimate_reaches(r->estimator, c, below / 1e3);
}

/* Where to continue after a candidate is refused. Its message is printed, and the next record is read. */
static jmp_buf refused;
static const struct reader *refused_in;

static void
refuse(int status)
{
	if (strstr(refused_in->buffer, "\"kind\":\"candidate\"") == NULL)
		exit(status);
	longjmp(refused, 1);
}

void
candidates_answer(struct est_run *r, const struct wanted_output *w)
{
	struct record rec;

	refused_in = &r->in.reader;
	if (setjmp(refused) != 0)
		r->refused++;
	place_exit = refuse;
	while (inputs_next(&r->in, &rec, &r->line)) {
		if (w->parameters) {
			count_whole(r);
			if (rec.kind == RECORD_CANDIDATE)
				count_print(&r->line, inputs_network(&r->in), &rec.candidate);
			record_free(&rec);
			continue;
		}
		measurements_take(r, &rec);
		if (rec.kind == RECORD_CANDIDATE) {
			inputs_choose(&r->in, &rec.candidate, rec.place);
			measurements_end(r, &rec);
		}
		if (rec.kind == RECORD_CANDIDATE && rec.candidate.reject == NULL)
			check_pieces(r, &rec);
		if (rec.kind == RECORD_CANDIDATE && rec.candidate.reject == NULL &&
		    beaten(r, &rec.candidate, w->below)) {
			record_free(&rec);
			continue;
		}
		/* Drop old estimates, because new ones follow their candidates. */
		if (rec.kind != RECORD_ESTIMATE && !w->operators)
			candidates_pass_on(r, &rec);
		if (rec.kind == RECORD_CANDIDATE && rec.candidate.reject == NULL) {
			measurements_tell_assumed(r, rec.candidate.mbs != 1);
			if (w->layers) {
				line_flush(&r->line, stdout);
				ask(r, &rec.candidate, w->tower_first, rec.place);
			} else if (w->operators) {
				begin(r);
				wanted_operators_take(&r->operators, r->estimator, &rec.candidate, &r->how, r->net,
				    r->cluster);
				r->any = true;
			} else {
				estimate(r, &rec.candidate, rec.place, w->parts);
				if (w->next)
					contend(r, &rec.candidate);
			}
		}
		record_free(&rec);
	}
	if (w->parameters)
		count_whole(r);
	/* Questions about operators are the whole output, so networks and clusters are not written. */
	if (!w->operators)
		line_flush(&r->line, stdout);
}
