/* sapp-lp: the layers of each stage and their recomputation for the shortest step that fits into memory. */
#include <math.h>

#include "lib/base/clock.h"
#include "lib/base/cost.h"
#include "lib/base/option.h"
#include "lib/base/status.h"
#include "defaults.h"
#include "question.h"

int
main(int argc, char *argv[])
{
	struct options options = options_read(argc, argv);
	struct questions questions;
	struct records all;
	struct network net;
	double end;
	int status = STATUS_NO_ANSWER;

	records_read(&all, argv + optind, RECORDS(RECORD_LAYER) | RECORDS(RECORD_MODEL) | RECORDS(RECORD_JOB));
	options_default(&options, &all);
	questions = questions_list(&options);
	net = network_from_records(&all, options.model);
	network_split(&net, options.splits, net.place);
	clock_catch_signals();
	options_open(&options);
	end = clock_now() + options.effort.seconds;
	for (int i = 0; i < questions.n; i++) {
		question_answer(&questions, i, &options, &net, fmax((end - clock_now()) / (questions.n - i), 0.01));
		if (questions.at[i].rank < INFINITY && !questions.at[i].helps)
			status = STATUS_ANSWERED;
	}
	questions_rank(&questions);
	questions_write(&questions, &all, options.keep > 0 ? options.keep : questions.n);
	questions_free(&questions);
	options_free(&options);
	network_free(&net);
	records_free(&all);
	stdout_close();
	if (option_verbose)
		cost_say();
	return status;
}
