/* Sweep page: the answers of a sweep, and estimates of configurations, as sortable tables. Uses share/sweep.html. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "draw.h"
#include "points.h"
#include "template.h"

/* A JSON list that is being written. */
struct list_out {
	FILE *f;
	bool any;
};

static void
text(struct list_out *l, const char *words)
{
	fputs(l->any ? "," : "", l->f);
	template_string(l->f, words);
	l->any = true;
}

/* Write a number. Unknown numbers are null, and sort last. */
static void
amount(struct list_out *l, double x, bool known)
{
	if (known)
		fprintf(l->f, "%s%.9g", l->any ? "," : "", x);
	else
		fputs(l->any ? ",null" : "null", l->f);
	l->any = true;
}

/* Write the name of a column and its number of decimals, 0 for text. */
static void
column(struct list_out *l, const char *name, int decimals)
{
	fprintf(l->f, "%s{\"name\":", l->any ? "," : "");
	template_string(l->f, name);
	if (decimals >= 0)
		fprintf(l->f, ",\"decimals\":%d", decimals);
	putc('}', l->f);
	l->any = true;
}

enum { WORDS = -1 };		/* marks a column of text */
struct head {
	const char *name;
	int decimals;
};

static void
columns(FILE *f, const struct head *head)
{
	struct list_out l = { f, false };

	fputs("\"columns\":[", f);
	for (; head->name != NULL; head++)
		column(&l, head->name, head->decimals);
	fputs("],\"rows\":[", f);
}

static void
plan_table(FILE *f, const struct points *p)
{
	static const struct head heads[] = { { "plan", WORDS }, { "model", WORDS }, { "schedule", WORDS },
		{ "chunks", 0 }, { "stages", 0 }, { "micro-batches", 0 }, { "limit, MB", 0 }, { "step, ms", 1 },
		{ "ms / micro-batch", 2 }, { "at least, ms", 1 }, { "gap at most, %", 2 }, { "fits", WORDS }, { 0 } };

	fputs("{\"title\":\"Plans\",\"sort\":7,", f);
	columns(f, heads);
	for (size_t i = 0; i < p->n; i++) {
		const struct point *q = &p->at[i];
		struct list_out l = { f, false };
		char *fits = q->none ? xasprintf("needs %.0f MB more", q->excess) : xstrdup("yes");
		bool timed = !q->none && q->time > 0, bounded = timed && q->bound > 0;

		fputs(i > 0 ? ",\n[" : "[", f);
		text(&l, q->name);
		text(&l, q->model);
		text(&l, schedule_names[q->schedule]);
		amount(&l, q->interleave, true);
		amount(&l, q->stages, true);
		amount(&l, q->micro_batches, true);
		amount(&l, q->limit, true);
		amount(&l, q->time, timed);
		amount(&l, q->time / q->micro_batches, timed);
		amount(&l, q->bound, bounded);
		amount(&l, bounded ? 100 * fmax(0, q->time / q->bound - 1) : 0, bounded);
		text(&l, fits);
		putc(']', f);
		free(fits);
	}
	fputs("]}", f);
}

/* Return the plan of the configuration NAME, or NULL. */
static const struct point *
planned(const struct points *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->at[i].name, name) == 0)
			return &p->at[i];
	return NULL;
}

static void
estimate_table(FILE *f, const struct points *p)
{
	static const struct head heads[] = { { "configuration", WORDS }, { "dp", 0 }, { "tp", 0 }, { "cp", 0 },
		{ "pp", 0 }, { "ep", 0 }, { "chunks", 0 }, { "micro-batches", 0 }, { "of sequences", 0 },
		{ "recomputed", WORDS }, { "highest, MB", 0 }, { "step, ms", 1 }, { "at least, ms", 1 },
		{ "planned, ms", 1 }, { "tokens/s of a device", 0 }, { "MFU, %", 1 }, { "fits", WORDS }, { 0 } };

	fputs("{\"title\":\"Configurations, estimated\",\"sort\":11,", f);
	columns(f, heads);
	for (size_t i = 0; i < p->estimates.n; i++) {
		const struct prediction *e = &p->estimates.at[i].estimate;
		const struct configuration *c = &e->of;
		const struct point *plan = planned(p, c->name);
		struct list_out l = { f, false };

		fputs(i > 0 ? ",\n[" : "[", f);
		text(&l, c->name);
		amount(&l, c->dp, true);
		amount(&l, c->tp, true);
		amount(&l, c->cp, true);
		amount(&l, c->pp, true);
		amount(&l, c->ep, true);
		amount(&l, c->vp, true);
		amount(&l, c->micro_batches, true);
		amount(&l, c->mbs, true);
		text(&l, recomputation_names[c->recompute]);
		amount(&l, prediction_peak(e), true);
		amount(&l, e->step_time, true);
		amount(&l, e->lower_bound, true);
		amount(&l, plan != NULL ? plan->time : 0, plan != NULL && !plan->none);
		amount(&l, e->tokens_per_second, true);
		amount(&l, 100 * e->mfu, true);
		text(&l, e->fits ? "yes" : "no");
		putc(']', f);
	}
	fputs("]}", f);
}

/*
 * Write step times against the limit: a line, with its bounds, for each set of questions that differ only in the limit.
 */
static void
plan_chart(FILE *f, const struct points *p)
{
	struct varies varies = points_vary(p);
	bool open = false;

	fprintf(f, "{\"title\":\"Step time against memory limit\",\"x\":\"memory limit, MB\",\"y\":\"step time%s, ms\","
	    "\"lines\":[", varies.micro_batches ? " of a micro-batch" : "");
	for (size_t i = 0; i < p->n; i++) {
		const struct point *q = &p->at[i];
		bool begins = i == 0 || !points_same_line(q, q - 1);
		double by = varies.micro_batches ? q->micro_batches : 1;

		if (begins) {
			char *name = points_line_name(q, &varies);

			fprintf(f, "%s{\"joined\":true,\"name\":", i > 0 ? "]},\n" : "");
			template_string(f, name);
			fputs(",\"points\":[", f);
			free(name);
			open = false;
		} else if (!q->none && !q[-1].none && q->limit == q[-1].limit) {
			continue;	/* the question has a better plan */
		}
		if (q->none || q->time <= 0)
			continue;
		fprintf(f, "%s[%.9g,%.9g,", open ? "," : "", q->limit, q->time / by);
		fprintf(f, q->bound > 0 ? "%.9g," : "null,", q->bound / by);
		template_string(f, q->name);
		putc(']', f);
		open = true;
	}
	fputs("]}]}", f);
}

static void
estimate_chart(FILE *f, const struct points *p)
{
	fputs("{\"title\":\"Estimated step time against memory\",\"x\":\"highest memory of a stage, MB\","
	    "\"y\":\"step time, ms\",\"lines\":[", f);
	for (int fits = 1; fits >= 0; fits--) {
		bool open = false;

		fprintf(f, "%s{\"joined\":false,\"name\":\"%s\",\"points\":[", fits ? "" : ",\n", fits ? "fits"
		    : "does not fit");
		for (size_t i = 0; i < p->estimates.n; i++) {
			const struct prediction *e = &p->estimates.at[i].estimate;

			if (e->fits != fits)
				continue;
			fprintf(f, "%s[%.9g,%.9g,null,", open ? "," : "", prediction_peak(e), e->step_time);
			template_string(f, e->of.name);
			putc(']', f);
			open = true;
		}
		fputs("]}", f);
	}
	fputs("]}", f);
}

void
draw_sweep_page(const struct drawing *d, char *const operands[])
{
	struct points p = points_read(operands);
	struct template page;
	FILE *f;
	const char *comma = p.n > 0 && p.estimates.n > 0 ? ",\n" : "";

	if (p.n == 0 && p.estimates.n == 0)
		place_die(p.end, "neither plan nor estimate records in the input; sapp-lp and sapp-est write them");
	template_open(&page, "sweep.html", d->path);
	f = page.file;
	fputs("{\"title\":", f);
	template_string(f, d->title != NULL ? d->title : p.estimates.n > 0 ? "Configurations" : "Sweep");
	fputs(",\n\"charts\":[", f);
	if (p.n > 0)
		plan_chart(f, &p);
	fputs(comma, f);
	if (p.estimates.n > 0)
		estimate_chart(f, &p);
	fputs("],\n\"tables\":[", f);
	if (p.n > 0)
		plan_table(f, &p);
	fputs(comma, f);
	if (p.estimates.n > 0)
		estimate_table(f, &p);
	fputs("]}", f);
	template_close(&page);
	points_free(&p);
}
