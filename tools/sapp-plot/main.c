/* sapp-plot: pictures of simulated pipelines. */
#include <err.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/clipped.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/status.h"
#include "draw.h"
#include "gnuplot.h"

enum { MOST_COMPARED = 8, NAME_BYTES = 150 };

static const char usage[] =
    "usage: sapp-plot -o FILE.svg|png|pdf|html [-compare | -stages | -sweep] [-plan NAME]...\n"
    "                 [-title TEXT] [-size WIDTHxHEIGHT] [FILE...]\n"
    "       sapp-plot -html [-o FILE] [-sweep] [-plan NAME]... [-title TEXT] [-note FILE] [FILE...]\n"
    "       sapp-plot [-term] [-plan NAME]... [-title TEXT] [FILE...]\n"
"example: sapp-sim -e plan.jsonl | sapp-plot -o step.svg\n";

static void
take_size(void *drawing, const char *option, char *text)
{
	struct drawing *d = drawing;
	const char *by = strchr(text, 'x');
	char width[16];
	struct clipped copy = CLIPPED(width);

	if (by != NULL)
		clipped_add(&copy, text, (size_t)(by - text));
	if (by == NULL || copy.cut)
		errx(STATUS_USAGE, "-size: not WIDTHxHEIGHT '%s'", text);
	d->width = option_int(option, width, 400, 20000);
	d->height = option_int(option, by + 1, 300, 20000);
}

/*
 * Return a file name such as "result_naive.svg", made of "result.svg" and "naive". If one of the N files MADE has this
 * name, return "result_naive_2.svg". Replaces "/" in names, and limits them to some 255 bytes.
 */
static char *
with_name(const char *path, const char *name, char *const made[], int n)
{
	const char *dot = strrchr(path, '.');
	char *part = xasprintf("%.*s", NAME_BYTES, name), *joined = NULL;
	bool taken = true;

	for (char *p = part; *p != '\0'; p++)
		if (*p == '/')
			*p = '-';
	for (int number = 1; taken; number++) {
		free(joined);
		joined = number == 1 ? xasprintf("%.*s_%s%s", (int)(dot - path), path, part, dot)
		    : xasprintf("%.*s_%s_%d%s", (int)(dot - path), path, part, number, dot);
		taken = false;
		for (int i = 0; i < n; i++)
			taken |= strcmp(made[i], joined) == 0;
	}
	free(part);
	return joined;
}

/*
 * Return the file that a plan names for its picture, in the directory of PATH. Return NULL if the plan names none, or
 * if one of the N files MADE has this name.
 */
static char *
own_name(const char *path, const struct plot_run *r, char *const made[], int n)
{
	const char *slash = strrchr(path, '/');
	char *name;

	if (r->plan.kind != RECORD_PLAN || !GIVEN(plan, &r->plan.plan, picture) ||
	    strchr(r->plan.plan.picture, '/') != NULL)
		return NULL;
	name = xasprintf("%.*s%s", slash != NULL ? (int)(slash + 1 - path) : 0, path, r->plan.plan.picture);
	for (int i = 0; i < n; i++)
		if (strcmp(made[i], name) == 0) {
			free(name);
			return NULL;
		}
	return name;
}

/* Draw the first strategy into the given file, and the others into files next to it. */
static void
draw_each(const struct drawing *d, const struct plot_runs *all, struct plot_run *const chosen[], int n, bool stages)
{
	char **made = xcalloc((size_t)n, sizeof *made);

	for (int i = 0; i < n; i++) {
		struct drawing one = *d;

		made[i] = i == 0 ? xstrdup(d->path) : own_name(d->path, chosen[i], made, i);
		if (made[i] == NULL)
			made[i] = with_name(d->path, chosen[i]->name, made, i);
		one.path = made[i];
		if (stages)
			draw_stages(&one, all, chosen[i]);
		else
			draw_timeline(&one, chosen[i]);
	}
	for (int i = 0; i < n; i++)
		free(made[i]);
	free(made);
}

static bool
is_page(const char *path)
{
	const char *dot = path != NULL ? strrchr(path, '.') : NULL;

	return dot != NULL && (strcasecmp(dot, ".html") == 0 || strcasecmp(dot, ".htm") == 0);
}

/* Return all runs, or the runs of -plan in its order. *N: their number. */
static struct plot_run **
choose(struct plot_runs *all, const struct texts *names, int *n)
{
	struct plot_run **chosen;

	*n = names->n > 0 ? names->n : all->n;
	chosen = xcalloc((size_t)*n, sizeof *chosen);
	for (int i = 0; i < *n; i++) {
		chosen[i] = names->n > 0 ? plot_runs_find(all, names->at[i]) : &all->at[i];
		run_need_blocks(chosen[i]);
	}
	return chosen;
}

int
main(int argc, char *argv[])
{
	struct drawing d = { .width = 1080, .height = 720 };
	struct plot_runs all;
	struct plot_run **chosen;
	struct texts names = { 0 };
	bool term = false, page = false, compare = false, stages = false, sweep = false;
	int n = 0;
	const struct option_row options[] = {
		{ "o", "FILE", "file to write: .svg, .png, .pdf or .html", .text = &d.path },
		{ "html", NULL, "write an interactive page, into -o or to standard output", .flag = &page },
		{ "term", NULL, "draw with letters on the terminal", .flag = &term },
		{ "compare", NULL, "timelines of several strategies in one picture", .flag = &compare },
		{ "stages", NULL, "time and memory of every stage as bars", .flag = &stages },
		{ "sweep", NULL, "step times over memory, of all plans and configurations", .flag = &sweep },
		{ "plan", "NAME", "draw this strategy; may be repeated (all)", .texts = &names },
		{ "title", "TEXT", "title of the picture", .text = &d.title },
		{ "note", "FILE", "text that a page begins with", .text = &d.note },
		{ "size", "WIDTHxHEIGHT", "size in pixels (1080x720)", .take = take_size, .into = &d },
		{ 0 }
	};
	char **operands = options_take(argc, argv, usage, options);

	if (compare + stages + sweep > 1)
		option_usage("-compare, -stages and -sweep exclude each other");

	page |= is_page(d.path);
	if (page && d.path == NULL && is_page(*operands) && access(*operands, F_OK) != 0)
		option_usage("-html: give the page's name with -o '%s'", *operands);
	if (d.path == NULL && !page && !term && !isatty(STDOUT_FILENO))
		option_usage("-o is missing");
	if (d.note != NULL && (!page || sweep))
		option_usage("-note goes with a page of strategies");
	if (page && (compare || stages))
		option_usage("-compare and -stages: not with a page, which shows all strategies");
	if (d.path == NULL && !page && (compare || stages || sweep))
		option_usage("-compare, -stages and -sweep need -o");
	if (d.path != NULL && !page)
		gnuplot_check_type(d.path);

	if (sweep) {
		if (names.n > 0 || term)
			option_usage("-sweep: needs -o, and not with -plan");
		if (page)
			draw_sweep_page(&d, operands);
		else
			draw_sweep(&d, operands);
		texts_free(&names);
		stdout_close();
		return STATUS_ANSWERED;
	}
	all = runs_read(operands);
	chosen = choose(&all, &names, &n);
	if (compare && n > MOST_COMPARED)
		errx(STATUS_ERROR, "-compare: %d strategies do not fit on a page; choose up to %d with -plan",
		    n, MOST_COMPARED);
	if (term || (d.path == NULL && !page))
		for (int i = 0; i < n; i++)
			draw_terminal(&d, chosen[i]);
	if (page)
		draw_html(&d, &all, chosen, n);
	else if (d.path != NULL && compare)
		draw_compare(&d, chosen, n);
	else if (d.path != NULL)
		draw_each(&d, &all, chosen, n, stages);
	free(chosen);
	texts_free(&names);
	plot_runs_free(&all);
	stdout_close();
	return STATUS_ANSWERED;
}
