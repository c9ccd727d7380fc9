/* sapp-lp: find the layers of each stage and their recomputation with the shortest step that fits into memory. */
#include <math.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/cost.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/status.h"
#include "lib/model/offload.h"
#include "lib/target/holding.h"
#include "sapp-lp/planner/end_to_end.h"
#include "sapp-lp/planner/known.h"
#include "sapp-lp/question/certify.h"
#include "sapp-lp/question/defaults.h"
#include "sapp-lp/question/free_question.h"
#include "sapp-lp/question/question.h"
#include "sapp-lp/question/stream.h"

int
main(int argc, char *argv[])
{
	struct options options = options_read(argc, argv);
	struct questions questions;
	struct stream stream;
	struct records all, known;
	struct network net;
	double end;
	int status, asked, failed = 0;
	bool any = false;

	alloc_hold();
	records_read(&all, options.operands, RECORDS(RECORD_LAYER) | RECORDS(RECORD_MODEL) | RECORDS(RECORD_JOB) |
	    RECORDS(RECORD_KIND) |
	    RECORDS(RECORD_PIPELINE));
	stream = stream_find(&options, &all);
	if (stream.n > 0 && options.proof_file != NULL)
		option_usage("-proof: not with a stream of questions");
	if (stream.n > 0) {
		clock_catch_signals();
		status = stream_answer(&stream, &options, &all);
		stream_free(&stream);
		options_free(&options);
		records_free(&all);
		return status;
	}
	options_default(&options, &all);
	questions = questions_list(&options);
	net = network_from_records(&all, options.model);
	network_warn(&net);
	holding_bind(options.target, &net);
	network_split(&net, options.splits, net.place);
	network_link(&net, options.offload, options.devices.speed);
	net.empty = options.empty;
	options_keep_kinds(&options, &net, &all);
	options.input = &all;
	questions_keep(&questions, &options, &net);
	if (options.dry) {
		for (int i = 0; i < questions.n; i++)
			record_put(stdout, RECORD_PIPELINE, &questions.at[i].pipeline);
		stdout_close();
		return STATUS_ANSWERED;
	}
	if (options.proof_file != NULL)
		certify_check(&options, &questions.at[0].pipeline);
	known = known_read(options.known_file);
	clock_catch_signals();
	options_open(&options);
	if (options.cutoff > 0)
		options.effort.cutoff = fmax(options.cutoff - end_to_end_overhead(net.model, options.stages), 1e-9);
	end = clock_now() + options.effort.seconds;
	for (int i = 0; i < questions.n; i++) {
		struct question *q = &questions.at[i];
		double seconds = fmax((end - clock_now()) / (questions.n - i), 0.01);

		/* If the time is over, one answer suffices as the start of a free order. */
		if (q->helps && !clock_left(end) && free_question_begun(&questions, q)) {
			q->rank = INFINITY;
			continue;
		}
		if (q->free)
			free_question_answer(&questions, q, &options, &net, seconds);
		else
			question_answer(q, &options, &net, &known, seconds);
		any |= q->rank < INFINITY && !q->helps;
		failed += q->failed;
	}
	asked = questions.n;
	questions_rank(&questions);
	if (failed < asked)
		questions_write(&questions, &all, options.keep > 0 ? options.keep : questions.n);
	stdout_close();
	status = questions_status(asked, failed, any);
	questions_free(&questions);
	options_free(&options);
	network_free(&net);
	records_free(&all);
	records_free(&known);
	if (option_verbose)
		cost_say();
	return status;
}
