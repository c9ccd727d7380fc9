/*
 * Fuzz certificates that follow the records of an answer in one file. They must prove nothing false: if the plan is
 * correct, no proved bound exceeds its step, and no certificate proves that no plan fits.
 */
#include "fuzz.h"
#include "lib/base/alloc.h"
#include "sapp-check/plan.h"
#include "sapp-check/proof.h"
#include "stream.h"

enum { STAGES = 8, MICRO = 16, LAYERS = 24 };

static struct reader in;

/* Return whether the records are small enough for a quick check. */
static bool
is_small(const struct records *all)
{
	int layers = 0;
	bool small = true;

	for (size_t i = 0; i < all->n; i++) {
		const struct record *r = &all->at[i];

		layers += r->kind == RECORD_LAYER && r->layer.nb_layer < LAYERS ? r->layer.nb_layer : 0;
		small &= r->kind != RECORD_LAYER || (r->layer.nb_layer < LAYERS && layers < LAYERS);
		small &= r->kind != RECORD_PIPELINE ||
		    (r->pipeline.stages <= STAGES && r->pipeline.micro_batches <= MICRO);
	}
	return small;
}

static void
check(const struct records *all, char *text)
{
	struct certificate c;
	struct certificate_record first;
	struct check_question q;
	struct proof p;
	bool right, fits;

	certificate_open(&c, text, strlen(text), "fuzz");
	certificate_next(&c, &first);
	if (first.kind != CERTIFICATE_PROOF)
		return;
	question_open(&q, all, first.claim.plan, GIVEN(claim, &first.claim, bound) ? &first.claim.bound : NULL,
	    first.place);
	fits = !GIVEN(plan, q.plan, status) || q.plan->status != PLAN_INFEASIBLE;
	right = plan_wrong(&q) == NULL && fits;
	p = proof_check(&c, &q);
	if (right && q.bound >= 0 && p.proved > q.plan->step_time * (1 + 1e-9))
		abort();
	if (right && q.bound < 0 && p.closed)
		abort();
	certificate_close(&c);
	certificate_record_free(&first);
	check_question_free(&q);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	recompute_forget();
	if (FUZZ_BEGIN()) {
		struct records all = { .source = "fuzz" };
		struct record rec;
		char *text = xcalloc(size + 1, 1), *proof;

		memcpy(text, data, size);
		proof = strstr(text, "{\"kind\":\"proof\"");
		if (proof != NULL && proof > text) {
			in = stream_open(data, (size_t)(proof - text));
			while (reader_next(&in, &rec))
				records_add(&all, &rec);
			reader_close(&in);
			in.file = NULL;
			if (is_small(&all))
				check(&all, xstrdup(proof));
		}
		records_free(&all);
		free(text);
	}
	stream_abandon(&in);
	fuzz_end();
	return 0;
}
