#include "peak_rows.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

static bool
dominates(const int *a, const int *b, int n)
{
	for (int i = 0; i < n; i++)
		if (a[i] < b[i])
			return false;
	return true;
}

static void
add_row(struct rows *r, const int *live, int numbers)
{
	size_t width = (size_t)numbers * sizeof *live;

	for (int i = 0; i < r->n; i++)
		if (dominates(r->live + (size_t)i * (size_t)numbers, live, numbers))
			return;
	for (int i = r->n; i-- > 0; )
		if (dominates(live, r->live + (size_t)i * (size_t)numbers, numbers)) {
			r->n--;
			memmove(r->live + (size_t)i * (size_t)numbers, r->live + (size_t)r->n * (size_t)numbers, width);
		}
	r->live = xreallocarray(r->live, (size_t)r->n + 1, width);
	memcpy(r->live + (size_t)r->n++ * (size_t)numbers, live, width);
}

/* A line of consecutive moments: their live micro-batches change by the same amounts from moment to moment. */
struct peak_line {
	int width;
	bool any, two;
	int *last;		/* [width], live micro-batches at the line's last moment */
	int *change;		/* [width], change from the second last moment to the last, if two exist */
};

/*
 * Add a moment to the line. A sum that is linear in the live micro-batches is greatest at an end of the line, so only
 * ends become rows.
 */
static void
line_add(struct peak_line *line, struct rows *rows, const int *live)
{
	bool straight = line->two;

	for (int v = 0; v < line->width && straight; v++)
		straight = live[v] - line->last[v] == line->change[v];
	if (line->any && !straight)
		add_row(rows, line->last, line->width);
	for (int v = 0; v < line->width; v++) {
		line->change[v] = live[v] - line->last[v];
		line->last[v] = live[v];
	}
	line->two = line->any;
	line->any = true;
}

/*
 * Add rows for the moments after each forward that no forward follows directly. No other moment can be a peak, if no
 * memory is transient and all activations are kept until W.
 */
static void
add_ends(const struct schedule *sched, int stage, int *live, struct peak_line *line, struct rows *rows)
{
	size_t end = sched->first[stage + 1];

	for (size_t i = sched->first[stage]; i < end; i++) {
		struct op op = sched->op[i];

		/* With split backwards, W frees the activations. */
		live[op.chunk] += op.phase == PHASE_F ? 1 : op.phase == PHASE_I ? 0 : -1;
		if (op.phase == PHASE_F && (i + 1 == end || sched->op[i + 1].phase != PHASE_F))
			line_add(line, rows, live);
	}
}

/* Numbers of micro-batches at a moment: three consecutive arrays of [chunks]; NULL: not distinguished. */
struct moment {
	int *live, *held, *running;
};

static void
set_running(const struct schedule *sched, const struct op *op, int *running)
{
	memset(running, 0, (size_t)sched->chunks * sizeof *running);
	running[op->chunk]++;
	if (op->joined != 0)
		running[op[op->joined == 2 ? -1 : 1].chunk]++;
}

/*
 * Add rows for all operations, with live memory and running chunks. Activations exist from the start of a forward to
 * the end of a backward. Memory for W exists from the next operation on.
 */
static void
add_moments(const struct schedule *sched, int stage, const struct moment *m, struct peak_line *line, struct rows *rows)
{
	for (size_t i = sched->first[stage]; i < sched->first[stage + 1]; i++) {
		const struct op *op = sched->op + i;
		bool split = op->phase == PHASE_I || op->phase == PHASE_W;

		m->live[op->chunk] += op->phase == PHASE_F;
		if (m->running != NULL)
			set_running(sched, op, m->running);
		line_add(line, rows, m->live);
		if (m->held != NULL && split) {
			m->live[op->chunk] -= op->phase == PHASE_I;
			m->held[op->chunk] += op->phase == PHASE_I ? 1 : -1;
		} else {
			m->live[op->chunk] -= op->phase == PHASE_B || op->phase == PHASE_W;
		}
	}
}

/* Return one of the lists that are stored side by side in rows; zeros if absent. */
static int *
list_of(const struct rows *r, int chunks, int width, int from)
{
	size_t n = (size_t)r->n;
	int *list = xcalloc(n * (size_t)chunks, sizeof *list);

	for (size_t i = 0; i < n && from >= 0; i++)
		memcpy(list + i * (size_t)chunks, r->live + i * (size_t)width + from, (size_t)chunks * sizeof *list);
	return list;
}

struct rows *
peak_rows(const struct schedule *sched, bool transient, bool keeps)
{
	int chunks = sched->chunks, held = keeps ? chunks : -1, running = transient ? (keeps ? 2 : 1) * chunks : -1;
	struct rows *rows = xcalloc((size_t)sched->stages, sizeof *rows);
	struct peak_line line = { .width = (1 + keeps + transient) * chunks };
	size_t width = (size_t)line.width;
	int *live = xcalloc(width, sizeof *live);
	struct moment moment = { live, keeps ? live + held : NULL, transient ? live + running : NULL };

	line.last = xcalloc(width, sizeof *line.last);
	line.change = xcalloc(width, sizeof *line.change);
	for (int s = 0; s < sched->stages; s++) {
		struct rows *r = &rows[s];
		int *all;

		memset(live, 0, width * sizeof *live);
		line.any = line.two = false;
		if (transient || keeps)
			add_moments(sched, s, &moment, &line, r);
		else
			add_ends(sched, s, live, &line, r);
		if (line.any)
			add_row(r, line.last, line.width);
		all = list_of(r, chunks, line.width, 0);
		r->held = list_of(r, chunks, line.width, held);
		r->running = list_of(r, chunks, line.width, running);
		free(r->live);
		r->live = all;
	}
	free(live);
	free(line.last);
	free(line.change);
	return rows;
}

static void
add_zeros(int **list, int rows, int chunks)
{
	size_t n = (size_t)chunks;

	*list = xreallocarray(*list, (size_t)rows + 1, n * sizeof **list);
	memset(*list + (size_t)rows * n, 0, n * sizeof **list);
}

void
rows_add_other(struct rows *r, int chunks)
{
	add_zeros(&r->live, r->n, chunks);
	add_zeros(&r->held, r->n, chunks);
	add_zeros(&r->running, r->n, chunks);
	r->n++;
	r->other = true;
}
