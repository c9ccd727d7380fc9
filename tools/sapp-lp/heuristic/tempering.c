/*
 * Tempering: changes to replicas, accepted by the Metropolis rule, and exchanges of temperatures.  Where a step has few
 * operations, all plans are simulated, one in each lane; where it has many, only those that the path model does not say
 * to be longer than the best one.
 */
#include "tempering.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/random.h"
#include "path_model.h"
#include "replica.h"

enum {
	SWAP_EVERY = 16,	/* rounds between exchanges of temperatures */
	CHECK_EVERY = 256,	/* rounds between looks at the clock, */
	CHECK_OPERATIONS = 10000000,	/* or operations simulated */
	RENEW_EVERY = 1 << 12,	/* rounds after which lengths are added up anew: rounding adds up as well */
	MODEL_OPERATIONS = 12000,	/* of a step, from which on there is a path model */
	/* Operations simulated, those of all lanes counted, in about the time of ... */
	CHANGE_WORK = 300,	/* a change to a replica, */
	MODEL_WORK = 3000,	/* one question to the path model, */
	PATH_WORK = 6,		/* a critical path, for each operation of the step */
	PATHS_A_ROUND = 2,	/* critical paths added to the model */
};
static const double RIGHT = 1e-9;	/* what the model says is right, relatively */
/* Temperatures relative to the step time: almost no change that is worse is accepted at the first, most at the last. */
static const double COLDEST = 2e-5, HOTTEST = 4e-3;
/* From different plans on, all replicas are at one temperature first: until so many operations are simulated, */
static const double APART = 2e-4, APART_WORK = 3e8;
static const double APART_ROUNDS = 100;		/* or each piece had so many rounds */
/* The price of what exceeds memory, at first, and its limits; by which it changes, up and down. */
static const double PRICE = 1, PRICE_LEAST = 0.01, PRICE_MOST = 100, DEARER = 1.1, CHEAPER = 0.98;

struct tempering {
	const struct problem *p;
	struct changer changer;
	struct replica replica[LANES];
	double time[LANES];		/* ms, of each replica; with a path model, no more than the step */
	double temperature[LANES];	/* of each replica, relative to the best step time */
	/*
	 * Best step times by which a plan counts as longer that exceeds a limit by all of it, at the temperature of
	 * each replica: it follows how often plans there exceed any.
	 */
	double price[LANES];
	double excess[LANES];		/* replica_excess(), of each */
	struct lanes *cost, *end, *clock;
	double best_time;
	struct candidate best;
	double apart;		/* the work until which all replicas are at one temperature; 0: they are not */
	long evaluations;		/* plans simulated, or asked the path model for */
	double simulated;		/* operations */
	double seconds;			/* that tempering_run() took */
	/* Where the path model is used; NULL: it is not. */
	struct path_model *model;
	struct path_finder finder;
	struct visits found[PATHS_A_ROUND];
	struct times *times[LANES];	/* [pieces], of each replica */
	struct replica kept[LANES];	/* as they were when they were simulated last, */
	struct times *kept_times[LANES];	/* and their times */
	int *piece;			/* [pieces], those that a change touches, */
	struct times *change;		/* and by how much */
};

static struct times
times_of(const struct replica *r, int piece)
{
	const struct problem *p = r->p;

	return piece_times(p, piece, &p->contents.content[r->content[piece]],
	    problem_mix(p, r->content[piece], r->mix[piece]));
}

static void
set_cost(struct tempering *s, int lane, int piece, struct times t)
{
	double ms[2 * PHASES];

	phase_times(s->p, piece, t, ms);
	for (int k = 0; k < s->p->evaluator.phases; k++)
		s->cost[k * s->p->pieces + piece].at[lane] = ms[k];
}

static void
stage_costs(struct tempering *s, int lane, int stage)
{
	for (int i = stage; i < s->p->pieces; i += s->p->stages)
		set_cost(s, lane, i, times_of(&s->replica[lane], i));
}

static void
load(struct tempering *s, int lane, const struct candidate *c)
{
	const struct problem *p = s->p;

	s->excess[lane] = 0;
	replica_load(&s->replica[lane], c);
	for (int i = 0; i < p->pieces && s->model != NULL; i++)
		s->times[lane][i] = times_of(&s->replica[lane], i);
	if (s->model != NULL)
		path_model_set(s->model, lane, s->times[lane]);
	for (int g = 0; g < p->stages; g++)
		stage_costs(s, lane, g);
}

static struct lanes
evaluate(struct tempering *s)
{
	double operations = (double)LANES * s->p->evaluator.noperations;

	s->evaluations += LANES;
	s->simulated += operations;
	s->changer.work += operations;
	return evaluator_run(&s->p->evaluator, s->cost, s->end, s->clock);
}

static void
model_new(struct tempering *s)
{
	const struct problem *p = s->p;

	if (p->evaluator.noperations < MODEL_OPERATIONS)
		return;
	s->model = path_model_new(p);
	s->finder = path_finder_new(p);
	for (int l = 0; l < LANES; l++)
		s->times[l] = xcalloc((size_t)p->pieces, sizeof **s->times);
	for (int l = 0; l < LANES; l++)
		s->kept_times[l] = xcalloc((size_t)p->pieces, sizeof **s->times);
	for (int l = 0; l < LANES; l++)
		s->kept[l] = replica_new(p);
	for (int i = 0; i < PATHS_A_ROUND; i++)
		s->found[i] = visits_new(p);
	s->piece = xcalloc((size_t)p->pieces, sizeof *s->piece);
	s->change = xcalloc((size_t)p->pieces, sizeof *s->change);
}

static void
model_free(struct tempering *s)
{
	if (s->model == NULL)
		return;
	path_model_free(s->model);
	path_finder_free(&s->finder);
	for (int l = 0; l < LANES; l++) {
		free(s->times[l]);
		free(s->kept_times[l]);
		replica_free(&s->kept[l]);
	}
	for (int i = 0; i < PATHS_A_ROUND; i++)
		free(s->found[i].at);
	free(s->piece);
	free(s->change);
}

/* The temperature of the N-th coldest replica. */
static double
ladder(int n)
{
	return COLDEST * pow(HOTTEST / COLDEST, (double)n / (LANES - 1));
}

struct tempering *
tempering_new(const struct problem *p, const struct candidate *const start[], bool detours,
    const struct visits *weight, const struct path_cuts *paths, uint64_t seed)
{
	struct tempering *s = xcalloc(1, sizeof *s);
	struct lanes steps;

	s->p = p;
	s->changer = changer_new(p, weight, seed);
	s->cost = evaluator_lanes((size_t)p->evaluator.slots);
	s->end = evaluator_lanes(p->evaluator.registers);
	s->clock = evaluator_lanes((size_t)p->stages);
	s->best = candidate_new(p);
	model_new(s);
	/* With a path model they made plans longer: changes that it takes are many, and few come back to what fits. */
	s->changer.detours = detours && s->model == NULL;
	for (int l = 1; l < LANES; l++)
		if (start[l] != start[0])
			s->apart = fmin(APART_WORK, APART_ROUNDS * p->pieces * LANES * p->evaluator.noperations);
	for (int l = 0; l < LANES; l++) {
		s->replica[l] = replica_new(p);
		s->price[l] = PRICE;
		s->temperature[l] = s->apart > 0 ? APART : ladder(l);
		load(s, l, start[l]);
	}
	for (int i = 0; i < paths->n && s->model != NULL; i++)
		path_model_add(s->model, &paths->at[i], s->times);
	candidate_copy(p, &s->best, start[0]);
	steps = evaluate(s);
	memcpy(s->time, steps.at, sizeof s->time);
	s->best_time = s->time[0];
	return s;
}

void
tempering_free(struct tempering *s)
{
	for (int l = 0; l < LANES; l++)
		replica_free(&s->replica[l]);
	changer_free(&s->changer);
	model_free(s);
	candidate_free(&s->best);
	free(s->cost);
	free(s->end);
	free(s->clock);
	free(s);
}

double
tempering_best(const struct tempering *s, struct candidate *out)
{
	if (out != NULL)
		candidate_copy(s->p, out, &s->best);
	return s->best_time;
}

long
tempering_evaluations(const struct tempering *s, double *operations, double *seconds)
{
	*operations += s->simulated;
	*seconds += s->seconds;
	return s->evaluations;
}

void
tempering_take(struct tempering *s, const struct candidate *c)
{
	load(s, 0, c);
	s->time[0] = evaluate(s).at[0];
	if (s->time[0] < s->best_time) {
		s->best_time = s->time[0];
		candidate_copy(s->p, &s->best, c);
	}
}

/* Each pair of neighbouring temperatures, by the rule that leaves their joint distribution as it is. */
static void
swap_temperatures(struct tempering *s)
{
	for (int a = 0; a < LANES; a++)
		for (int b = 0; b < LANES; b++) {
			double ta = s->temperature[a], tb = s->temperature[b], d;

			/* b is the next hotter one */
			if (!(tb > ta))
				continue;
			for (int c = 0; c < LANES; c++)
				if (s->temperature[c] > ta && s->temperature[c] < tb)
					tb = INFINITY;
			if (tb == INFINITY)
				continue;
			d = (s->time[b] - s->time[a]) / s->best_time * (1 / ta - 1 / tb) +
			    (s->excess[b] - s->excess[a]) * (s->price[a] / ta - s->price[b] / tb);
			if (d <= 0 || xorshift_unit(&s->changer.random) < exp(-d)) {
				double price = s->price[a];

				s->price[a] = s->price[b];
				s->price[b] = price;
				s->temperature[a] = tb;
				s->temperature[b] = ta;
			}
		}
}

/* Where plans exceed limits that is dearer from now on, where none does cheaper. */
static void
adapt_prices(struct tempering *s)
{
	for (int l = 0; l < LANES; l++)
		s->price[l] = fmin(fmax(s->price[l] * (s->excess[l] > 0 ? DEARER : CHEAPER), PRICE_LEAST), PRICE_MOST);
}

/* ms by which what a replica exceeds counts. */
static double
penalty(const struct tempering *s, int lane, double excess)
{
	return excess * s->price[lane] * s->best_time;
}

static void
keep_best(struct tempering *s, int lane, double time)
{
	size_t n = (size_t)s->p->pieces * sizeof(int);

	s->best_time = time;
	memcpy(s->best.content, s->replica[lane].content, n);
	memcpy(s->best.mix, s->replica[lane].mix, n);
}

/* The Metropolis rule, of a change by D ms. */
static bool
accept(struct tempering *s, int lane, double d)
{
	return d <= 0 || xorshift_unit(&s->changer.random) < exp(-d / (s->best_time * s->temperature[lane]));
}

static bool
better(const struct tempering *s, double time)
{
	return time < s->best_time * (1 - 1e-12);
}

/* A change to every replica, all simulated. */
static void
run_simulated(struct tempering *s)
{
	bool changed[LANES];
	struct lanes t;

	for (int l = 0; l < LANES; l++) {
		struct replica *r = &s->replica[l];

		changed[l] = replica_change(r, &s->changer, NULL, NULL);
		if (!changed[l])
			replica_take_back(r);
		for (int i = 0; i < r->n && changed[l]; i++)
			stage_costs(s, l, r->stage[i]);
	}
	t = evaluate(s);
	if (s->changer.detours)
		s->changer.work += LANES * CHANGE_WORK;
	for (int l = 0; l < LANES; l++) {
		struct replica *r = &s->replica[l];
		double excess;

		if (!changed[l])
			continue;
		excess = replica_excess(r);
		if (accept(s, l, t.at[l] - s->time[l] + penalty(s, l, excess - s->excess[l]))) {
			s->time[l] = t.at[l];
			s->excess[l] = excess;
			if (excess == 0 && better(s, t.at[l]))
				keep_best(s, l, t.at[l]);
			continue;
		}
		replica_take_back(r);
		for (int i = 0; i < r->n; i++)
			stage_costs(s, l, r->stage[i]);
	}
}

/* The pieces whose times a replica's change changes, into s->piece and s->change; returns how many. */
static int
list_changes(struct tempering *s, int lane)
{
	const struct replica *r = &s->replica[lane];
	int n = 0;

	for (int k = 0; k < r->n; k++)
		for (int i = r->stage[k]; i < s->p->pieces; i += s->p->stages) {
			struct times *old = &s->times[lane][i], new;

			if (r->content[i] == r->old_content[i] && r->mix[i] == r->old_mix[i])
				continue;
			new = times_of(r, i);
			s->piece[n] = i;
			s->change[n++] = (struct times){ new.forward - old->forward, new.backward - old->backward,
				new.gradient - old->gradient };
		}
	return n;
}

struct busy {			/* with busy_rank() */
	struct tempering *s;
	int lane;
};

static double
busy_rank(void *with, int piece)
{
	struct busy *b = with;

	return path_model_visits(b->s->model, b->lane, piece);
}

/* A change to one replica, accepted by the path model. */
static void
change_modelled(struct tempering *s, int lane)
{
	struct replica *r = &s->replica[lane];
	struct busy busy = { s, lane };
	bool ranked = xorshift_below(&s->changer.random, 2);
	double before = path_model_longest(s->model, lane) + path_model_crowd(s->model, lane), after;
	int n;

	s->changer.work += MODEL_WORK;
	s->evaluations++;
	if (!replica_change(r, &s->changer, ranked ? busy_rank : NULL, &busy)) {
		replica_take_back(r);
		return;
	}
	n = list_changes(s, lane);
	after = path_model_try(s->model, lane, n, s->piece, s->change);
	if (!accept(s, lane, after - before)) {
		replica_take_back(r);
		return;
	}
	path_model_take(s->model, lane);
	for (int i = 0; i < n; i++) {
		s->times[lane][s->piece[i]] = times_of(r, s->piece[i]);
		set_cost(s, lane, s->piece[i], s->times[lane][s->piece[i]]);
	}
}

/*
 * The replica whose step is longest compared with what the model says, of those not NAMED; -1: the model is right.
 */
static int
most_wrong(const struct tempering *s, const struct lanes *step, const bool *named)
{
	double most = RIGHT;
	int at = -1;

	for (int l = 0; l < LANES; l++) {
		double wrong = step->at[l] / path_model_longest(s->model, l) - 1;

		if (!named[l] && wrong > most) {
			most = wrong;
			at = l;
		}
	}
	return at;
}

/* The critical paths of the plans for which the model is most wrong, FOUND[PATHS_A_ROUND]; returns how many. */
static int
find_paths(struct tempering *s, const struct lanes *step)
{
	bool named[LANES] = { false };
	int n = 0, l;

	for (; n < PATHS_A_ROUND && (l = most_wrong(s, step, named)) >= 0; n++) {
		named[l] = true;
		for (int i = 0; i < s->p->pieces; i++)
			piece_costs(s->p, i, s->times[l][i], s->finder.cost);
		path_finder_longest(&s->finder);
		visits_copy(s->p, &s->found[n], &s->finder.path);
	}
	s->changer.work += (double)n * PATH_WORK * s->p->evaluator.noperations;
	return n;
}

static void
bring_back(struct tempering *s, int lane)
{
	replica_copy(&s->replica[lane], &s->kept[lane]);
	path_model_bring_back(s->model, lane);
	for (int i = 0; i < s->p->pieces; i++)
		if (memcmp(&s->times[lane][i], &s->kept_times[lane][i], sizeof **s->times) != 0) {
			s->times[lane][i] = s->kept_times[lane][i];
			set_cost(s, lane, i, s->times[lane][i]);
		}
}

/*
 * Some changes to every replica, accepted by the model's time; then all are simulated, and the changes of each together
 * accepted by what the step's difference is more than the model's (surrogate transition method, Liu 2001, section
 * 9.4.3).
 */
static void
run_modelled(struct tempering *s)
{
	int many = 1 + (int)(s->p->evaluator.noperations / MODEL_WORK), found;
	double before[LANES];
	struct lanes t;

	for (int l = 0; l < LANES; l++) {
		replica_copy(&s->kept[l], &s->replica[l]);
		memcpy(s->kept_times[l], s->times[l], (size_t)s->p->pieces * sizeof **s->times);
		before[l] = path_model_longest(s->model, l);
		path_model_keep(s->model, l);
		for (int i = 0; i < many; i++)
			change_modelled(s, l);
	}
	t = evaluate(s);
	found = find_paths(s, &t);
	for (int l = 0; l < LANES; l++) {
		double modelled = path_model_longest(s->model, l) - before[l];

		if (better(s, t.at[l]))
			keep_best(s, l, t.at[l]);
		if (accept(s, l, t.at[l] - s->time[l] - modelled))
			s->time[l] = t.at[l];
		else
			bring_back(s, l);
	}
	for (int i = 0; i < found; i++)
		path_model_add(s->model, &s->found[i], s->times);
}

static void
renew_lengths(struct tempering *s)
{
	for (int l = 0; l < LANES; l++)
		path_model_set(s->model, l, s->times[l]);
}

/* The shorter a replica's plan, the colder it is from now on. */
static void
join(struct tempering *s)
{
	s->apart = 0;
	for (int l = 0; l < LANES; l++) {
		int shorter = 0;

		for (int k = 0; k < LANES; k++)
			shorter += s->time[k] < s->time[l] || (s->time[k] == s->time[l] && k < l);
		s->temperature[l] = ladder(shorter);
	}
}

bool
tempering_run(struct tempering *s, long rounds, double deadline)
{
	double before = s->best_time, begun = clock_now(), checked = s->changer.work;
	double end = s->changer.work + (double)rounds * LANES * s->p->evaluator.noperations;

	changer_shed(&s->changer);
	s->changer.deadline = deadline;
	for (long r = 0; s->changer.work < end; r++) {
		if (r % CHECK_EVERY == 0 || s->changer.work - checked > CHECK_OPERATIONS) {
			checked = s->changer.work;
			if (!clock_left(deadline))
				break;
		}
		if (s->model == NULL)
			run_simulated(s);
		else
			run_modelled(s);
		if (s->apart > 0 && s->changer.work > s->apart)
			join(s);
		if (r % SWAP_EVERY == 0 && s->apart == 0) {
			swap_temperatures(s);
			adapt_prices(s);
		}
		if (r % RENEW_EVERY == 0 && s->model != NULL)
			renew_lengths(s);
	}
	s->seconds += clock_now() - begun;
	return s->best_time < before;
}
