/* sapp-sim: simulate the step of every plan in the stream. */
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/simulate/report.h"
#include "lib/base/slurp.h"
#include "lib/base/status.h"

#include "block.h"
#include "chrome.h"
#include "compare.h"
#include "csv.h"
#include "order.h"
#include "run.h"

static const char usage[] =
	"usage: sapp-sim [-ehjHvV] [-naive 0|1] [-manual FILE.yaml] [-mem MB[,MB...]]\n"
	"                [-comm MS[,MS...]] [-speed FACTOR[,FACTOR...]] [-offload GB/S] [-blocking|-batched|-hidden]\n"
	"                [-order FILE.csv | -free] [-slopes] [-tokens SEQ_LENGTH [-devices N]]\n"
	"                [-compare MEASURED.jsonl [-peak actual|used]]\n"
	"                [-chrome FILE.json] [-csv FILE.csv] [-order-csv FILE.csv]\n"
	"                [FILE...]\n"
"example: sapp-sim -H plan.jsonl\n";

enum { NAIVE = 1, MANUAL, MEM, COMM, BLOCKING, BATCHED, HIDDEN, TOKENS, DEVICES, SLOPES, ORDER, CHROME, CSV,
    ORDER_CSV, SPEED, OFFLOAD, COMPARE, PEAK, FREE };

enum { ORDER_MAX = 1 << 26 };

static const struct option_row own[] = {
	{ "e", NULL, 'e', "every operation too, for sapp-plot" },
	{ "naive", "0 or 1", NAIVE, "beside plans where everything or nothing is recomputed" },
	{ "manual", "FILE.yaml", MANUAL, "beside strategies made by hand" },
	{ "mem", "MB[,MB...]", MEM, "memory limit, instead of the question's" },
	{ "comm", "MS[,MS...]", COMM, "time of a transfer, or of each boundary of stages" },
	{ "offload", "GB/S", OFFLOAD, "that a device offloads or gets back" },
	{ "speed", "FACTOR[,FACTOR...]", SPEED, "of all stages or each, over the devices measured" },
	{ "blocking", NULL, BLOCKING, "transfers keep both stages busy, sends before or after receives" },
	{ "batched", NULL, BATCHED, "transfers keep both stages busy, sends and receives at once" },
	{ "hidden", NULL, HIDDEN, "transfers take place beside operations" },
	{ "tokens", "N", TOKENS, "tokens of a sequence or of all of a micro-batch: throughput" },
	{ "devices", "N", DEVICES, "devices that these tokens are divided among" },
	{ "compare", "MEASURED.jsonl", COMPARE, "beside the step and peak records of a real run" },
	{ "peak", "actual or used", PEAK, "which peaks of that run (actual)" },
	{ "slopes", NULL, SLOPES, "what a ms less on each stage is worth" },
	{ "order", "FILE.csv", ORDER, "own order of operations" },
	{ "free", NULL, FREE, "each in the shortest order that is found for it" },
	{ "chrome", "FILE.json", CHROME, "timeline for chrome://tracing and Perfetto" },
	{ "csv", "FILE.csv", CSV, "every operation as a table" },
	{ "order-csv", "FILE.csv", ORDER_CSV, "the order, as schedules of PyTorch are read" },
	OPTION_COMMON,
	{ 0 }
};

static void
write_json(const struct records *all, const struct runs *runs, const struct options *options,
    const struct measured *measured)
{
	int next = 0;

	for (size_t i = 0; i <= all->n; i++) {
		for (; next < runs->n && runs->at[next].before == i; next++) {
			const struct run *r = &runs->at[next];

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
write_report(const struct runs *runs, const struct options *options, const struct measured *measured)
{
	for (int i = 0; i < runs->n; i++) {
		const struct run *r = &runs->at[i];

		if (runs->result[i].name == NULL)
			continue;
		printf("%s%s (%s)\n", i ? "\n" : "", r->name, schedule_names[r->shape.kind]);
		if (r->plan != NULL)
			report_settings(stdout, r->plan);
		report_sim(stdout, &runs->result[i]);
		if (option_verbose || options->slopes)
			report_stages(stdout, &runs->result[i]);
		if (measured != NULL) {
			struct comparison c = compare_run(r, &runs->result[i], measured);

			compare_report(stdout, &c, measured);
			fields_free(&comparison_fields, &c);
		}
	}
	if (runs->n - runs->failed > 1) {
		putchar('\n');
		report_ranking(stdout, runs->result, runs->n);
	}
}

int
main(int argc, char *argv[])
{
	struct options options = { .transfers = -1 };
	struct records all;
	struct runs runs;
	struct measured run, *measured = NULL;
	const char *order_csv = NULL, *compare = NULL;
	char *order = NULL;
	size_t length;
	int ch, failed, which = -1;

	while ((ch = option_next(argc, argv, usage, own)) != -1)
		switch (ch) {
		case 'e':
			options.blocks = true;
			break;
		case NAIVE:
			options.naive = option_int("-naive", optarg, 0, 1);
			break;
		case MANUAL:
			options.manual = optarg;
			break;
		case MEM:
			free(options.limit.at);
			options.limit = option_list("-mem", optarg, 1e-6, 1e12);
			break;
		case COMM:
			free(options.comm.at);
			options.comm = option_list("-comm", optarg, 0, 1e12);
			break;
		case SPEED:
			free(options.speed.at);
			options.speed = option_list("-speed", optarg, 1e-3, 1e3);
			break;
		case OFFLOAD:
			options.offload = option_real("-offload", optarg, 1e-3, 1e6);
			break;
		case BLOCKING:
			options.transfers = TRANSFERS_BLOCKING;
			break;
		case BATCHED:
			options.transfers = TRANSFERS_BATCHED;
			break;
		case HIDDEN:
			options.transfers = TRANSFERS_HIDDEN;
			break;
		case TOKENS:
			options.tokens = option_int("-tokens", optarg, 1, 1 << 30);
			break;
		case DEVICES:
			options.devices = option_int("-devices", optarg, 1, 1 << 30);
			break;
		case SLOPES:
			options.slopes = true;
			break;
		case ORDER:
			free(order);
			options.order_path = slurp_name(optarg);
			options.order = order = slurp(optarg, ORDER_MAX, &length);
			break;
		case FREE:
			options.free = true;
			break;
		case CHROME:
			options.chrome = optarg;
			break;
		case CSV:
			options.csv = optarg;
			break;
		case COMPARE:
			compare = optarg;
			break;
		case PEAK:
			which = option_choice("-peak", optarg, peak_kinds);
			break;
		case ORDER_CSV:
			order_csv = optarg;
			break;
		}
	if (which >= 0 && compare == NULL)
		option_usage(usage, "-peak goes with -compare");
	if (options.devices > 0 && options.tokens == 0)
		option_usage(usage, "-devices goes with -tokens");
	if (options.free && options.order != NULL)
		option_usage(usage, "-free finds an order, -order gives one");
	records_read(&all, argv + optind, RECORDS(RECORD_MODEL) | RECORDS(RECORD_LAYER) |
	    RECORDS(RECORD_JOB) |
	    RECORDS(RECORD_PIPELINE) | RECORDS(RECORD_PLAN) | RECORDS(RECORD_CHUNKS));
	runs = runs_find(&all, &options);
	if (compare != NULL) {
		run = measured_read(compare, which);
		measured = &run;
		compare_check(&runs, measured);
	}
	runs_simulate(&runs, &options);
	if (options.chrome != NULL)
		chrome_write(options.chrome, &runs);
	if (options.csv != NULL)
		csv_write(options.csv, &runs);
	if (order_csv != NULL)
		order_write(order_csv, &runs);
	if (option_report())
		write_report(&runs, &options, measured);
	else
		write_json(&all, &runs, &options, measured);
	failed = runs.failed;
	if (measured != NULL)
		measured_free(measured);
	runs_tell_speed(&runs);
	runs_free(&runs);
	records_free(&all);
	free(options.limit.at);
	free(options.comm.at);
	free(options.speed.at);
	free(order);
	stdout_close();
	return failed > 0 ? STATUS_NO_ANSWER : STATUS_ANSWERED;
}
