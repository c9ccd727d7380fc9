#include "problem.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/model/weights.h"
#include "lib/order/timed_schedule.h"
#include "lib/schedule/scheme.h"
#include "lib/simulate/load.h"
#include "lib/simulate/simulation.h"
#include "least_memory.h"
#include "peak_rows.h"
#include "tier.h"

enum {
	MIXES = 100000,
	COMBINATIONS = 1024,
	/* maximum if kinds differ in parts of backwards, because lists are much faster than one setting at a time */
	WEIGHED_COMBINATIONS = 30000,
	/* maximum if kinds differ in memory for W, because fronts have more mixes, of which few fit */
	HELD_COMBINATIONS = 8192,
	STATES = 1 << 23,		/* maximum number of states; their least sums take 64 MB */
};

int
needed_behind(const struct problem *p, int n)
{
	return p->behind[n + 1];
}

bool
problem_border(const struct problem *p, int n, int layers)
{
	return layers >= p->needed[n] && layers <= p->net->layers - p->behind[n] &&
	    (layers <= p->block.first || layers >= p->block.end);
}

int
stage_fewest(const struct problem *p, int stage)
{
	int n = 0;

	for (int v = 0; v < p->chunks; v++)
		n += p->fewest[v * p->stages + stage];
	return n;
}

/*
 * Return an upper bound on the layers of a piece. They must leave enough layers for every other piece, and must fit the
 * largest limit, raised by RAISE MB, with nothing else on the stage. The bound is at least an even share, so that all
 * layers can be placed.
 */
static int
most_layers(const struct problem *p, double raise)
{
	int most = network_most(p->net, p->pieces), even = (p->net->layers + p->pieces - 1) / p->pieces;
	double roomy = 0, least = 0;

	for (int s = 0; s < p->stages; s++)
		if (p->limit[s] > roomy)
			roomy = p->limit[s];
	for (int b = 0; b < p->net->nbodies; b++) {
		const struct body *body = &p->net->body[b];
		double memory = body->parameter + body_least_activation(body);

		if (b == 0 || memory < least)
			least = memory;
	}
	if (least > 0 && (roomy + raise - p->net->constant) / least < most)
		most = (int)((roomy + raise - p->net->constant) / least + 1e-6);
	if (p->net->piece_layers > 0 && most > p->net->piece_layers)
		most = p->net->piece_layers;
	if (p->net->predicting != PREDICTING_ANYWHERE && p->net->predict_to - p->net->predict_from > even)
		even = p->net->predict_to - p->net->predict_from;
	return most < even ? even : most;
}

char *
problem_cycle(const struct shape *q)
{
	/* Whether a schedule runs does not depend on times, so all times are zero. */
	struct chunks timeless = { .schedule = (int)q->kind, .forward = table_new(q->chunks, q->stages) };
	struct load load = load_from_chunks(&timeless);
	struct schedule sched = schedule_new(q);
	struct simulation sim = { 0 };
	char *cycle = simulation_run(&sim, &sched, &load) ? NULL : simulation_cycle(&sim);

	simulation_free(&sim);
	schedule_free(&sched);
	load_free(&load);
	free(timeless.forward.at);
	return cycle;
}

/* Return the shape that is planned instead of a mirrored schedule. */
static struct shape
folded(const struct shape *q)
{
	struct shape half = *q;

	if (!schedule_mirrored(q->kind))
		return half;
	half.kind = schedule_scheme(q->kind)->folded;
	half.stages /= 2;
	half.micro /= 2;
	half.chunks = 2;
	return half;
}

/* Set the limits of the planned stages. If one stage represents two, the lower of their limits holds. */
static void
set_limits(struct problem *p, struct list limit)
{
	for (int s = 0; s < p->shape.stages; s++) {
		int at = s < p->stages ? s : p->shape.stages - 1 - s;

		if (s >= p->stages && list_get(limit, s) >= p->limit[at])
			continue;
		p->limit[at] = list_get(limit, s);
		p->limited[at] = s;
	}
}

/* Return the folded schedule. Its order may depend on the times of its stages. */
static struct schedule
folded_schedule(const struct shape *fold, const struct network *net, const struct devices *devices)
{
	struct devices half = *devices;

	half.speed.n = half.speed.n < fold->stages ? half.speed.n : fold->stages;
	half.delay.n = half.delay.n < fold->stages ? half.delay.n : fold->stages;
	return timed_schedule_of_plans(fold, net, &half);
}

/*
 * Set the paces of the planned stages, and compile the evaluator with their transfers. In a folded schedule, data cross
 * the middle of the mirrored schedule.
 */
static void
set_devices(struct problem *p, const struct schedule *sched)
{
	double *delay = xcalloc((size_t)p->stages, sizeof *delay);
	bool mirrored = schedule_mirrored(p->shape.kind);
	struct schedule whole = mirrored ? schedule_new(&p->shape) : *sched;

	for (int s = 0; s < p->stages; s++) {
		p->pace[s] = devices_pace(p->devices, s);
		delay[s] = devices_delay(p->devices, p->shape.stages, s);
	}
	p->together = 1;
	for (size_t i = 0; i < schedule_ops(sched) && p->together == 1; i++)
		p->together = sched->op[i].joined != 0 ? devices_overlap(p->devices) : 1;
	p->evaluator = evaluator_new(sched, mirrored ? &whole : sched, p->devices->transfers, p->transient,
	    p->net->keeps, p->together < 1, delay);
	free(delay);
	if (mirrored)
		schedule_free(&whole);
	for (int b = 0; b < p->net->nbodies; b++)
		for (int s = 0; s < p->stages && p->net->body[b].floor > 0; s++)
			if (!p->evaluator.rows[s].other)
				rows_add_other(&p->evaluator.rows[s], p->chunks);
}

/*
 * Renumber the stages so that piece n of the model is on stage n, with one chunk per stage. PIECE gives the stage of
 * piece n, which is arbitrary in a custom order. Boundaries and queues of transfers stay those of the shape.
 */
static void
renumber_stages(struct problem *p, int *piece)
{
	struct evaluator *o = &p->evaluator;
	size_t n = (size_t)p->stages;
	int *now = xcalloc(n, sizeof *now), *limited = xcalloc(n, sizeof *limited);
	double *pace = xcalloc(n, sizeof *pace), *limit = xcalloc(n, sizeof *limit);
	struct rows *rows = xcalloc(n, sizeof *rows);

	for (int s = 0; s < p->stages; s++) {
		now[piece[s]] = s;
		pace[s] = p->pace[piece[s]];
		limit[s] = p->limit[piece[s]];
		limited[s] = p->limited[piece[s]];
		rows[s] = o->rows[piece[s]];
		piece[s] = s;
	}
	for (uint32_t i = 0; i < o->noperations; i++) {
		struct operation *x = &o->operation[i];

		if (x->slot < o->slots - 1)
			x->slot = (uint16_t)(x->slot / p->stages * p->stages + now[x->slot % p->stages]);
	}
	free(now);
	free(p->pace);
	free(p->limit);
	free(p->limited);
	free(o->rows);
	p->pace = pace;
	p->limit = limit;
	p->limited = limited;
	o->rows = rows;
}

static bool
splits_backwards(const struct schedule *sched)
{
	bool any = false;

	for (size_t i = 0; i < schedule_ops(sched) && !any; i++)
		any = sched->op[i].phase == PHASE_W;
	return any;
}

/* Layers that are restricted to some of the last pieces follow all other layers. */
static void
set_borders(struct problem *p)
{
	const struct network *net = p->net;
	int first = p->pieces;

	p->needed = xcalloc((size_t)p->pieces + 1, sizeof *p->needed);
	p->behind = xcalloc((size_t)p->pieces + 1, sizeof *p->behind);
	for (int i = 0; i < p->pieces; i++) {
		p->fewest[p->piece[i]] = network_fewest(net, i, p->pieces);
		p->needed[i + 1] = p->needed[i] + p->fewest[p->piece[i]];
	}
	if (net->predicting == PREDICTING_ANYWHERE || net->predict_to == net->predict_from)
		first = 0;
	while (first > 0 && predicting_at(net->predicting, &p->shape, p->piece[first - 1], first - 1))
		first--;
	for (int i = p->pieces - 1; i >= 0; i--) {
		int least = i <= first ? net->layers - net->predict_from : 0;

		p->behind[i] = p->behind[i + 1] + p->fewest[p->piece[i]];
		if (i > 0 && first > 0 && p->behind[i] < least)
			p->behind[i] = least;
	}
	if (net->predicting != PREDICTING_ANYWHERE) {
		p->block.first = net->predict_from;
		p->block.end = net->predict_to;
	}
}

struct problem
problem_new(const struct network *net, const struct shape *shape, const struct devices *devices, struct list limit,
    bool listed)
{
	struct shape fold = folded(shape);
	struct schedule sched = folded_schedule(&fold, net, devices);
	int *plan_piece = schedule_pieces(shape);
	struct problem p = {
		.net = net,
		.shape = *shape,
		.stages = sched.stages,
		.chunks = sched.chunks,
		.micro = sched.micro,
		.pieces = sched.stages * sched.chunks,
		.devices = devices,
		.transient = network_transient(net),
		.pace = xcalloc((size_t)sched.stages, sizeof *p.pace),
		.limit = xcalloc((size_t)sched.stages, sizeof *p.limit),
		.limited = xcalloc((size_t)sched.stages, sizeof *p.limited),
		.listed = listed,
		.list_limits = { .contents = 1000, .combinations = COMBINATIONS, .mixes = MIXES,
			.states = STATES },
	};

	set_devices(&p, &sched);
	set_limits(&p, limit);
	p.piece = schedule_pieces(&fold);
	if (p.chunks == 1)
		renumber_stages(&p, p.piece);
	tiers_set(&p, splits_backwards(&sched));
	p.parts = p.on->weighs_kinds || p.on->keeps_kinds;
	if (p.parts)
		p.list_limits.combinations = p.on->keeps_kinds ? HELD_COMBINATIONS : WEIGHED_COMBINATIONS;
	schedule_free(&sched);
	p.position = xcalloc((size_t)p.pieces, sizeof *p.position);
	p.plan_piece = xcalloc((size_t)p.pieces, sizeof *p.plan_piece);
	p.fewest = xcalloc((size_t)p.pieces, sizeof *p.fewest);
	for (int i = 0; i < p.pieces; i++) {
		p.position[p.piece[i]] = i;
		p.plan_piece[p.piece[i]] = plan_piece[i];
	}
	set_borders(&p);
	free(plan_piece);
	p.contents = contents_new(p.on, p.tiers, most_layers(&p, 0), listed);
	p.least = least_memory_new(&p);
	return p;
}

struct problem
problem_wider(const struct problem *p, double raise)
{
	struct problem wide = *p;

	wide.contents = contents_new(p->on, p->tiers, most_layers(p, fmax(raise, 0)), p->listed);
	wide.least = least_memory_new(p);
	return wide;
}

void
problem_widen(struct problem *p, struct problem *wide)
{
	contents_free(&p->contents);
	least_memory_free(p->least);
	p->contents = wide->contents;
	p->least = wide->least;
	*wide = (struct problem){ 0 };
}

void
problem_wider_free(struct problem *wide)
{
	if (wide->net != NULL) {
		contents_free(&wide->contents);
		least_memory_free(wide->least);
	}
	*wide = (struct problem){ 0 };
}

void
problem_free(struct problem *p)
{
	contents_free(&p->contents);
	least_memory_free(p->least);
	evaluator_free(&p->evaluator);
	tiers_free(p);
	free(p->limit);
	free(p->pace);
	free(p->limited);
	free(p->piece);
	free(p->position);
	free(p->plan_piece);
	free(p->fewest);
	free(p->needed);
	free(p->behind);
}

bool
piece_can_have(const struct problem *p, int piece, int body)
{
	int before = p->needed[p->position[piece]], behind = needed_behind(p, p->position[piece]), first = 0;

	for (int b = 0; b < body; b++)
		first += p->net->body[b].layers;
	return first < p->net->layers - behind && first + p->net->body[body].layers > before;
}

/* Return whether a content has all layers of the block, or none. */
static bool
holds_block(const struct problem *p, const struct content *c)
{
	int first = 0, n = 0;

	for (int b = 0; b < p->net->nbodies && p->block.end > p->block.first; first += p->net->body[b++].layers)
		n += first >= p->block.first && first < p->block.end ? c->body[b] : 0;
	return n == 0 || n == p->block.end - p->block.first;
}

bool
piece_can_hold(const struct problem *p, int piece, int content)
{
	const struct content *c = &p->contents.content[content];
	int before = p->needed[p->position[piece]];
	int last = p->net->layers - needed_behind(p, p->position[piece]) - c->layers;
	int first = 0, body = 0, from, to;

	if (c->tier != p->tier[piece % p->stages])
		return false;
	if (c->layers < p->fewest[piece] || !holds_block(p, c))
		return false;
	if (c->layers == 0)
		return true;
	for (; c->body[body] == 0; body++)
		first += p->net->body[body].layers;
	/*
	 * The content can begin at any layer from FROM to TO. With several bodies FROM equals TO, because the content
	 * crosses their boundary.
	 */
	to = first + p->net->body[body].layers - c->body[body];
	from = c->body[body] < c->layers ? to : first;
	return from <= last && before <= last && before <= to;
}

static void
add_end(struct times *t, const struct end *e)
{
	t->forward += e->forward;
	t->backward += e->backward;
	t->gradient += end_weight(e);
}

struct times
end_times(const struct problem *p, int piece)
{
	struct times t = { 0 };

	if (piece == p->piece[0])
		add_end(&t, &p->net->head);
	if (piece == p->piece[p->pieces - 1])
		add_end(&t, &p->net->tail);
	return t;
}

struct times
piece_times(const struct problem *p, int piece, const struct content *c, const struct mix *m)
{
	struct times t = end_times(p, piece);

	t.forward += c->forward;
	t.backward += m->backward;
	t.gradient += c->gradient + m->gradient;
	return t;
}

void
phase_times(const struct problem *p, int piece, struct times t, double *ms)
{
	double pace = p->pace[piece % p->stages];

	ms[PHASE_F] = pace * t.forward;
	ms[PHASE_B] = pace * t.backward;
	ms[PHASE_W] = pace * t.gradient;
	ms[PHASE_I] = pace * (t.backward - t.gradient);
	for (int k = PHASES; k < p->evaluator.phases; k++)
		ms[k] = p->together * ms[k - PHASES];
}

void
piece_costs(const struct problem *p, int piece, struct times t, double *cost)
{
	double ms[2 * PHASES];

	phase_times(p, piece, t, ms);
	for (int k = 0; k < p->evaluator.phases; k++)
		cost[k * p->pieces + piece] = ms[k];
}

/* Return how often a path visits a phase, in units of the phase's time without overlap. */
static double
phase_visits(const struct problem *p, int piece, int phase, const struct visits *v)
{
	double alone = v->at[phase * p->pieces + piece];

	return p->evaluator.phases == PHASES ? alone :
	    alone + p->together * v->at[(PHASES + phase) * p->pieces + piece];
}

struct times
piece_worth(const struct problem *p, int piece, const struct visits *v)
{
	double input = phase_visits(p, piece, PHASE_I, v), pace = p->pace[piece % p->stages];

	return (struct times){
		.forward = pace * phase_visits(p, piece, PHASE_F, v),
		.backward = pace * (phase_visits(p, piece, PHASE_B, v) + input),
		.gradient = pace * (phase_visits(p, piece, PHASE_W, v) - input),
	};
}

double
times_product(struct times a, struct times b)
{
	return a.forward * b.forward + a.backward * b.backward + a.gradient * b.gradient;
}

const struct mix *
problem_mix(const struct problem *p, int content, int mix)
{
	return &contents_front(&p->contents, content)->mix[mix];
}

static double
end_transient(const struct problem *p, int piece)
{
	return fmax(piece == p->piece[0] ? p->net->head.transient : 0,
	    piece == p->piece[p->pieces - 1] ? p->net->tail.transient : 0);
}

double
piece_transient(const struct problem *p, int piece, const struct content *c)
{
	return fmax(end_transient(p, piece), c->transient);
}

double
piece_least_transient(const struct problem *p, int piece)
{
	double least = p->fewest[piece] == 0 ? 0 : INFINITY;

	for (int b = 0; b < p->net->nbodies && p->transient; b++)
		if (piece_can_have(p, piece, b))
			least = fmin(least, p->net->body[b].transient);
	return fmax(end_transient(p, piece), least < INFINITY ? least : 0);
}

double
row_beside(const struct problem *p, int stage, int row, const struct content *const content[], int chunks)
{
	size_t at = (size_t)row * (size_t)p->chunks;
	const int *running = p->evaluator.rows[stage].running + at, *held = p->evaluator.rows[stage].held + at;
	double sum = 0;

	if (row_is_other(p, stage, row)) {
		for (int v = 0; v < chunks; v++)
			sum += content[v]->floor - content[v]->parameter;
		return sum - stage_ends(p, stage);
	}
	for (int v = 0; v < chunks && p->net->keeps; v++)
		sum += held[v] * content[v]->kept;
	for (int v = 0; v < chunks && p->transient; v++)
		if (running[v] > 0)
			sum += running[v] * piece_transient(p, v * p->stages + stage, content[v]);
	return sum;
}

double
row_least_transient(const struct problem *p, int stage, int row)
{
	const int *running = p->evaluator.rows[stage].running + (size_t)row * (size_t)p->chunks;
	double sum = row_is_other(p, stage, row) ? -stage_ends(p, stage) : 0;

	for (int v = 0; v < p->chunks && p->transient; v++)
		if (running[v] > 0)
			sum += running[v] * piece_least_transient(p, v * p->stages + stage);
	return sum;
}

bool
row_is_other(const struct problem *p, int stage, int row)
{
	const struct rows *r = &p->evaluator.rows[stage];

	return r->other && row == r->n - 1;
}

double
row_parameter(const struct problem *p, int stage, int row, const struct body *b)
{
	return row_is_other(p, stage, row) ? b->floor : b->parameter;
}

double
row_content_parameter(const struct problem *p, int stage, int row, const struct content *c)
{
	return row_is_other(p, stage, row) ? c->floor : c->parameter;
}

double
row_least(const struct problem *p, int stage, int row, int chunk, int body)
{
	const struct rows *r = &p->evaluator.rows[stage];
	const struct body *b = stage_body(p, stage, body);
	int at = row * p->chunks + chunk;

	return row_is_other(p, stage, row) ? b->floor : body_least_memory(b, r->live[at], r->held[at]);
}

double
stage_ends(const struct problem *p, int stage)
{
	return p->net->constant + (stage == p->piece[0] % p->stages ? p->net->head.parameter : 0) +
	    (stage == p->piece[p->pieces - 1] % p->stages ? p->net->tail.parameter : 0);
}

double
stage_fixed(const struct problem *p, int stage, const struct content *const chunk[])
{
	double fixed = stage_ends(p, stage);

	for (int v = 0; v < p->chunks; v++)
		fixed += chunk[v]->parameter;
	return fixed;
}
