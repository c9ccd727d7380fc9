/* sapp-enum: list every configuration of a number of devices that the rules of a framework allow. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/status.h"
#include "lib/estimate/inputs.h"
#include "lib/record/line.h"
#include "lib/space/rule.h"
#include "lib/space/space_options.h"
#include "lib/space/tally.h"

static const char usage[] =
"usage: sapp-enum [-hVv] -n devices -gb sequences [-rejected] [-cluster name|file]\n" SPACE_USAGE
"       [file ...]\n"
"example: sapp-enum -n 64 -gb 256 network.jsonl\n";

enum { FLUSH_AT = 1 << 16 };

struct writer {
	const struct space *space;
	bool rejected;		/* whether to write rejected configurations also */
	uint64_t given;		/* set of the members that every candidate has */
	struct line line;
	struct tally tally;
};

static bool
write_candidate(void *context, const struct configuration *c, int rule)
{
	struct writer *w = context;
	struct configuration r = *c;

	tally_count(&w->tally, rule);
	if (rule >= 0 && !w->rejected)
		return true;
	r.given = w->given | c->given;
	configuration_give_kind(&r);
	if (rule >= 0) {
		GIVE(configuration, &r, reject, (char *)rule_name(rule));
		rule_broken(rule, w->space, c, &r.why);
		GIVE(configuration, &r, why, r.why);
	}
	line_print(&w->line, "candidate", &configuration_fields, &r);
	free(r.why);
	if (w->line.length > FLUSH_AT)
		line_flush(&w->line, stdout);
	return !ferror(stdout);
}

int
main(int argc, char *argv[])
{
	struct space space = { 0 };
	struct writer w = { .space = &space };
	struct configuration degrees = { 0 };
	struct inputs in;
	struct record r;
	const char *cluster = NULL;
	const struct option_row options[] = {
		SPACE_OPTIONS(&space),
		{ "rejected", NULL, "also print the configurations that a rule forbids, with the rule",
			.flag = &w.rejected },
		{ "cluster", "NAME or FILE", "cluster record; the size of its nodes limits tensor parallelism",
			.text = &cluster },
		{ 0 }
	};
	char **operands = options_take(argc, argv, usage, options);

	space_options_check(&space);
	inputs_open(&in, operands, RECORDS(RECORD_CANDIDATE), cluster);
	while (inputs_next(&in, &r, &w.line)) {
		if (r.kind == RECORD_CANDIDATE)
			space_take(&space, &r.candidate);
		line_text(&w.line, r.text);
		record_free(&r);
	}
	space_begin(&space, inputs_network(&in), in.have_cluster ? &in.cluster.cluster : NULL);
	if (cluster != NULL)
		inputs_tell(&in, &w.line);
	configuration_give_degrees(&degrees);
	w.given = degrees.given;
	tally_begin(&w.tally, option_verbose || isatty(STDERR_FILENO));
	space_enumerate(&space, write_candidate, &w);
	line_flush(&w.line, stdout);
	tally_say(&w.tally);
	line_free(&w.line);
	space_free(&space);
	inputs_close(&in);
	stdout_close();
	return w.tally.legal > 0 ? STATUS_ANSWERED : STATUS_NO_ANSWER;
}
