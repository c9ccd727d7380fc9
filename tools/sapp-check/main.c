/*
 * sapp-check: check in exact arithmetic, from records alone, whether a certificate proves the lower bound of an answer.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/cost.h"
#include "lib/base/decimal.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/slurp.h"
#include "lib/base/status.h"
#include "plan.h"
#include "proof.h"

enum { BYTES_MAX = 1 << 30 };

static const char usage[] =
"usage: sapp-check [-hVv] CERTIFICATE [FILE ...]\n"
"example: sapp-check plan.proof plan.jsonl\n";

/* Allocate memory for GMP, which would end the program with its own message if memory ran out. */
static void *
take(size_t size)
{
	return xreallocarray(NULL, 1, size);
}

static void *
retake(void *at, size_t before, size_t size)
{
	(void)before;
	return xreallocarray(at, 1, size);
}

static void
give(void *at, size_t size)
{
	(void)size;
	free(at);
}

/* Print which part of an answer's bound is proved. Return true if the whole bound is. */
static bool
say(const struct check_question *q, const struct proof *p)
{
	const char *name = q->plan->name;
	bool fits = q->plan->status != PLAN_INFEASIBLE, all;
	char *proved, *left;

	if (!fits || q->bound < 0) {
		all = p->closed && q->bound < 0;
		printf(all ? "%s: proved: no plan of this question fits into memory\n" :
		    "%s: not proved: that no plan of this question fits into memory\n", name);
		return all;
	}
	proved = decimal_down(p->proved);
	left = decimal_up(q->plan->lower_bound - p->proved);
	all = p->proved >= q->plan->lower_bound;
	if (p->proved > 0)
		printf("%s: proved: no plan of this question takes less than %s ms\n", name, proved);
	if (!all)
		printf("%s: unproved part: %s ms of the bound, %.12g ms\n", name, left, q->plan->lower_bound);
	printf(q->unsimulated ? "%s: the plan takes %.12g ms by its own record\n" : "%s: the plan takes %.12g ms\n",
	    name,
	    q->plan->step_time);
	free(proved);
	free(left);
	return all;
}

int
main(int argc, char *argv[])
{
	static const struct option_row options[] = { { 0 } };
	char **operands = options_take(argc, argv, usage, options), *wrong;
	struct certificate certificate;
	struct certificate_record first;
	struct records all;
	struct check_question question;
	struct proof proof;
	char *digest, *text;
	size_t length;
	bool proved;

	if (operands[0] == NULL)
		option_usage("missing operand: a certificate");
	if (strcmp(operands[0], "-") == 0 && operands[1] == NULL)
		option_usage("the certificate and the records cannot both be standard input");
	mp_set_memory_functions(take, retake, give);
	text = slurp(operands[0], BYTES_MAX, &length);
	certificate_open(&certificate, text, length, slurp_name(operands[0]));
	certificate_next(&certificate, &first);
	if (first.kind != CERTIFICATE_PROOF)
		place_die(first.place, "a certificate begins with its proof record");
	records_read(&all, operands + 1, RECORDS(RECORD_LAYER) | RECORDS(RECORD_MODEL) | RECORDS(RECORD_KIND) |
	    RECORDS(RECORD_PIPELINE) | RECORDS(RECORD_PLAN));
	question_open(&question, &all, first.claim.plan,
	    GIVEN(claim, &first.claim, bound) ? &first.claim.bound : NULL, first.place);
	digest = xasprintf("%016llx", (unsigned long long)records_question(&all, question.asked));
	if (strcmp(digest, first.claim.question) != 0)
		place_die(first.place, "proof: question: the records have the question '%s', not '%s'", digest,
		    first.claim.question);
	wrong = plan_wrong(&question);
	if (wrong != NULL)
		place_die(first.place, "the plan '%s' is not what its record says: %s", first.claim.plan, wrong);
	proof = proof_check(&certificate, &question);
	certificate_close(&certificate);
	proved = say(&question, &proof);
	if (option_verbose)
		printf("%ld bounds, %ld branches\n", proof.bounds, proof.branches);
	certificate_record_free(&first);
	free(digest);
	check_question_free(&question);
	records_free(&all);
	stdout_close();
	if (option_verbose)
		cost_say();
	return proved ? STATUS_ANSWERED : STATUS_NO_ANSWER;
}
