#include "table.h"

#include <stdlib.h>

#include "lib/estimate/ranking.h"
#include "lib/record/line.h"
#include "lib/record/record.h"

void
table_records(FILE *out, const struct kept_candidate *const *k, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (k[i]->candidate != NULL)
			fprintf(out, "%s\n", k[i]->candidate);
		fprintf(out, "%s\n", k[i]->estimate);
	}
}

struct prediction
table_parse(const struct kept_candidate *k)
{
	struct prediction p = { 0 };

	if (!line_scan(k->estimate, "estimate", &prediction_fields, &p)) {
		json_t *object = json_loads(k->estimate, 0, NULL);

		fields_get(&prediction_fields, &p, object, (struct place){ 0 });
		json_decref(object);
	}
	return p;
}

void
table_csv(FILE *out, const struct kept_candidate *const *k, size_t n)
{
	fputs("test,micro,dp,tp,pp,ep,vp,op/fsdp,cp,etp,zero,mbs,sp,schedule,recompute,evaluate_mem,cost,lower_bound,"
	    "tokens_per_second,mfu,fits,alike\n", out);
	for (size_t i = 0; i < n; i++) {
		struct prediction p = table_parse(k[i]);
		const struct configuration *c = &p.of;

		fprintf(out, "%s,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%s,%s,%s,%.15g,%.15g,%.15g,%.15g,%.15g,%s,%d\n",
		    c->name, c->micro_batches, c->dp, c->tp, c->pp, c->ep, c->vp, c->shard, c->cp, c->etp, c->zero,
		    c->mbs, c->sp ? "true" : "false", order_names[c->schedule], recomputation_names[c->recompute],
		    prediction_peak(&p), p.step_time, p.lower_bound, p.tokens_per_second, p.mfu,
		    p.fits ? "true" : "false", p.alike.n);
		fields_free(&prediction_fields, &p);
	}
}

void
table_report(FILE *out, const struct kept_candidate *const *k, size_t n)
{
	size_t from[3] = { 0 };	/* number of layers by enum figure_source */

	fprintf(out, "%4s %5s %4s %4s %4s %5s %6s %4s %4s %6s %-8s %12s %23s %9s %6s\n", "", "dp", "tp", "cp", "pp",
	    "ep",
	    "shard", "vp",
	    "mbs", "micro", "again", "step ms", "9 of 10 within", "MB", "mfu");
	for (size_t i = 0; i < n; i++) {
		struct prediction p = table_parse(k[i]);
		const struct configuration *c = &p.of;
		char *alike = ranking_words(&p);

		fprintf(out, "%4zu %5d %4d %4d %4d %5d %6d %4d %4d %6d %-8s %12.1f ", i + 1, c->dp, c->tp, c->cp,
		    c->pp, c->ep, c->shard, c->vp, c->mbs, c->micro_batches, recomputation_names[c->recompute],
		    p.step_time);
		if (GIVEN(prediction, &p, low) && GIVEN(prediction, &p, high))
			fprintf(out, "%10.1f .. %9.1f", p.low, p.high);
		else
			fprintf(out, "%23s", "-");
		fprintf(out, " %9.0f %6.3f%s%s\n", prediction_peak(&p), p.mfu, p.fits ? "" : "  does not fit", alike);
		from[p.source.layers]++;
		free(alike);
		fields_free(&prediction_fields, &p);
	}
	if (from[FIGURE_COMPUTED] == n)
		fputs("estimates without measurements: run the first few before you rely on their order\n", out);
	else
		fprintf(out, "estimates; times of layers: %zu measured, %zu fitted, %zu computed: run the first few "
		    "before you rely on their order\n", from[FIGURE_MEASURED], from[FIGURE_FITTED],
		    from[FIGURE_COMPUTED]);
}
