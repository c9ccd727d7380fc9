/* Verify: placement, lists, step time and peaks of a plan, each computed independently of the planner. */
#include "verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/order/timed_schedule.h"
#include "lib/simulate/load.h"
#include "lib/simulate/simulation.h"
#include "lib/yaml/settings.h"

/* Return the number of layers of body N in a piece of the plan. *NAME: the body's name in the plan. */
static int
layers_at(const struct problem *p, const struct plan *plan, int n, int piece, const char **name)
{
	const struct array *all = p->net->body[n].side != 0 ? &plan->ends : &plan->counts;
	const struct body_counts *counts = all->at;
	int sum = 0;

	for (int b = 0; b + 1 < all->n && strcmp(counts->name, p->net->body[n].name) != 0; b++)
		counts++;
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		sum += counts->kind[k].at != NULL ? counts->kind[k].at[piece] : 0;
	*name = counts->name;
	return sum;
}

/* Check that every layer is placed, that only allowed pieces are empty, and that bodies are in model order. */
static char *
placement_problem(const struct problem *p, const struct plan *plan)
{
	const char *name = NULL;
	int reached = 0, kinds = p->net->nbodies + (p->net->alone ? p->net->nouter : 0);

	if (plan->counts.n + plan->ends.n != kinds)
		return xasprintf("%d kinds of layers are placed, not %d", plan->counts.n + plan->ends.n, kinds);
	for (int b = 0; b < p->net->nbodies; b++) {
		int sum = 0;

		for (int i = 0; i < p->pieces; i++)
			sum += layers_at(p, plan, b, p->plan_piece[i], &name);
		if (sum != p->net->body[b].layers)
			return xasprintf("%d layers of '%s' are placed, not %d", sum, name, p->net->body[b].layers);
	}
	for (int n = 0; n < p->pieces; n++) {
		int i = p->plan_piece[p->piece[n]], layers = 0;

		for (int b = 0; b < p->net->nbodies; b++) {
			int here = layers_at(p, plan, b, i, &name);

			if (here > 0 && b < reached)
				return xasprintf("piece %d has '%s' after a later kind of layer", i, name);
			if (here > 0)
				reached = b;
			layers += here;
		}
		if (layers < p->fewest[p->piece[n]])
			return xasprintf("piece %d is empty", i);
	}
	return NULL;
}

/*
 * Return a description of the first list that contradicts the plan's counts, or NULL. Lists are interpreted as the
 * framework does: the layers of a piece in order, costlier kinds first.
 */
static char *
lists_problem(const struct plan *plan, int piece, struct grid kind[RECOMPUTE_KINDS])
{
	const struct body_counts *counts = plan->counts.at;
	int r = 0;

	for (int b = 0; b < plan->counts.n; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			enum recompute costly = recompute_costly_first[k];
			int n = counts[b].kind[costly].at != NULL ? counts[b].kind[costly].at[piece] : 0;

			if (n == 0)
				continue;
			while (kind[recompute_costly_first[r]].at[piece] == 0 && r < RECOMPUTE_KINDS - 1)
				r++;
			if (recompute_costly_first[r] != costly || n > kind[costly].at[piece])
				return xasprintf("its lists do not express that %d '%s' of piece %d are '%s'", n,
				    counts[b].name, piece, recompute_names[costly]);
			kind[costly].at[piece] -= n;
		}
	return NULL;
}

/* Return the level of a chain that has a kind; -1: none. */
static int
level_of(const struct nesting *n, int chain, int kind)
{
	for (int s = 0; s < n->levels[chain]; s++)
		if (n->level[chain][s] >> kind & 1)
			return s;
	return -1;
}

/* Return whether the layers of a piece, body after body, use levels of the chain in order. */
static bool
follows_chain(const struct plan *plan, int piece, const struct nesting *n, int chain)
{
	const struct body_counts *counts = plan->counts.at;
	int reached = 0;

	for (int b = 0; b < plan->counts.n; b++) {
		int last = reached;

		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			int level = level_of(n, chain, k);

			if (counts[b].kind[k].at == NULL || counts[b].kind[k].at[piece] == 0)
				continue;
			if (level < reached)
				return false;
			last = level > last ? level : last;
		}
		reached = last;
	}
	return true;
}

/* Return a description of the error if the lists of kinds with names do not nest as their patterns require, or NULL. */
static char *
nesting_problem(const struct problem *p, const struct plan *plan)
{
	const struct nesting *n = p->net->nesting != NULL ? p->net->nesting : &nesting_built_in;

	for (int i = 0; i < p->pieces; i++) {
		bool any = false;

		for (int chain = 0; chain < n->chains && !any; chain++)
			any = follows_chain(plan, i, n, chain);
		if (!any)
			return xasprintf("no lists of patterns express the recomputation of piece %d", i);
	}
	return NULL;
}

static bool
has_others(const struct plan *plan)
{
	const struct body_counts *counts = plan->counts.at;

	for (int b = 0; b < plan->counts.n; b++)
		for (int k = RECOMPUTE_BUILT_IN; k < RECOMPUTE_KINDS; k++)
			if (counts[b].kind[k].at != NULL && grid_sum(counts[b].kind[k]) > 0)
				return true;
	return false;
}

static char *
settings_problem(const struct problem *p, const struct plan *plan)
{
	struct settings set = { plan->offset, plan->recompute, plan->select_recompute, plan->select_comm_recompute };
	struct place at = { .source = plan->name };
	struct grid layers = settings_layers(&set, network_body_layers(p->net), at), kind[RECOMPUTE_KINDS];
	char *wrong = NULL;

	plan_kinds(plan, p->shape.chunks, p->shape.stages, kind);
	for (int i = 0; i < p->pieces && wrong == NULL; i++) {
		int sum = 0;

		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			sum += kind[k].at[i];
		if (sum != layers.at[i])
			wrong = xasprintf("piece %d has %d layers by its counts, %d by its offset", i, sum,
			    layers.at[i]);
	}
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(kind[k].at);
	free(layers.at);
	if (wrong == NULL && p->listed)
		wrong = nesting_problem(p, plan);
	if (wrong != NULL || !p->listed || has_others(plan))
		return wrong;
	settings_to_counts(&set, network_body_layers(p->net), kind, at);
	for (int i = 0; i < p->pieces && wrong == NULL; i++)
		wrong = lists_problem(plan, i, kind);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(kind[k].at);
	return wrong;
}

/*
 * Return a description of the difference between the plan and its simulation, or NULL. If nothing fits, the nearest
 * plan must fit limits raised by its excess.
 */
static char *
simulation_problem(const struct problem *p, const struct plan *plan, struct list limit)
{
	bool fits = plan->status != PLAN_INFEASIBLE;
	struct schedule sched = timed_schedule_of_plans(&p->shape, p->net, p->devices);
	struct load load = load_from_plan(plan, p->net, &p->shape, p->devices);
	struct simulation sim = { 0 };
	char *wrong = NULL;

	if (!simulation_run(&sim, &sched, &load))
		wrong = xasprintf("its order of operations deadlocks");
	else if (fits && fabs(sim.step_time - plan->step_time) > 1e-9 * plan->step_time)
		wrong = xasprintf("its step takes %.10g ms, not %.10g ms", sim.step_time, plan->step_time);
	for (int s = 0; s < p->shape.stages && wrong == NULL; s++) {
		double most = list_get(limit, s) + (fits ? 0 : plan->excess);
		double floor = load.floor.n > 0 ? load.floor.at[s] : 0;
		double peak = floor > 0 ? fmax(sim.peak.at[s], floor) : sim.peak.at[s];

		if (peak > most + simulation_slack(most))
			wrong = xasprintf("stage %d peaks at %.8g MB, above its limit of %.8g MB", s, peak, most);
	}
	simulation_free(&sim);
	load_free(&load);
	schedule_free(&sched);
	return wrong;
}

char *
verify_plan(const struct problem *p, const struct plan *plan, struct list limit)
{
	char *wrong = placement_problem(p, plan);

	if (wrong == NULL)
		wrong = settings_problem(p, plan);
	if (wrong == NULL)
		wrong = simulation_problem(p, plan, limit);
	if (wrong == NULL && plan->status != PLAN_INFEASIBLE && plan->lower_bound > plan->step_time)
		wrong = xasprintf("its bound %.10g ms is above its step time %.10g ms", plan->lower_bound,
		    plan->step_time);
	return wrong;
}
