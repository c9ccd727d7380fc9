/* sapp-fit: fit coefficients of operators to a few short runs, with their uncertainty. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/cost.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/sorted.h"
#include "lib/base/status.h"
#include "fit.h"
#include "knots.h"
#include "sample.h"

static const char usage[] =
"usage: sapp-fit [-hVv] [-coverage] [-db file] [-H] [file ...]\n"
"example: sapp-trace -kernels profile/ | sapp-fit -H\n";

struct use {			/* the kernels of one type in one run */
	const char *type;
	double time;		/* ms per step, sum over all profiled stages */
	int calls;
};
ORDER_BY(by_time, struct use, -it->time)

/* Print the kernels by their fraction of the total time. */
static void
print_shares(const struct observed_run *r)
{
	struct use *use = NULL;
	size_t n = 0, m;
	double all = 0;

	for (size_t i = 0; i < r->nkernels; i++) {
		const struct observed_kernel *k = &r->kernel[i].kernel;

		for (m = 0; m < n && strcmp(use[m].type, k->type) != 0; m++)
			;
		if (m == n)
			*APPEND(use, n) = (struct use){ k->type, 0, 0 };
		use[m].time += k->time * k->calls;
		use[m].calls += k->calls;
		all += k->time * k->calls;
	}
	SORT(use, n, by_time);
	printf("%s: %.6g ms of kernels in a step of all profiled stages\n%7s %10s %8s  %s\n", r->run.run.of.name, all,
	    "share", "ms", "calls", "type");
	for (size_t i = 0; i < n; i++)
		printf("%6.2f%% %10.3f %8d  %.100s\n", all > 0 ? 100 * use[i].time / all : 0, use[i].time, use[i].calls,
		    use[i].type);
	free(use);
}

/* Warn if stages have no profile, and if shapes are missing. */
static void
say_missing(const struct observed_run *r)
{
	bool shapes = false;

	for (int stage = 0; stage < r->run.run.of.pp && r->nkernels > 0; stage++) {
		bool any = false;

		for (size_t i = 0; i < r->nkernels; i++)
			any |= r->kernel[i].kernel.stage == stage;
		if (!any)
			place_warn(r->run.place, "run '%s': no profile of stage %d of %d", r->run.run.of.name, stage,
			    r->run.run.of.pp);
	}
	for (size_t i = 0; i < r->nkernels && !shapes; i++)
		shapes = r->kernel[i].kernel.input != NULL;
	if (!shapes)
		place_warn(r->run.place, "run '%s': %s, so no dimensions are fitted", r->run.run.of.name,
		    r->nkernels > 0 ? "kernels without shapes" : "no kernels");
}

int
main(int argc, char *argv[])
{
	bool coverage = false;
	const char *path = NULL;
	struct fit_sample s;
	struct known known;
	const struct option_row options[] = {
		{ "coverage", NULL, "print the share of each candidate that was measured or can be fitted",
		    .flag = &coverage },
		{ "db", "file", "file of kernel times: add those of the input, and use the others as measured",
		    .text = &path },
		{ 0 }
	};
	char **operands = options_take(argc, argv, usage, options);

	sample_read(&s, operands, option_report() ? NULL : stdout);
	if (s.n == 0 && s.ncommunications == 0)
		place_die((struct place){ .source = operands[0] != NULL ? operands[0] : "<stdin>" },
		    "no run or communication record in the input; sapp-trace -kernels writes them");
	for (size_t i = 0; i < s.n; i++)
		say_missing(&s.at[i]);
	for (size_t i = 0; i < s.n && option_report(); i++)
		print_shares(&s.at[i]);
	known = fit_known_read(&s, path);
	if (!option_report()) {
		struct coverages c = { .known = &known, .n = coverage ? s.ncandidates : 0, .at = s.candidate,
			.sum = xcalloc(s.ncandidates + 1, sizeof *c.sum) };

		fit_write(stdout, &s, &c);
		knots_write(stdout, &s);
		coverage_write(stdout, &c);
		free(c.sum);
	}
	if (option_verbose)
		cost_say();
	known_free(&known);
	sample_free(&s);
	stdout_close();
	return STATUS_ANSWERED;
}
