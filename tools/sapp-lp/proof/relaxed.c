#include "relaxed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "columns_left.h"
#include "longest.h"

bool
relaxed_needed(const struct problem *p)
{
	return p->net->link > 0 || p->devices->transfers != TRANSFERS_HIDDEN;
}

static struct network
without_link(const struct network *net)
{
	struct network free_net = *net;

	free_net.link = 0;
	free_net.body = xcalloc((size_t)net->nbodies, sizeof *free_net.body);
	memcpy(free_net.body, net->body, (size_t)net->nbodies * sizeof *free_net.body);
	for (int b = 0; b < net->nbodies && net->link > 0; b++)
		memcpy(free_net.body[b].activation, net->body[b].stays, sizeof net->body[b].stays);
	return free_net;
}

/*
 * Return the fastest mix of a content with at most ACTIVATION MB. If rounding excludes all mixes, return the mix with
 * the least activation.
 */
static int
fastest_mix(const struct problem *p, int content, double activation)
{
	const struct pareto_front *f = contents_front(&p->contents, content);
	int least = 0, best = -1;

	for (int i = 0; i < f->n; i++) {
		least = f->mix[i].activation < f->mix[least].activation ? i : least;
		if (f->mix[i].activation <= activation &&
		    (best < 0 || f->mix[i].backward < f->mix[best].backward))
			best = i;
	}
	return best < 0 ? least : best;
}

/* Return a plan for problem P with the layers of PLAN, a plan for problem OF. */
static struct candidate
same_layers(const struct problem *p, const struct problem *of, const struct candidate *plan)
{
	struct candidate c = candidate_new(p);
	int *layers = xcalloc((size_t)p->pieces, sizeof *layers);

	for (int i = 0; i < p->pieces; i++)
		layers[i] = of->contents.content[plan->content[i]].layers;
	candidate_lay_out(p, layers, &c);
	for (int i = 0; i < p->pieces; i++)
		c.mix[i] = fastest_mix(p, c.content[i],
		    problem_mix(of, plan->content[i], plan->mix[i])->activation);
	free(layers);
	return c;
}

static double
step_of(const struct problem *p, const struct candidate *plan)
{
	struct longest longest = longest_new(p);
	double *cost = xcalloc((size_t)p->evaluator.slots, sizeof *cost), step;

	candidate_costs(p, plan, cost);
	step = longest_find(&longest, cost);
	longest_free(&longest);
	free(cost);
	return step;
}

void
relaxed_open(struct relaxed_proof *r, const struct problem *p, const struct candidate *plan)
{
	r->net = without_link(p->net);
	r->devices = *p->devices;
	r->devices.transfers = TRANSFERS_HIDDEN;
	r->problem = problem_new(&r->net, &p->shape, &r->devices, (struct list){ p->stages, p->limit },
	    p->listed);
	r->plan = same_layers(&r->problem, p, plan);
	r->step = columns_left_any_order(p) ? INFINITY : step_of(&r->problem, &r->plan);
}

void
relaxed_close(struct relaxed_proof *r)
{
	candidate_free(&r->plan);
	problem_free(&r->problem);
	free(r->net.body);
}
