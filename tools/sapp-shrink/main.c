/* sapp-shrink: propose small runs that determine the unknown coefficients of large runs. */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/sorted.h"
#include "lib/base/status.h"
#include "lib/space/space.h"
#include "made.h"
#include "selection.h"
#include "settings.h"

static const char usage[] =
"usage: sapp-shrink [-hVvjH] [-n devices] [-nodes n] [-rules megatron|mindformers] [-table file]\n"
"       [-cluster name|file] [-memory mb] [-known file] [-least share] [-k n]\n"
"       [-f megatron|mindspeed|mindformers] [-training yaml] [-o dir] [-set key=value] [file ...]\n"
"       sapp-shrink -missing dir [file ...]\n"
"example: sapp-est -cluster h100 candidates.jsonl | sapp-top -k 50 | sapp-shrink >runs.jsonl\n";

/* Offer runs with the shapes of the first candidates, and the runs of the table's rows. */
static void
offer_runs(struct offers *all, struct site *s, const struct asked *a, const struct shrink_rows *rows)
{
	bool done[REGIMES] = { false };

	for (size_t i = 0; i < a->nruns; i++)
		if (a->made[i])
			offers_known(all, s, &a->run[i]);
	for (size_t i = 0; i < a->nshapes && rows->choice; i++)
		if (a->shape[i].candidates > 0 && !a->shape[i].known)
			offers_of_shape(all, s, &a->shape[i].like, a->shape[i].again);
	for (size_t i = 0; i < a->nshapes && rows->choice; i++)
		if (!done[regime_of(&a->shape[i].like)]) {
			done[regime_of(&a->shape[i].like)] = true;
			offers_of_rows(all, s, rows, &a->shape[i].like);
		}
	if (!rows->choice)
		offers_of_rows(all, s, rows, &a->first[0]);
	for (size_t i = 0; i < rows->n; i++)
		if (rows->at[i].each)
			offers_of_each(all, s, &rows->at[i], a->all, a->nall);
}

typedef struct offer *offer_pointer;
ORDER_BY(by_purpose, offer_pointer, (*it)->run.purpose, -(*it)->run.tells.n, (*it)->run.cost)

static void
print_runs(struct offer *const *chosen, size_t n)
{
	double cost = 0;

	printf("%-40s %-8s %7s %12s  %s\n", "run", "purpose", "devices", "device s", "tells");
	for (size_t i = 0; i < n; i++) {
		const struct training_run *r = &chosen[i]->run;

		printf("%-40s %-8s %7d %12.0f  ", r->of.name, row_purposes[r->purpose], r->devices, r->cost);
		for (int k = 0; k < r->tells.n; k++)
			printf("%s%s", k > 0 ? ", " : "", r->tells.at[k]);
		putchar('\n');
		cost += r->cost;
	}
	printf("%zu runs, %.2f device hours\n", n, cost / 3600);
}

/* Print the goals that no run reaches. */
static void
say_untold(const struct selection *c, const struct site *s)
{
	static const char *const sendings[] = { "rings", "messages", "tokens" };

	for (size_t i = 0; i < c->ngoals; i++) {
		const struct goal *n = &c->goal[i];
		char *name;

		if (!n->never || n->kind == GOAL_APART || n->kind == GOAL_BASE || n->kind == GOAL_KEPT)
			continue;
		if (n->kind == GOAL_SENT && n->sent.members == 0)
			warnx("no run measures %s between nodes%s", sendings[n->sent.what], s->nodes < 2 ?
			    ": a run on two nodes would (-nodes 2)" : "");
		else if (n->kind == GOAL_SENT)
			warnx("no run measures %s of %d devices: the nearest number is used", sendings[n->sent.what],
			    n->sent.members);
		else {
			name = shape_name(&n->shape);
			warnx("no run measures the %s of %s", n->kind == GOAL_TIMES ? "times" : "recomputation", name);
			free(name);
		}
	}
}

/* Print how well the runs distinguish factors, and which factors they do not distinguish. */
static void
say_margins(const struct selection *c, const struct site *s, bool choice)
{
	double enough = choice && s->net->experts > 0 ? MARGIN_ROUTED : 0;

	for (int r = 0; r < REGIMES; r++) {
		const char *tp = r & 1 ? "above 1" : "1", *cp = r & 2 ? "above 1" : "1", *ep = r & 4 ? "above 1" : "1";

		if (option_verbose && (c->asked[r] || (!choice && c->margin[r] < INFINITY)))
			warnx("tp %s, cp %s, ep %s: margin of the design %.3f", tp, cp, ep, c->margin[r]);
		if (!choice || !c->asked[r] || (c->margin[r] > 0 && c->margin[r] >= enough))
			continue;
		for (int f = 0; f < FACTORS; f++)
			if (c->unsure[r][f])
				warnx("tp %s, cp %s, ep %s: no run determines how sizes depend on %s", tp, cp, ep,
				    factor_names[f]);
	}
}

int
main(int argc, char *argv[])
{
	const char *cluster = NULL, *missing = NULL, *known = NULL, *table = NULL;
	struct asked a = { .k = 50 };
	struct site s = { .nearest = nearest_none() };
	struct offers offers = { 0 };
	struct shrink_rows rows;
	struct selection c;
	struct cluster limited;
	double memory = 0, least = 0.7;
	size_t taken = 0;
	struct offer **chosen;
	struct writing w = { .format = -1 };
	bool any = false;
	const struct option_row options[] = {
		{ "n", "DEVICES", "devices of a run (as many as a node has)", .whole = &s.devices, .min = 2,
			.max = 1 << 20 },
		{ "nodes", "N", "number of available nodes (as many as the devices need)", .whole = &s.nodes, .min = 1,
			.max = 1 << 20 },
		{ "rules", "megatron or mindformers", "rules of this framework (megatron)", .choice = &s.framework,
			.names = framework_names },
		{ "table", "FILE", "table of possible runs (share/runs/default.jsonl)", .text = &table },
		{ "cluster", "NAME or FILE", "cluster record", .text = &cluster },
		{ "memory", "MB", "memory of a device, instead of the cluster's", .real = &memory, .min = 1,
			.max = 1e9, .megabytes = true },
		{ "known", "FILE", "runs that exist already, and their coefficients", .text = &known },
		{ "least", "SHARE", "measured share of a candidate's time from which it is known (0.7)",
			.real = &least, .min = 0, .max = 1 },
		{ "k", "N", "number of candidates whose shapes the runs must have (50)", .whole = &a.k, .min = 1,
			.max = 1 << 20 },
		{ "f", "FORMAT", "write settings of the runs: megatron, mindspeed or mindformers", .choice = &w.format,
			.names = settings_formats },
		{ "training", "YAML", "with -f mindformers: settings to edit", .text = &w.training },
		{ "o", "DIR", "with -f: directory of settings and profiles", .text = &w.directory },
		{ "set", "KEY=VALUE", "with -f: an additional setting; may be repeated", .texts = &w.set },
		{ "missing", "DIR", "pass on the runs without a complete profile in DIR", .text = &missing },
		{ 0 }
	};
	char **operands = options_take(argc, argv, usage, options);

	if (missing != NULL) {
		made_list(operands, missing);
		stdout_close();
		return STATUS_ANSWERED;
	}
	if (w.format < 0 && (w.training != NULL || w.directory != NULL || w.set.n > 0))
		option_usage("-training, -o and -set need -f");
	if (w.format >= 0)
		settings_begin(&w);
	rows = rows_read(table);
	for (size_t i = 0; i < rows.n; i++)
		a.keep |= rows.at[i].each;
	asked_read(&a, operands, cluster, known, least);
	s.net = inputs_network(&a.in);
	limited = *inputs_cluster(&a.in);
	if (memory > 0)
		limited.memory_limit = memory;
	s.cluster = &limited;
	s.node = limited.devices_per_node;
	if (s.devices == 0)
		s.devices = s.node;
	if (s.nodes == 0)
		s.nodes = (s.devices + s.node - 1) / s.node;
	offer_runs(&offers, &s, &a, &rows);
	c = choose(&offers, &a, &s);
	if (rows.choice)
		say_untold(&c, &s);
	say_margins(&c, &s, rows.choice);
	chosen = xcalloc(offers.n + 1, sizeof *chosen);
	for (size_t i = 0; i < offers.n; i++)
		if (c.taken[i] && !offers.at[i].known)
			chosen[taken++] = &offers.at[i];
	if (offers.n == 0 && s.nearest.over < INFINITY)
		offers_say_nearest(&s);
	SORT(chosen, taken, by_purpose);
	for (size_t i = 0; i < taken && w.format >= 0; i++)
		settings_write(&w, chosen[i], s.net);
	if (option_report())
		print_runs(chosen, taken);
	for (size_t i = 0; i < taken && !option_report(); i++)
		offer_write(stdout, chosen[i]);
	for (size_t i = 0; i < offers.n; i++)
		any |= c.taken[i];
	free(chosen);
	settings_end(&w);
	selection_free(&c);
	offers_free(&offers);
	shrink_rows_free(&rows);
	asked_free(&a);
	stdout_close();
	return any ? STATUS_ANSWERED : STATUS_NO_ANSWER;
}
