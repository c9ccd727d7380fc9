/* Tempering: changes to replicas, accepted by the Metropolis rule, and exchanges of temperatures. */
#include "tempering.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/random.h"
#include "recompute_greedy.h"

enum {
	SWAP_EVERY = 16,	/* rounds between exchanges of temperatures */
	CHECK_EVERY = 256,	/* rounds between looks at the clock */
};
static const double SETTINGS_WORK = 5e7;	/* comparisons of backward times for lists that always pay */
static const size_t SETTINGS_BYTES = 200000000;	/* of the cache, above which it is emptied */
/* Temperatures relative to the step time: almost no change that is worse is accepted at the first, most at the last. */
static const double COLDEST = 2e-5, HOTTEST = 4e-3;

struct state {			/* one replica */
	int *layers;		/* [pieces] */
	int *content;		/* [pieces] */
	int *mix;		/* [pieces] */
	double time;		/* ms */
};

struct change {			/* of one replica, to be accepted or taken back */
	int n;			/* stages touched */
	int *stage;
	bool valid;
	struct state old;	/* from which the change is taken back */
};

struct tempering {
	const struct problem *p;
	struct settings_cache cache;
	const struct visits *weight;
	struct state state[LANES];
	struct change change[LANES];
	double temperature[LANES];	/* of each replica, relative to the best step time */
	struct lanes *cost, *end, *clock;
	double best_time;
	struct candidate best;
	uint64_t random;
	long evaluations;		/* plans simulated */
	double seconds;			/* that tempering_run() took */
	double *value;			/* [chunks], scratch */
};

static void
state_costs(struct tempering *s, int lane, int stage)
{
	const struct problem *p = s->p;
	const struct state *st = &s->state[lane];

	for (int i = stage; i < p->pieces; i += p->stages) {
		const struct content *c = &p->contents.content[st->content[i]];
		struct times t = piece_times(p, i, c, problem_mix(p, st->content[i], st->mix[i]));
		double pace = p->pace[stage];

		s->cost[PHASE_F * p->pieces + i].at[lane] = pace * t.forward;
		s->cost[PHASE_B * p->pieces + i].at[lane] = pace * t.backward;
		s->cost[PHASE_W * p->pieces + i].at[lane] = pace * t.gradient;
		s->cost[PHASE_I * p->pieces + i].at[lane] = pace * (t.backward - t.gradient);
	}
}

static void
state_load(struct tempering *s, int lane, const struct candidate *c)
{
	struct state *st = &s->state[lane];

	for (int i = 0; i < s->p->pieces; i++) {
		st->content[i] = c->content[i];
		st->mix[i] = c->mix[i];
		st->layers[i] = s->p->contents.content[c->content[i]].layers;
	}
	for (int g = 0; g < s->p->stages; g++)
		state_costs(s, lane, g);
}

static struct lanes
evaluate(struct tempering *s)
{
	s->evaluations += LANES;
	return evaluator_run(&s->p->evaluator, s->cost, s->end, s->clock);
}

static struct state
state_new(const struct problem *p)
{
	return (struct state){
		.layers = xcalloc((size_t)p->pieces, sizeof(int)),
		.content = xcalloc((size_t)p->pieces, sizeof(int)),
		.mix = xcalloc((size_t)p->pieces, sizeof(int)),
	};
}

static void
state_free(struct state *st)
{
	free(st->layers);
	free(st->content);
	free(st->mix);
}

struct tempering *
tempering_new(const struct problem *p, const struct candidate *start, const struct visits *weight, uint64_t seed)
{
	struct tempering *s = xcalloc(1, sizeof *s);
	struct lanes t;

	s->p = p;
	s->cache = settings_cache_new(p, false);
	s->weight = weight;
	s->random = seed * RANDOM_ODD + 0x2545f4914f6cdd1du;
	s->cost = evaluator_lanes((size_t)p->evaluator.slots);
	s->end = evaluator_lanes(p->evaluator.registers);
	s->clock = evaluator_lanes((size_t)p->stages);
	s->best = candidate_new(p);
	s->value = xcalloc((size_t)p->chunks, sizeof *s->value);
	for (int l = 0; l < LANES; l++) {
		s->state[l] = state_new(p);
		s->change[l].old = state_new(p);
		s->change[l].stage = xcalloc((size_t)p->stages, sizeof(int));
		s->temperature[l] = COLDEST * pow(HOTTEST / COLDEST, (double)l / (LANES - 1));
		state_load(s, l, start);
	}
	t = evaluate(s);
	for (int l = 0; l < LANES; l++)
		s->state[l].time = t.at[l];
	candidate_copy(p, &s->best, start);
	s->best_time = t.at[0];
	return s;
}

void
tempering_free(struct tempering *s)
{
	for (int l = 0; l < LANES; l++) {
		state_free(&s->state[l]);
		state_free(&s->change[l].old);
		free(s->change[l].stage);
	}
	settings_cache_free(&s->cache);
	candidate_free(&s->best);
	free(s->cost);
	free(s->end);
	free(s->clock);
	free(s->value);
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
tempering_evaluations(const struct tempering *s, double *seconds)
{
	*seconds += s->seconds;
	return s->evaluations;
}

void
tempering_take(struct tempering *s, const struct candidate *c)
{
	struct lanes t;

	state_load(s, 0, c);
	t = evaluate(s);
	s->state[0].time = t.at[0];
	if (t.at[0] < s->best_time) {
		s->best_time = t.at[0];
		candidate_copy(s->p, &s->best, c);
	}
}

static void
touch(struct change *ch, int stage)
{
	for (int i = 0; i < ch->n; i++)
		if (ch->stage[i] == stage)
			return;
	ch->stage[ch->n++] = stage;
}

/* Random weights of the chunks' backward times, about their visits in the mean of paths. */
static void
draw_values(struct tempering *s, int stage)
{
	const struct problem *p = s->p;

	for (int v = 0; v < p->chunks; v++) {
		double w = s->weight != NULL ? piece_worth(p, v * p->stages + stage, s->weight).backward : p->micro;

		s->value[v] = (w + 0.1 * p->micro) * (0.2 + xorshift_unit(&s->random));
	}
}

/* A setting of the list: one in four times any, else the best for random weights of the chunks. */
static int
choose(struct tempering *s, int stage, const struct stage_settings *settings)
{
	const struct problem *p = s->p;
	const double *row = settings->backward;
	double least = INFINITY;
	int best = 0;

	if (settings->n == 1)
		return 0;
	if (xorshift_below(&s->random, 4) == 0)
		return xorshift_below(&s->random, settings->n);
	draw_values(s, stage);
	for (int i = 0; i < settings->n; i++, row += p->chunks) {
		double sum = 0;

		for (int v = 0; v < p->chunks; v++)
			sum += s->value[v] * row[v];
		if (sum < least) {
			least = sum;
			best = i;
		}
	}
	return best;
}

/*
 * A setting where there is no list: from the mixes before, every other time with one chunk's drawn anew, made to fit.
 */
static bool
adjust(struct tempering *s, int lane, int stage, const int *content, int *mix)
{
	const struct problem *p = s->p;
	const struct state *old = &s->change[lane].old;

	for (int v = 0; v < p->chunks; v++) {
		int last = contents_front(&p->contents, content[v])->n - 1, piece = v * p->stages + stage;
		int before = contents_front(&p->contents, old->content[piece])->n - 1;

		mix[v] = before > 0 ? old->mix[piece] * last / before : last;
	}
	if (xorshift_below(&s->random, 2) == 0) {
		int v = xorshift_below(&s->random, p->chunks);

		mix[v] = xorshift_below(&s->random, contents_front(&p->contents, content[v])->n);
	}
	draw_values(s, stage);
	return recompute_from(p, stage, content, s->value, mix);
}

/*
 * Whether to list the settings of contents not seen before: as long as lists take no longer than simulating, for with
 * hundreds of layers contents rarely come twice. Counted, not timed, so that a search is the same on any machine.
 */
static bool
settings_pay(const struct tempering *s)
{
	return s->cache.work < SETTINGS_WORK + (double)s->evaluations * s->p->evaluator.noperations;
}

/* A new setting for the contents that a stage now has; false when none fits. */
static bool
settle(struct tempering *s, int lane, int stage)
{
	const struct problem *p = s->p;
	struct state *st = &s->state[lane];
	int content[p->chunks], mix[p->chunks];
	const struct stage_settings *settings;

	for (int v = 0; v < p->chunks; v++)
		content[v] = st->content[v * p->stages + stage];
	if (settings_combinations(p, content) > p->list_limits.combinations ||
	    (!settings_pay(s) && !settings_cache_has(&s->cache, stage, content))) {
		if (!adjust(s, lane, stage, content, mix))
			return false;
		for (int v = 0; v < p->chunks; v++)
			st->mix[v * p->stages + stage] = mix[v];
		return true;
	}
	settings = settings_cache_get(&s->cache, stage, content);
	if (settings->n == 0)
		return false;
	for (int at = choose(s, stage, settings), v = 0; v < p->chunks; v++)
		st->mix[v * p->stages + stage] = settings->mix[at * p->chunks + v];
	return true;
}

/* Contents of all pieces after layers were moved; stages whose contents changed are touched. False: there are none. */
static bool
refill(struct tempering *s, int lane)
{
	const struct problem *p = s->p;
	struct state *st = &s->state[lane];
	int first = 0;

	for (int n = 0; n < p->pieces; n++) {
		int i = p->piece[n], c = contents_find(&p->contents, first, st->layers[i]);

		if (c < 0)
			return false;
		if (c != st->content[i]) {
			st->content[i] = c;
			touch(&s->change[lane], i % p->stages);
		}
		first += st->layers[i];
	}
	return true;
}

static void
save(struct tempering *s, int lane)
{
	const struct state *st = &s->state[lane];
	struct state *old = &s->change[lane].old;
	size_t n = (size_t)s->p->pieces * sizeof(int);

	memcpy(old->layers, st->layers, n);
	memcpy(old->content, st->content, n);
	memcpy(old->mix, st->mix, n);
	s->change[lane].n = 0;
}

static void
take_back(struct tempering *s, int lane)
{
	struct change *ch = &s->change[lane];
	struct state *st = &s->state[lane];
	size_t n = (size_t)s->p->pieces * sizeof(int);

	memcpy(st->layers, ch->old.layers, n);
	memcpy(st->content, ch->old.content, n);
	memcpy(st->mix, ch->old.mix, n);
	for (int i = 0; i < ch->n; i++)
		state_costs(s, lane, ch->stage[i]);
}

/* Change one replica at random: another setting for a stage, or one or two layers moved. False: it cannot be. */
static bool
propose(struct tempering *s, int lane)
{
	const struct problem *p = s->p;
	struct state *st = &s->state[lane];
	struct change *ch = &s->change[lane];
	int kind = xorshift_below(&s->random, 8);

	save(s, lane);
	if (kind < 3)
		touch(ch, xorshift_below(&s->random, p->stages));
	else {
		int moves = kind < 6 ? 1 : 2;

		for (int m = 0; m < moves; m++) {
			int from = xorshift_below(&s->random, p->pieces), to = xorshift_below(&s->random, p->pieces);

			for (int tries = 0; st->layers[from] < 2 && tries < 8; tries++)
				from = xorshift_below(&s->random, p->pieces);
			if (st->layers[from] < 2 || from == to)
				return false;
			st->layers[from]--;
			st->layers[to]++;
		}
		if (!refill(s, lane))
			return false;
	}
	for (int i = 0; i < ch->n; i++)
		if (!settle(s, lane, ch->stage[i]))
			return false;
	for (int i = 0; i < ch->n; i++)
		state_costs(s, lane, ch->stage[i]);
	return ch->n > 0;
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
			d = (s->state[b].time - s->state[a].time) / s->best_time * (1 / ta - 1 / tb);
			if (d <= 0 || xorshift_unit(&s->random) < exp(-d)) {
				s->temperature[a] = tb;
				s->temperature[b] = ta;
			}
		}
}

static void
keep_best(struct tempering *s, int lane)
{
	s->best_time = s->state[lane].time;
	memcpy(s->best.content, s->state[lane].content, (size_t)s->p->pieces * sizeof(int));
	memcpy(s->best.mix, s->state[lane].mix, (size_t)s->p->pieces * sizeof(int));
}

bool
tempering_run(struct tempering *s, long rounds, double deadline)
{
	double before = s->best_time, begun = clock_now();

	if (s->cache.bytes > SETTINGS_BYTES) {
		settings_cache_free(&s->cache);
		s->cache = settings_cache_new(s->p, false);
	}
	for (long r = 0; r < rounds; r++) {
		struct lanes t;

		if (r % CHECK_EVERY == 0 && !clock_left(deadline))
			break;
		for (int l = 0; l < LANES; l++) {
			s->change[l].valid = propose(s, l);
			if (!s->change[l].valid)
				take_back(s, l);
		}
		t = evaluate(s);
		for (int l = 0; l < LANES; l++) {
			double d = t.at[l] - s->state[l].time;

			if (!s->change[l].valid)
				continue;
			if (d <= 0 || xorshift_unit(&s->random) < exp(-d / (s->best_time * s->temperature[l]))) {
				s->state[l].time = t.at[l];
				if (t.at[l] < s->best_time * (1 - 1e-12))
					keep_best(s, l);
			} else
				take_back(s, l);
		}
		if (r % SWAP_EVERY == 0)
			swap_temperatures(s);
	}
	s->seconds += clock_now() - begun;
	return s->best_time < before;
}
