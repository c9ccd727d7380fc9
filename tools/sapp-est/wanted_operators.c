#include "wanted_operators.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "lib/cost/operator_list.h"
#include "lib/record/record.h"

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool
alike(const struct device_operator *a, const struct device_operator *b)
{
	struct operator_key x = operator_key_of(a), y = operator_key_of(b);

	return memcmp(&x, &y, sizeof x) == 0 && same_text(a->of, b->of) && a->phase == b->phase &&
	    a->bytes == b->bytes;
}

static struct wanted_operator *
wanted_of(struct wanted_operators *q, const struct device_operator *of)
{
	for (int i = 0; i < q->n; i++)
		if (alike(&q->at[i].of, of))
			return &q->at[i];
	*APPEND(q->at, q->n) = (struct wanted_operator){ .of = *of };
	return &q->at[q->n - 1];
}

/* Warn about layers of a new network that no list of operators includes: their times stay computed. */
static void
warn_lacking(struct wanted_operators *q, const struct architecture *n, const int count[CLASSES_MOST])
{
	if (q->net == n)
		return;
	q->net = n;
	for (int i = 0; i < n->classes.n; i++) {
		const char *why = count[i] > 0 ? operator_list_lacks(architecture_class(n, i)) : NULL;

		if (why != NULL)
			warnx("%d layers cannot be measured by operators: no list of operators has %s", count[i], why);
	}
}

void
wanted_operators_take(struct wanted_operators *q, struct estimator *e, const struct configuration *c,
    const struct estimating *how, const struct architecture *n, const struct cluster *l)
{
	struct appraisal a = estimate_fully(e, c);
	const double *part = a.part;
	double each = (double)c->micro_batches / c->pp;
	double layers = part[STEP_FORWARD] + part[STEP_BACKWARD] + part[STEP_TP] + part[STEP_CP] + part[STEP_EP] +
	    part[STEP_HEAD];
	struct operator_gap *gap = NULL;
	size_t gaps = 0;
	int count[CLASSES_MOST];

	architecture_counts(n, count);
	warn_lacking(q, n, count);
	operators_missing(&how->measured.operators, n, l, &a.costs->of, how->imbalance, &gap, &gaps);
	for (size_t i = 0; i < gaps; i++) {
		double time = each * gap[i].time * (gap[i].class >= 0 ? count[gap[i].class] : 1);
		struct wanted_operator *of = wanted_of(q, &gap[i].question);
		double share = time / a.brief.step_time;

		of->share = fmax(of->share, share);
		of->worth += share * gap[i].error * share * gap[i].error;
		*APPEND(q->open, q->nopen) = (struct open_share){ q->candidates, (int)(of - q->at), time / layers };
		of->candidates += of->last != q->candidates + 1;
		of->last = q->candidates + 1;
	}
	free(gap);
	q->candidates++;
}

struct ranked_operator {
	int question;
	double worth;
};
ORDER_BY(by_worth, struct ranked_operator, -it->worth, it->question)

int
wanted_operators_write(struct wanted_operators *q, double until, const char *device, FILE *out)
{
	struct ranked_operator *order = xcalloc((size_t)q->n + 1, sizeof *order);
	double *left = xcalloc((size_t)q->candidates + 1, sizeof *left), most;
	int written = 0;

	for (int i = 0; i < q->n; i++)
		order[i] = (struct ranked_operator){ i, q->at[i].worth };
	SORT(order, q->n, by_worth);
	for (int i = 0; i < q->nopen; i++)
		left[q->open[i].candidate] += q->open[i].share;
	for (int i = 0; i < q->n; i++) {
		struct wanted_operator *of = &q->at[order[i].question];

		most = 0;
		for (int k = 0; k < q->candidates; k++)
			most = fmax(most, left[k]);
		if (most <= until)
			break;
		GIVE(device_operator, &of->of, device, (char *)device);
		GIVE(device_operator, &of->of, share, of->share);
		GIVE(device_operator, &of->of, candidates, of->candidates);
		GIVE(device_operator, &of->of, worth, of->worth);
		record_put(out, RECORD_OPERATOR, &of->of);
		written++;
		for (int k = 0; k < q->nopen; k++)
			if (q->open[k].question == order[i].question)
				left[q->open[k].candidate] -= q->open[k].share;
	}
	free(left);
	free(order);
	return written;
}

void
wanted_operators_free(struct wanted_operators *q)
{
	free(q->at);
	free(q->open);
}
