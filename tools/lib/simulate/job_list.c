#include "job_list.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "turns.h"

struct stage {
	double memory;
	double at[QUEUES];	/* when the next one's data come; infinity: not known yet, or none is left */
	double delay[QUEUES];	/* to who waits for them */
	const double *time;
	double *start, *end;	/* [queue][micro] */
	struct stage *to[QUEUES];
	int queue[QUEUES];	/* there */
	int next[QUEUES];
	int live[2];		/* micro-batches in flight */
	const struct op *unpaid;	/* in what has run: W of these wait */
	struct op *out;
	int waiting;
	bool backward;		/* what ran last */
	bool idle;
};

struct job_lister {
	const struct job *job;
	const struct listing *how;
	struct stage *stage;
	struct turns turns;
	double *start, *end;
	size_t left;
};

struct job_lister *
job_lister_new(const struct job *j)
{
	struct job_lister *l = xcalloc(1, sizeof *l);
	size_t slots = (size_t)j->stages * QUEUES * (size_t)j->micro;

	*l = (struct job_lister){ .job = j, .turns = turns_new(j->stages) };
	l->stage = xcalloc((size_t)j->stages, sizeof *l->stage);
	l->start = xcalloc(slots, sizeof *l->start);
	l->end = xcalloc(slots, sizeof *l->end);
	return l;
}

void
job_lister_free(struct job_lister *l)
{
	turns_free(&l->turns);
	free(l->stage);
	free(l->start);
	free(l->end);
	free(l);
}

const double *
job_list_starts(const struct job_lister *l)
{
	return l->start;
}

static void
begin(struct job_lister *l, const struct schedule *s)
{
	const struct job *j = l->job;
	const double *time = l->how->time != NULL ? l->how->time : j->time;

	for (int i = 0; i < j->stages; i++) {
		size_t slot = (size_t)i * QUEUES * (size_t)j->micro;

		l->stage[i] = (struct stage){ .time = time + (size_t)(i * j->chunks) * PHASES, .start = l->start + slot,
		    .end = l->end + slot, .out = s->op + s->first[i], .unpaid = s->op + s->first[i] };
		for (int k = 0; k < QUEUES; k++)
			l->stage[i].at[k] = INFINITY;
	}
	for (int i = 0; i < j->stages; i++)
		for (int k = 0; k < 2 * j->chunks; k++) {
			int from, queue;

			if (queue_from(j, i, k, &from, &queue)) {
				l->stage[from].to[queue] = &l->stage[i];
				l->stage[from].queue[queue] = k;
				l->stage[from].delay[queue] = job_delay(j, l->how->lane, from, i);
			} else {
				l->stage[i].at[k] = 0;
			}
		}
	l->left = schedule_ops(s);
	turns_begin(&l->turns, j->stages);
}

/*
 * Is there memory for a forward, and then, where no micro-batch is in flight in a later chunk, for one there? The
 * oldest micro-batch can then always go on.
 */
static bool
fits(const struct job_lister *l, const struct stage *s, int chunk)
{
	const struct job *j = l->job;
	int stage = (int)(s - l->stage);
	const double *activation = j->activation + stage * j->chunks;
	double memory = s->memory + activation[chunk];

	if (chunk == 0 && j->chunks == 2 && s->live[1] == 0)
		memory += activation[1];
	return memory <= j->limit[stage];
}

static bool
capped(const struct job_lister *l, const struct stage *s, int chunk)
{
	return l->how->cap != NULL && s->live[chunk] >= l->how->cap[(s - l->stage) * l->job->chunks + chunk] &&
	    s->live[chunk] > 0;
}

static void
run(struct job_lister *l, int stage, double now, int k)
{
	struct stage *s = &l->stage[stage];
	const struct job *j = l->job;
	int chunk = k / 2, m = s->next[k]++;
	size_t piece = (size_t)(stage * j->chunks + chunk);
	bool back = k % 2;
	double end = now + s->time[chunk * PHASES + (back ? PHASE_I : PHASE_F)];
	struct stage *to = s->to[k];
	size_t at = (size_t)k * (size_t)j->micro + (size_t)m;

	s->start[at] = now;
	s->end[at] = end;
	*s->out++ = (struct op){ .micro = (uint32_t)m, .chunk = (uint16_t)chunk,
	    .phase = (uint8_t)(back ? PHASE_I : PHASE_F) };
	s->memory += back ? j->kept[piece] - j->activation[piece] : j->activation[piece];
	s->live[chunk] += back ? -1 : 1;
	s->waiting += back;
	s->backward = back;
	l->left--;
	/* What it waits for may have come long ago. */
	if (m + 1 < j->micro) {
		int from, queue;

		if (!queue_from(j, stage, k, &from, &queue))
			s->at[k] = 0;
		else if (l->stage[from].next[queue] > m + 1)
			s->at[k] = l->stage[from].end[(size_t)queue * (size_t)j->micro + (size_t)(m + 1)] +
			    l->stage[from].delay[queue];
		else
			s->at[k] = INFINITY;
	} else {
		s->at[k] = INFINITY;
	}
	if (to != NULL && to->next[s->queue[k]] == m) {
		to->at[s->queue[k]] = end + s->delay[k];
		if (to->idle && to != s && to->at[s->queue[k]] < turns_time(&l->turns, (int)(to - l->stage)))
			turns_set(&l->turns, (int)(to - l->stage), to->at[s->queue[k]]);
	}
	turns_set(&l->turns, stage, end);
}

static void
run_weight(struct job_lister *l, int stage, double now)
{
	struct stage *s = &l->stage[stage];
	struct op op;

	while (s->unpaid->phase != PHASE_I)
		s->unpaid++;
	op = *s->unpaid++;
	op.phase = PHASE_W;
	*s->out++ = op;
	s->waiting--;
	s->memory -= l->job->kept[stage * l->job->chunks + op.chunk];
	l->left--;
	turns_set(&l->turns, stage, now + s->time[op.chunk * PHASES + PHASE_W]);
}

/* The duration of the W that would run. */
static double
weight_time(struct stage *s)
{
	while (s->unpaid->phase != PHASE_I)
		s->unpaid++;
	return s->time[s->unpaid->chunk * PHASES + PHASE_W];
}

static double
urgency(const struct job_lister *l, const struct stage *s, int k)
{
	const struct listing *how = l->how;
	int m = l->job->micro, phase = s->next[0] == m ? 2
	    : s->next[2 * l->job->chunks - 1] >= how->filled ? 1 : 0;

	if (how->key != NULL)
		return how->key[((size_t)(s - l->stage) * QUEUES + (size_t)k) * (size_t)m + (size_t)s->next[k]];
	return how->rank[phase][k] + (how->turns && phase == 1 && (k % 2 == 1) == s->backward ? QUEUES : 0);
}

static void
choose(struct job_lister *l, int stage, double now)
{
	struct stage *s = &l->stage[stage];
	int queues = 2 * l->job->chunks, best = -1;
	double rank[QUEUES], soonest = INFINITY, need, least = INFINITY;
	bool full = false;

	for (int k = 0; k < queues; k++) {
		rank[k] = INFINITY;
		if (s->at[k] == INFINITY)
			continue;
		if (k % 2 == 0) {
			if (capped(l, s, k / 2))
				continue;
			if (!fits(l, s, k / 2)) {
				full |= s->at[k] <= now;
				continue;
			}
		}
		rank[k] = urgency(l, s, k);
		if (s->at[k] <= now && rank[k] < least) {
			best = k;
			least = rank[k];
		}
	}
	if (s->waiting > 0 && s->waiting > l->how->waiting && s->next[0] < l->job->micro) {
		run_weight(l, stage, now);
		return;
	}
	for (int k = 0; k < queues; k++)
		if (rank[k] < least && s->at[k] > now)
			soonest = s->at[k] < soonest ? s->at[k] : soonest;
	if (best >= 0) {
		enum phase phase = best % 2 ? PHASE_I : PHASE_F;

		need = l->how->fit[best % 2 ? PHASE_B : PHASE_F] * s->time[best / 2 * PHASES + phase];
		if (soonest - now >= need) {
			run(l, stage, now, best);
			return;
		}
	}
	if (s->waiting > 0 && ((full && best < 0) || soonest - now >= l->how->fit[PHASE_W] * weight_time(s))) {
		run_weight(l, stage, now);
		return;
	}
	if (soonest == INFINITY && best >= 0) {
		run(l, stage, now, best);
		return;
	}
	s->idle = true;
	turns_set(&l->turns, stage, soonest);
}

bool
job_list(struct job_lister *l, const struct listing *how, struct schedule *s)
{
	l->how = how;
	begin(l, s);
	for (;;) {
		struct turn first = turns_first(&l->turns);

		if (first.time == INFINITY)
			return l->left == 0;
		l->stage[first.stage].idle = false;
		choose(l, first.stage, first.time);
	}
}
