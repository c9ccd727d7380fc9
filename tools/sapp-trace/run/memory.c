#include "memory.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clipped.h"
#include "lib/base/numbers.h"
#include "lib/base/sorted.h"
#include "lib/record/record.h"

struct level {			/* allocated memory from a moment on */
	int64_t time;		/* ns */
	double allocated;	/* MB */
};

struct levels {
	size_t n;
	struct level *at;
	double allocated, reserved;	/* MB, maxima */
	double pool;		/* MB, maximum that the framework's allocator reserved */
};

/* Return the MB in a field; negative: the field is empty, as in many rows, or invalid. */
static double
megabytes(struct text t)
{
	char copy[40], *end;
	struct clipped text = CLIPPED(copy);
	double x;

	if (t.at == NULL || t.n == 0)
		return -1;
	clipped_add(&text, t.at, t.n);
	if (text.cut)
		return -1;
	x = strtod(copy, &end);
	return *end != '\0' || !(x >= 0) || x > 1e9 ? -1 : x;
}

ORDER_BY(by_time, struct level, it->time)

/*
 * Read the levels: allocated memory is from the framework's allocator (PTA), reserved memory is of the whole process
 * (APP).
 */
static void
levels_read(struct levels *l, struct csv *c)
{
	static const char *const names[] = { "Component", "Timestamp(us)", "Total Allocated(MB)",
		"Total Reserved(MB)" };
	enum { COMPONENT, TIME, ALLOCATED, RESERVED, COLUMNS };
	struct text field[CSV_COLUMNS_MAX];
	int column[COLUMNS], fields = csv_columns(c, names, COLUMNS, column);

	while (csv_next(c, field, fields)) {
		double allocated = megabytes(field[column[ALLOCATED]]), reserved = megabytes(field[column[RESERVED]]);
		int64_t time;

		l->reserved = reserved > l->reserved ? reserved : l->reserved;
		if (!text_is(field[column[COMPONENT]], "PTA") || allocated < 0)
			continue;
		l->pool = reserved > l->pool ? reserved : l->pool;
		if (!text_time(field[column[TIME]], &time))
			place_die(c->place, "Timestamp(us): not a time '%.*s'", (int)field[column[TIME]].n,
			    field[column[TIME]].at);
		l->allocated = allocated > l->allocated ? allocated : l->allocated;
		*APPEND(l->at, l->n) = (struct level){ time, allocated };
	}
	SORT(l->at, l->n, by_time);
}

static size_t
first_after(const struct levels *l, int64_t time)
{
	return COUNT_BEFORE(l->at, l->n, it->time <= time);
}

/* Return the MB allocated at a time; negative: the time is before the first row. */
static double
level_at(const struct levels *l, int64_t time)
{
	size_t n = first_after(l, time);

	return n == 0 ? -1 : l->at[n - 1].allocated;
}

/*
 * Add samples of activations. The activations of a layer are the increase of allocated memory until the next forward
 * begins.
 */
static void
add_layers(struct memory *m, const struct levels *l, const struct layout *layout)
{
	for (size_t i = 0; i + 1 < layout->n; i++) {
		const struct piece *p = &layout->at[i], *q = &layout->at[i + 1];
		double from, to;

		if (p->part != LAYER_BODY || q->part != LAYER_BODY || p->phase != TIMING_FORWARD ||
		    q->phase != TIMING_FORWARD || q->layer != p->layer + 1 || q->step != p->step)
			continue;
		from = level_at(l, p->start);
		to = level_at(l, q->start);
		if (from < 0 || to <= from)
			continue;
		*APPEND(m->activation, m->layers) = (struct left_behind){ p->class, to - from };
	}
}

/* Add the usage of each part and phase: the minimum allocated at its start, and the maximum within it. */
static void
add_usage(struct memory *m, const struct levels *l, const struct layout *layout, int stage)
{
	for (size_t i = 0; i < layout->n; i++) {
		const struct piece *p = &layout->at[i];
		double level = level_at(l, p->start), most = level;
		struct observed_usage *u;
		int at = 0;

		while (at < m->usages && (m->usage[at].stage != stage || m->usage[at].part != (int)p->part ||
		    m->usage[at].phase != (int)p->phase))
			at++;
		if (level < 0)
			continue;
		for (size_t k = first_after(l, p->start); k < l->n && l->at[k].time < p->start + (int64_t)p->wall; k++)
			most = l->at[k].allocated > most ? l->at[k].allocated : most;
		if (at == m->usages)
			*APPEND(m->usage, m->usages) = (struct observed_usage){ .stage = stage, .part = (int)p->part,
				.phase = (int)p->phase, .begin = level, .peak = most };
		u = &m->usage[at];
		u->begin = level < u->begin ? level : u->begin;
		u->peak = most > u->peak ? most : u->peak;
		GIVE(observed_usage, u, reserved, l->pool);
		GIVE(observed_usage, u, outside, l->reserved > l->pool ? l->reserved - l->pool : 0);
	}
}

void
memory_table(struct memory *m, const struct layout *layout, struct trace_job job, struct csv *c, const char *source)
{
	struct levels l = { 0 };
	int i = 0;

	levels_read(&l, c);
	add_layers(m, &l, layout);
	add_usage(m, &l, layout, job.stage < 0 ? 0 : job.stage);
	while (i < m->n && m->at[i].stage != job.stage)
		i++;
	if (i == m->n)
		*APPEND(m->at, m->n) = (struct stage_peak){ .stage = job.stage, .source = source };
	m->at[i].allocated = l.allocated > m->at[i].allocated ? l.allocated : m->at[i].allocated;
	m->at[i].reserved = l.reserved > m->at[i].reserved ? l.reserved : m->at[i].reserved;
	free(l.at);
}

void
memory_add(struct memory *m, const struct layout *layout, struct trace_job job, const char *file, const char *source)
{
	char *path = job_beside(file, "memory_record.csv");
	struct csv c;

	if (path == NULL)
		return;
	csv_open(&c, path);
	memory_table(m, layout, job, &c, source);
	csv_close(&c);
	free(path);
}

double
memory_activation(const struct memory *m, int class)
{
	double *x = xcalloc((size_t)m->layers + 1, sizeof *x), middle;
	size_t n = 0;

	for (int i = 0; i < m->layers; i++)
		if (m->activation[i].class == class)
			x[n++] = m->activation[i].memory;
	middle = n > 0 ? numbers_median(x, n) : 0;
	free(x);
	return middle;
}

void
memory_write(FILE *out, const struct memory *m)
{
	for (int which = PEAK_ACTUAL; which <= PEAK_USED; which++)
		for (int i = 0; i < m->n; i++) {
			struct peak p = { .stage = m->at[i].stage, .which = which };

			p.memory = which == PEAK_ACTUAL ? m->at[i].reserved : m->at[i].allocated;
			if (p.stage < 0 || p.memory <= 0)
				continue;
			GIVE(peak, &p, source, (char *)m->at[i].source);
			record_put(out, RECORD_PEAK, &p);
		}
}

void
memory_write_usage(FILE *out, const struct memory *m, const char *run)
{
	for (int i = 0; i < m->usages; i++) {
		m->usage[i].run = (char *)run;
		record_put(out, RECORD_USAGE, &m->usage[i]);
	}
}

void
memory_free(struct memory *m)
{
	free(m->at);
	free(m->activation);
	free(m->usage);
	*m = (struct memory){ 0 };
}
