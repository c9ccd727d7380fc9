/* sapp-sim: simulate the step of every plan in the stream. */
#include <stdlib.h>

#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/slurp.h"
#include "lib/base/status.h"
#include "lib/simulate/report.h"

#include "block.h"
#include "chrome.h"
#include "compare.h"
#include "order.h"
#include "prices.h"
#include "replays.h"
#include "run.h"
#include "unmeasured.h"

static const char usage[] =
	"usage: sapp-sim [-ehjHvV] [-naive 0|1] [-manual FILE.yaml] [-mem MB[,MB...]]\n"
	"                [-comm MS[,MS...]] [-speed FACTOR[,FACTOR...]] [-offload GB/S] [-transfers WAY]\n"
	"                [-order FILE.csv | -free] [-why] [-tokens SEQ_LENGTH [-devices N]]\n"
	"                [-compare MEASURED.jsonl [-peak actual|used]]\n"
	"                [-chrome FILE.json] [-order-csv FILE.csv]\n"
	"                [FILE...]\n"
"example: sapp-sim -H plan.jsonl\n";

enum { ORDER_MAX = 1 << 26 };

static void
write_json(const struct records *all, const struct sim_runs *runs, const struct sim_options *options,
    const struct sim_measured *measured)
{
	int next = 0;

	for (size_t i = 0; i <= all->n; i++) {
		for (; next < runs->n && runs->at[next].before == i; next++) {
			const struct sim_run *r = &runs->at[next];

			if (r->added != NULL)
				record_put(stdout, RECORD_PLAN, r->added);
			if (runs->result[next].name == NULL)
				continue;
			record_put(stdout, RECORD_SIM, &runs->result[next]);
			if (measured != NULL) {
				struct comparison c = compare_run(r, &runs->result[next], measured);

				record_put(stdout, RECORD_COMPARISON, &c);
				fields_free(&comparison_fields, &c);
			}
			if (options->blocks)
				blocks_put(stdout, r);
		}
		if (i < all->n)
			record_write(stdout, &all->at[i]);
	}
}

static void
report_run(const struct sim_run *r, const struct sim *sim, const struct sim_options *options,
    const struct sim_measured *measured)
{
	printf("%s (%s)\n", r->name, schedule_names[r->shape.kind]);
	if (r->plan != NULL)
		report_settings(stdout, r->plan);
	report_sim(stdout, sim);
	if (option_verbose)
		report_stages(stdout, sim);
	if (options->why)
		prices_report(stdout, &sim->prices, sim->step_time);
	else
		prices_report_links(stdout, &sim->prices, sim->step_time);
	if (measured != NULL) {
		struct comparison c = compare_run(r, sim, measured);

		compare_report(stdout, &c, measured);
		fields_free(&comparison_fields, &c);
	}
}

/* Compare replayed steps with their measurements. Print the worst step in full, then a list of all, worst first. */
static bool
write_replays(const struct sim_runs *runs, const struct sim_options *options, const struct sim_measured *measured)
{
	struct replays replays = replays_new(runs, measured);
	bool any = replays.n > 1;

	if (any) {
		report_run(&runs->at[replays.at[0].run], &runs->result[replays.at[0].run], options, measured);
		putchar('\n');
		replays_report(stdout, &replays, runs);
	}
	replays_free(&replays);
	return any;
}

static void
write_report(const struct sim_runs *runs, const struct sim_options *options, const struct sim_measured *measured)
{
	if (measured != NULL && write_replays(runs, options, measured))
		return;
	for (int i = 0; i < runs->n; i++)
		if (runs->result[i].name != NULL) {
			fputs(i > 0 ? "\n" : "", stdout);
			report_run(&runs->at[i], &runs->result[i], options, measured);
		}
	if (runs->n - runs->failed > 1) {
		putchar('\n');
		report_ranking(stdout, runs->result, runs->n);
	}
	if (measured == NULL)
		unmeasured_report(stdout, runs);
}

int
main(int argc, char *argv[])
{
	struct sim_options options = { .transfers = -1 };
	struct records all;
	struct sim_runs runs;
	struct sim_measured run, *measured = NULL;
	const char *order_csv = NULL, *compare = NULL, *order_file = NULL;
	char *order = NULL;
	size_t length;
	int failed, which = -1;
	const struct option_row own[] = {
		{ "e", NULL, "also write a record per operation, for sapp-plot", .flag = &options.blocks },
		{ "naive", "0 or 1", "1: also simulate full and no recomputation (0)", .whole = &options.naive,
			.min = 0, .max = 1 },
		{ "manual", "FILE.yaml", "also simulate strategies from this file", .text = &options.manual },
		{ "mem", "MB[,MB...]", "memory limit (from the pipeline record)", .list = &options.limit,
			.megabytes = true, .min = 1e-6, .max = 1e12 },
		{ "comm", "MS[,MS...]", "transfer time, or one for each boundary of stages", .list = &options.comm,
			.min = 0, .max = 1e12 },
		{ "offload", "GB/S", "speed of a device's link to the host", .real = &options.offload,
			.min = 1e-3, .max = 1e6 },
		{ "speed", "FACTOR[,FACTOR...]", "speed / speed of the measured devices, one number or one per stage "
		    "(1)",
			.list = &options.speed, .min = 1e-3, .max = 1e3 },
		{ "transfers", "WAY", "how transfers take place: hidden, blocking, batched, overlap, ..., sapp(7)",
			.choice = &options.transfers, .names = transfers_names },
		{ "tokens", "N", "sequence length in tokens, to print throughput",
			.whole = &options.tokens, .min = 1, .max = 1 << 30 },
		{ "devices", "N", "devices of one pipeline, for tokens per second and device",
		    .whole = &options.devices,
			.min = 1, .max = 1 << 30 },
		{ "compare", "MEASURED.jsonl", "compare with the step and peak records of a real run",
			.text = &compare },
		{ "peak", "actual or used", "which peaks of that run to compare with (actual)", .choice = &which,
			.names = peak_kinds },
		{ "why", NULL, "print what makes the step longer, and by how much", .flag = &options.why },
		{ "order", "FILE.csv", "order of operations, for the schedule custom", .text = &order_file },
		{ "free", NULL, "simulate each plan in the shortest order found for it", .flag = &options.free },
		{ "chrome", "FILE.json", "write the timeline for chrome://tracing and Perfetto",
			.text = &options.chrome },
		{ "order-csv", "FILE.csv", "write the order of operations as a PyTorch schedule", .text = &order_csv },
		{ 0 }
	};
	char **operands = options_take(argc, argv, usage, own);

	if (order_file != NULL) {
		options.order_path = slurp_name(order_file);
		options.order = order = slurp(order_file, ORDER_MAX, &length);
	}
	if (which >= 0 && compare == NULL)
		option_usage("-peak: needs -compare");
	if (options.devices > 0 && options.tokens == 0)
		option_usage("-devices: needs -tokens");
	if (options.free && options.order != NULL)
		option_usage("-free and -order exclude each other");
	records_read(&all, operands, RECORDS(RECORD_MODEL) | RECORDS(RECORD_LAYER) |
	    RECORDS(RECORD_JOB) |
	    RECORDS(RECORD_PIPELINE) | RECORDS(RECORD_PLAN) | RECORDS(RECORD_CHUNKS));
	runs = sim_runs_find(&all, &options);
	if (compare != NULL) {
		run = measured_read(compare, which);
		measured = &run;
		compare_check(&runs, measured);
	}
	runs_simulate(&runs, &options);
	if (options.chrome != NULL)
		chrome_write(options.chrome, &runs);
	if (order_csv != NULL)
		order_write(order_csv, &runs);
	if (option_report())
		write_report(&runs, &options, measured);
	else
		write_json(&all, &runs, &options, measured);
	failed = runs.failed;
	if (measured != NULL)
		measured_steps_free(measured);
	runs_tell_speed(&runs);
	sim_runs_free(&runs);
	records_free(&all);
	free(options.limit.at);
	free(options.comm.at);
	free(options.speed.at);
	free(order);
	stdout_close();
	return failed > 0 ? STATUS_NO_ANSWER : STATUS_ANSWERED;
}
