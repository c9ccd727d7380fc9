#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "lib/yaml/settings.h"

enum { WIDTH = 50, COLUMN = 11 };

static void
dashes(FILE *out, int n)
{
	while (n-- > 0)
		putc('-', out);
}

/* Print a title in the middle of a line of dashes. */
static void
title(FILE *out, const char *text)
{
	int n = WIDTH - (int)strlen(text);

	dashes(out, n - n / 2);
	fputs(text, out);
	dashes(out, n / 2);
	putc('\n', out);
}

static void
grid(FILE *out, const char *name, struct grid g)
{
	char *list = settings_text(g);

	fprintf(out, "  %s: %s\n", name, list);
	free(list);
}

/* Print the layers whose kind of recomputation has no list of its own, by name. */
static void
others(FILE *out, const struct plan *p)
{
	struct grid kind[RECOMPUTE_KINDS];
	bool any = false;

	plan_kinds(p, p->offset.chunks, p->offset.stages, kind);
	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		if (k >= RECOMPUTE_BUILT_IN && grid_sum(kind[k]) > 0) {
			if (!any)
				fputs("Layers with other kinds of recomputation:\n", out);
			grid(out, recompute_names[k], kind[k]);
			any = true;
		}
		free(kind[k].at);
	}
}

void
report_settings(FILE *out, const struct plan *p)
{
	fputs("To put in yaml configuration:\n", out);
	grid(out, "offset", p->offset);
	grid(out, "recompute", p->recompute);
	grid(out, "select_recompute", p->select_recompute);
	grid(out, "select_comm_recompute", p->select_comm_recompute);
	others(out, p);
}

/* Print a cell of the bubble table, with its text in the centre. */
static void
cell(FILE *out, const char *text, bool last)
{
	int left = (COLUMN - (int)strlen(text)) / 2;

	fprintf(out, "%*s%s%*s", left, "", text, last ? 0 : COLUMN - left - (int)strlen(text), "");
}

static void
bubble(FILE *out, const struct bubble *b)
{
	const struct { const char *name; double value; bool there; } part[] = {
		{ "real", b->real, true },
		{ "ideal", b->ideal, true },
		{ "imba", b->imba, true },
		{ "recompute", b->recompute, GIVEN(bubble, b, recompute) },
		{ "comm", b->comm, GIVEN(bubble, b, comm) },
	};
	static const char *const between[] = { "", "=", "+", "+", "+" };
	int last = part[4].there ? 4 : part[3].there ? 3 : 2;

	for (int i = 0; i <= last; i++)
		if (part[i].there) {
			fputs(between[i], out);
			cell(out, part[i].name, i == last);
		}
	putc('\n', out);
	for (int i = 0; i <= last; i++)
		if (part[i].there) {
			char *text = xasprintf("%.4f", part[i].value);

			fputs(between[i], out);
			cell(out, text, i == last);
			free(text);
		}
	putc('\n', out);
}

static void
memory(FILE *out, const struct sim *r)
{
	bool any = false;

	for (int s = 0; s < r->peak_memory.n; s++)
		any |= r->peak_memory.at[s] > 0;
	fputs(any ? "peak memory:" : "peak memory: unknown, as no layer record has memory", out);
	for (int s = 0; any && s < r->peak_memory.n; s++)
		fprintf(out, "%s %.2f", s ? "," : "", r->peak_memory.at[s]);
	putc('\n', out);
	for (int i = 0; i < r->over.stages; i++) {
		int s = r->over.at[i];

		fprintf(out, "stage %d is %.2f MB over its limit of %.2f\n", s,
		    r->peak_memory.at[s] - list_get(r->memory_limit, s), list_get(r->memory_limit, s));
	}
}

void
report_sim(FILE *out, const struct sim *r)
{
	char *head = xasprintf(" pp:%2d, vp:%2d, micro:%3d ", r->stages, r->interleave, r->micro_batches);

	title(out, head);
	free(head);
	title(out, "  bubble  ");
	bubble(out, &r->bubble);
	/* Print both definitions of the bubble that are in use: idle time over useful work, and over the step. */
	fprintf(out, "fractions of useful work; %.2f %% of the step is waiting",
	    100 * bubble_waiting(&r->bubble));
	if (GIVEN(bubble, &r->bubble, recompute))
		fprintf(out, ", %.2f %% recomputation", 100 * r->bubble.recompute / (1 + r->bubble.real));
	putc('\n', out);
	title(out, "  memory  ");
	memory(out, r);
	fprintf(out, "step time: %.4f\n", r->step_time);
	if (GIVEN(sim, r, step_p90))
		fprintf(out, "micro-batches vary: eight of ten steps take %.4f to %.4f\n", r->step_p10, r->step_p90);
	if (GIVEN(sim, r, pipeline_time))
		fprintf(out, "of which the pipeline: %.4f\n", r->pipeline_time);
	if (GIVEN(sim, r, lower_bound) && r->lower_bound > 0)
		fprintf(out, "no order is shorter than: %.4f, %.2f %% less\n", r->lower_bound,
		    100 * (1 - r->lower_bound / r->step_time));
	fprintf(out, "critical path: %s\n", r->critical.why);
	if (GIVEN(sim, r, tokens_per_second))
		fprintf(out, "tokens per second: %.1f\n", r->tokens_per_second);
	if (GIVEN(sim, r, tokens_per_second_per_device))
		fprintf(out, "tokens per second and device: %.2f\n", r->tokens_per_second_per_device);
}

void
report_stages(FILE *out, const struct sim *r)
{
	const struct idle *i = &r->idle;

	if (!GIVEN(sim, r, idle))
		return;
	title(out, "  stages  ");
	fputs("stage  working  filling  for forward  for backward  on the way  draining   memory\n", out);
	for (int s = 0; s < r->peak_memory.n; s++) {
		double step = GIVEN(sim, r, pipeline_time) ? r->pipeline_time : r->step_time;
		double percent = 100 / (step > 0 ? step : 1);
		double idle = list_get(i->fill, s) + list_get(i->forward, s) + list_get(i->backward, s) +
		    list_get(i->comm, s) + list_get(i->drain, s);

		fprintf(out, "%5d  %5.1f %%  %5.1f %%  %9.1f %%  %10.1f %%  %8.1f %%  %6.1f %%  %9.2f\n", s,
		    100 - percent * idle, percent * list_get(i->fill, s), percent * list_get(i->forward, s),
		    percent * list_get(i->backward, s), percent * list_get(i->comm, s),
		    percent * list_get(i->drain, s), r->peak_memory.at[s]);
	}
}

static int
by_fit_and_time(const void *a, const void *b)
{
	const struct sim *const *x = a, *const *y = b;

	/* Plans that do not fit come last. Plans with equal steps keep the order of the input. */
	if (((*x)->over.stages > 0) != ((*y)->over.stages > 0))
		return (*x)->over.stages > 0 ? 1 : -1;
	if ((*x)->relative != (*y)->relative)
		return (*x)->relative < (*y)->relative ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

void
report_ranking(FILE *out, const struct sim *r, int n)
{
	const struct sim **rank = xcalloc((size_t)n, sizeof *rank);
	int ran = 0;

	for (int i = 0; i < n; i++)
		if (r[i].name != NULL)
			rank[ran++] = &r[i];
	n = ran;
	SORT(rank, n, by_fit_and_time);
	title(out, "  ranking  ");
	for (int i = 0; i < n; i++)
		fprintf(out, "%3d  %-24s %14.4f  %7.4f%s\n", i + 1, rank[i]->name, rank[i]->step_time,
		    rank[i]->relative, rank[i]->over.stages > 0 ? "  over the memory limit" : "");
	free(rank);
}
