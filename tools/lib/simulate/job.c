/* Jobs, and the longest path of an order. */
#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "simulation.h"

#define SLACK 1e-9	/* rounding of sums of memory, relative */

/* Times of transfers that orders are made for, over the mean time of a forward. */
static const double rung[RUNGS] = { 0, 0.12, 0.35, 0.9 };

static void
set_delays(struct job *j, const struct load *load)
{
	double mean = 0;

	for (int i = 0; i < j->stages * j->chunks; i++)
		mean += j->time[i * PHASES] / (j->stages * j->chunks);
	for (int lane = 0; lane < JOB_LANES; lane++) {
		j->delay[lane] = xcalloc((size_t)j->stages, sizeof(double));
		for (int s = 0; s + 1 < j->stages; s++)
			j->delay[lane][s] = lane < RUNGS ? rung[lane] * mean : load_delay(load, s, s + 1);
	}
}

struct job
job_new(const struct schedule *s, const struct load *load, const struct room *room)
{
	size_t pieces = (size_t)s->stages * (size_t)s->chunks;
	struct job j = { .stages = s->stages, .chunks = s->chunks, .micro = s->micro, .load = load };

	j.time = xcalloc(pieces * PHASES, sizeof *j.time);
	j.activation = xcalloc(pieces, sizeof *j.activation);
	j.kept = xcalloc(pieces, sizeof *j.kept);
	j.limit = xcalloc((size_t)s->stages, sizeof *j.limit);
	j.tail = xcalloc((size_t)s->stages, sizeof *j.tail);
	j.end = xcalloc((size_t)s->stages * QUEUES * (size_t)s->micro, sizeof *j.end);
	for (int i = 0; i < s->stages; i++) {
		double transient = 0;

		for (int v = 0; v < s->chunks; v++) {
			size_t at = (size_t)(i * s->chunks + v);

			for (int p = 0; p < PHASES; p++)
				j.time[at * PHASES + (size_t)p] = simulation_mean_duration(load, i,
				    (struct op){ .chunk = (uint16_t)v, .phase = (uint8_t)p });
			j.kept[at] = table_get(load->kept, v, i);
			j.activation[at] = fmax(table_get(load->activation, v, i), j.kept[at]);
			transient = fmax(transient, load_transient(load, v, i));
		}
		j.tail[i] = load->early.n > 0 ? list_get(load->early, i) : 0;
		j.limit[i] = room_most(room, i) - transient;
	}
	set_delays(&j, load);
	return j;
}

void
job_free(struct job *j)
{
	free(j->time);
	free(j->activation);
	free(j->kept);
	free(j->limit);
	free(j->tail);
	free(j->end);
	for (int lane = 0; lane < JOB_LANES; lane++)
		free(j->delay[lane]);
}

/* One stage of job_steps(). */
struct walk {
	const struct op *next, *last;
	struct lanes clock, delay[QUEUES], time[2 * PHASES];
	const struct lanes *need[QUEUES];
	const int *there[QUEUES];	/* how many of them are there */
	struct lanes *end[QUEUES];
	int done[QUEUES];
};

static void
walk_new(struct walk *w, struct walk *all, const struct job *j, const struct schedule *s, int stage)
{
	w->next = s->op + s->first[stage];
	w->last = s->op + s->first[stage + 1];
	for (int k = 0; k < 2 * j->chunks; k++) {
		int from, queue;

		w->end[k] = j->end + ((size_t)stage * QUEUES + (size_t)k) * (size_t)j->micro;
		if (!queue_from(j, stage, k, &from, &queue))
			continue;
		w->need[k] = j->end + ((size_t)from * QUEUES + (size_t)queue) * (size_t)j->micro;
		w->there[k] = &all[from].done[queue];
		for (int lane = 0; lane < JOB_LANES; lane++)
			w->delay[k].at[lane] = job_delay(j, lane, from, stage);
	}
	for (int i = 0; i < j->chunks * PHASES; i++)
		for (int lane = 0; lane < JOB_LANES; lane++)
			w->time[i].at[lane] = j->time[stage * j->chunks * PHASES + i];
}

/* Go on until data are missing; true when it went at all. */
static bool
walk(struct walk *w)
{
	const struct op *op = w->next;
	struct lanes clock = w->clock;

	for (; op < w->last; op++) {
		int k = queue_number(*op);
		const struct lanes *time = &w->time[op->chunk * PHASES + op->phase];

		if (op->phase == PHASE_W) {
			for (int i = 0; i < JOB_LANES; i++)
				clock.at[i] += time->at[i];
			continue;
		}
		if (w->need[k] != NULL) {
			const struct lanes *need = &w->need[k][op->micro];

			if (*w->there[k] <= (int)op->micro)
				break;
			for (int i = 0; i < JOB_LANES; i++) {
				double at = need->at[i] + w->delay[k].at[i];

				clock.at[i] = clock.at[i] > at ? clock.at[i] : at;
			}
		}
		for (int i = 0; i < JOB_LANES; i++)
			clock.at[i] += time->at[i];
		w->end[k][op->micro] = clock;
		w->done[k]++;
	}
	if (op == w->next)
		return false;
	w->next = op;
	w->clock = clock;
	return true;
}

bool
job_steps(struct job *j, const struct schedule *s, double step[JOB_LANES])
{
	struct walk *all = xcalloc((size_t)j->stages, sizeof *all);
	bool going = true, done = true;

	for (int i = 0; i < j->stages; i++)
		walk_new(&all[i], all, j, s, i);
	while (going) {
		going = false;
		for (int i = 0; i < j->stages; i++)
			going |= walk(&all[i]);
		for (int i = j->stages - 1; i >= 0; i--)
			going |= walk(&all[i]);
	}
	for (int lane = 0; lane < JOB_LANES; lane++)
		step[lane] = 0;
	for (int i = 0; i < j->stages; i++) {
		done &= all[i].next == all[i].last;
		for (int lane = 0; lane < JOB_LANES; lane++)
			step[lane] = fmax(step[lane], all[i].clock.at[lane] + j->tail[i]);
	}
	free(all);
	return done;
}

bool
job_fits(const struct job *j, const struct schedule *s)
{
	for (int i = 0; i < j->stages; i++) {
		double memory = 0;

		for (size_t at = s->first[i]; at < s->first[i + 1]; at++) {
			size_t piece = (size_t)(i * j->chunks + s->op[at].chunk);

			if (s->op[at].phase == PHASE_F)
				memory += j->activation[piece];
			else if (s->op[at].phase == PHASE_I)
				memory -= j->activation[piece] - j->kept[piece];
			else
				memory -= j->kept[piece];
			if (memory > j->limit[i])
				return false;
		}
	}
	return true;
}
