#include "prices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"
#include "lib/base/sorted.h"

enum { PRICES = 5, MICRO_TRIED = 5 };
static const double longer = 1.02;	/* minimum ratio to the usual time for a cause */
static const double slow = 2;		/* minimum ratio to the usual time at which links are reported without -why */
static const double least = 5e-4;	/* minimum fraction of the step of a reported price */

struct price_list {
	const struct simulation *sim;
	struct simulation less;
	double step;		/* ms, with the time outside of the pipeline */
	struct array all;
};

static size_t
piece(const struct load *l, int chunk, int stage)
{
	return (size_t)chunk * (size_t)l->stages + (size_t)stage;
}

/* Copy a load. Its times are copied so that they can be changed; other lists are shared. */
static struct load
changeable(const struct load *from)
{
	struct load l = *from;

	l.forward = table_copy(from->forward);
	l.backward = table_copy(from->backward);
	l.weight = table_copy(from->weight);
	for (int i = 0; i < 2; i++)
		l.factor[i] = from->factor[i].at != NULL ? table_copy(from->factor[i]) : from->factor[i];
	l.edge = list_copy(from->edge);
	for (int i = 0; i < 2; i++)
		l.send[i] = list_copy(from->send[i]);
	return l;
}

static void
let_go(struct load *l)
{
	free(l->forward.at);
	free(l->backward.at);
	free(l->weight.at);
	free(l->factor[0].at);
	free(l->factor[1].at);
	free(l->edge.at);
	free(l->send[0].at);
	free(l->send[1].at);
}

/*
 * Add a price: the time by which the step is shorter under the load WITHOUT the cause. STAGE, MICRO: -1 for all. Takes
 * ownership of TEXT.
 */
static void
price(struct price_list *p, struct load *without, enum price_cause cause, int stage, int micro, char *text)
{
	struct price *x;
	double time;

	simulation_run(&p->less, p->sim->schedule, without);
	time = p->step - simulation_whole(&p->less);
	if (time < least * p->step) {
		free(text);
		return;
	}
	x = array_add(&price_fields, &p->all);
	x->cause = (int)cause;
	if (stage >= 0)
		GIVE(price, x, stage, stage);
	if (micro >= 0)
		GIVE(price, x, micro, micro);
	x->time = time;
	x->text = text;
}

/* Return the median; of an even number of values, the lower middle value. */
static double
usual(const double *x, int n)
{
	double *copy = xcalloc((size_t)n, sizeof *copy), middle;

	memcpy(copy, x, (size_t)n * sizeof *copy);
	numbers_sort(copy, (size_t)n);
	middle = copy[(n - 1) / 2];
	free(copy);
	return middle;
}

/* Return the factors of a piece's forwards (0) or backwards (1), by unit; NULL: all are 1. */
static double *
factors(const struct load *l, int backward, int chunk, int stage)
{
	const struct table *t = &l->factor[backward];

	if (t->at == NULL)
		return NULL;
	return t->at + (t->chunks > 1 ? piece(l, chunk, stage) : 0) * (size_t)t->stages;
}

static double
mean_factor(const struct load *l, int backward, int chunk, int stage)
{
	const double *f = factors(l, backward, chunk, stage);
	double sum = 0;
	int n = l->factor[backward].stages;

	for (int u = 0; f != NULL && u < n; u++)
		sum += f[u] / n;
	return f != NULL ? sum : 1;
}

/* Return the ms of a mean micro-batch on a stage. */
static double
work(const struct load *l, int stage)
{
	double sum = 0;

	for (int v = 0; v < l->chunks; v++)
		sum += l->forward.at[piece(l, v, stage)] * mean_factor(l, 0, v, stage) +
		    l->backward.at[piece(l, v, stage)] * mean_factor(l, 1, v, stage);
	return sum;
}

static void
slow_stages(struct price_list *p)
{
	const struct load *l = p->sim->load;
	double *each = xcalloc((size_t)l->stages, sizeof *each), middle;

	for (int s = 0; s < l->stages; s++)
		each[s] = work(l, s);
	middle = usual(each, l->stages);
	for (int s = 0; s < l->stages; s++) {
		struct load without;

		if (each[s] <= longer * middle)
			continue;
		without = changeable(l);
		for (int v = 0; v < l->chunks; v++) {
			without.forward.at[piece(l, v, s)] *= middle / each[s];
			without.backward.at[piece(l, v, s)] *= middle / each[s];
			without.weight.at[piece(l, v, s)] *= middle / each[s];
		}
		price(p, &without, PRICE_STAGE, s, -1, xasprintf("stage %d takes %.4g ms per micro-batch, the median "
		    "%.4g", s, each[s], middle));
		let_go(&without);
	}
	free(each);
}

/* Add prices of stages whose operations take longer than the median of their piece. */
static void
uneven_stages(struct price_list *p)
{
	const struct load *l = p->sim->load;

	for (int s = 0; s < l->stages; s++) {
		struct load without = changeable(l);
		double most = 1;

		for (int i = 0; i < 2; i++)
			for (int v = 0; v < l->chunks && without.factor[i].chunks > 1; v++) {
				double *f = factors(&without, i, v, s), middle = usual(f, without.factor[i].stages);

				for (int u = 0; u < without.factor[i].stages; u++) {
					most = middle > 0 ? fmax(most, f[u] / middle) : most;
					f[u] = fmin(f[u], middle);
				}
			}
		if (most > longer)
			price(p, &without, PRICE_UNEVEN, s, -1, xasprintf("operations of stage %d take up to %.3g "
			    "times their median", s, most));
		let_go(&without);
	}
}

/* Set boundary S to the usual value. A list with one value for all boundaries stays unchanged. */
static void
level_link(struct list *l, int s, int boundaries)
{
	if (l->n >= boundaries)
		l->at[s] = usual(l->at, boundaries);
}

/* Add prices of links slower than TIMES the usual time, with the delay of their senders. */
static void
slow_links(struct price_list *p, double times)
{
	const struct load *l = p->sim->load;
	int n = l->stages - 1;
	double each[l->stages], middle;

	for (int s = 0; s < n; s++)
		each[s] = load_delay(l, s, s + 1) + fmax(load_send_delay(l, s, s + 1, PHASE_F),
		    load_send_delay(l, s + 1, s, PHASE_B));
	middle = n < 2 ? 0 : usual(each, n);
	for (int s = 0; s < n && n >= 2; s++) {
		struct load without;

		if (each[s] <= times * middle)
			continue;
		without = changeable(l);
		level_link(&without.edge, s, n);
		level_link(&without.send[0], s, n);
		level_link(&without.send[1], s, n);
		price(p, &without, PRICE_LINK, s, -1, xasprintf("a transfer between stages %d and %d takes %.4g ms, "
		    "the median %.4g", s, s + 1, each[s], middle));
		let_go(&without);
	}
}

static void
transfers(struct price_list *p)
{
	struct load without = load_undelayed(p->sim->load);

	without.transfers = TRANSFERS_HIDDEN;
	if (load_delayed(p->sim->load))
		price(p, &without, PRICE_TRANSFERS, -1, -1, xstrdup("transfers between stages take time"));
}

/* Return the ms of a unit on all stages; -1: mean over units. */
static double
unit_work(const struct load *l, int unit)
{
	double sum = 0;

	for (int s = 0; s < l->stages; s++)
		for (int v = 0; v < l->chunks; v++)
			for (int i = 0; i < 2; i++) {
				const double *f = factors(l, i, v, s);

				sum += (i == 0 ? l->forward : l->backward).at[piece(l, v, s)] *
				    (f == NULL ? 1 : unit < 0 ? mean_factor(l, i, v, s) : f[unit]);
			}
	return sum;
}

/* Set the factors of the units [FROM, TO) to their means. */
static void
level(struct load *l, int from, int to)
{
	for (int i = 0; i < 2; i++)
		for (int k = 0; l->factor[i].at != NULL && k < l->factor[i].chunks; k++) {
			double *f = l->factor[i].at + (size_t)k * (size_t)l->factor[i].stages, mean = 0;

			for (int u = 0; u < l->factor[i].stages; u++)
				mean += f[u] / l->factor[i].stages;
			for (int u = from; u < to && u < l->factor[i].stages; u++)
				f[u] = mean;
		}
}

/* Add prices of the slowest micro-batches, each alone, and of all together. */
static void
micro_batches(struct price_list *p)
{
	const struct load *l = p->sim->load;
	int n = l->factor[0].stages > l->factor[1].stages ? l->factor[0].stages : l->factor[1].stages;
	int splits = p->sim->schedule->shape.splits > 1 ? p->sim->schedule->shape.splits : 1, micro = n / splits;
	double mean = unit_work(l, -1), *each;
	struct load without;

	if (n < 2)
		return;
	each = xcalloc((size_t)micro, sizeof *each);
	for (int m = 0; m < micro; m++)
		for (int q = 0; q < splits; q++)
			each[m] += unit_work(l, m * splits + q) / splits;
	for (int i = 0; i < MICRO_TRIED; i++) {
		int most = 0;

		for (int m = 1; m < micro; m++)
			most = each[m] > each[most] ? m : most;
		if (each[most] <= longer * mean)
			break;
		without = changeable(l);
		level(&without, most * splits, (most + 1) * splits);
		price(p, &without, PRICE_MICRO_BATCH, -1, most, xasprintf("micro-batch %d takes %.3g times as long as "
		    "the mean", most, each[most] / mean));
		let_go(&without);
		each[most] = 0;
	}
	without = changeable(l);
	level(&without, 0, n);
	price(p, &without, PRICE_MICRO_BATCHES, -1, -1, xstrdup("micro-batches differ"));
	let_go(&without);
	free(each);
}

static void
recomputation(struct price_list *p)
{
	const struct load *l = p->sim->load;

	for (int s = -1; s < l->stages; s++) {
		struct load without = changeable(l);
		double sum = 0;

		for (int v = 0; v < l->chunks; v++)
			for (int at = s < 0 ? 0 : s; at < (s < 0 ? l->stages : s + 1); at++) {
				size_t i = piece(l, v, at);

				sum += l->backward.at[i] - l->plain.at[i];
				without.backward.at[i] = l->plain.at[i];
				without.weight.at[i] = fmin(l->weight.at[i], l->plain.at[i]);
			}
		if (sum > 0)
			price(p, &without, PRICE_RECOMPUTE, s, -1, s < 0 ? xstrdup("recomputation") :
			    xasprintf("recomputation on stage %d, %.4g ms per micro-batch", s, sum));
		let_go(&without);
	}
}

static void
set_mean(struct load *l, bool stages)
{
	struct table *t[] = { &l->forward, &l->backward, &l->weight };
	int lines = stages ? l->chunks : l->stages, n = stages ? l->stages : l->chunks;

	for (int k = 0; k < 3; k++)
		for (int i = 0; i < lines; i++) {
			double mean = 0;

			for (int j = 0; j < n; j++)
				mean += t[k]->at[stages ? piece(l, i, j) : piece(l, j, i)] / n;
			for (int j = 0; j < n; j++)
				t[k]->at[stages ? piece(l, i, j) : piece(l, j, i)] = mean;
		}
}

/* Add prices of the inequality of stages, and of the chunks of a stage, at equal total work. */
static void
imbalance(struct price_list *p)
{
	struct load without = changeable(p->sim->load);

	set_mean(&without, true);
	price(p, &without, PRICE_STAGES, -1, -1, xstrdup("stages differ: with the same work on each"));
	let_go(&without);
	if (p->sim->load->chunks < 2)
		return;
	without = changeable(p->sim->load);
	set_mean(&without, false);
	price(p, &without, PRICE_CHUNKS, -1, -1, xstrdup("chunks differ: with the same work in those of a stage"));
	let_go(&without);
}

static void
outside(struct price_list *p)
{
	struct load without = *p->sim->load;

	without.overhead = without.early = (struct list){ 0 };
	if (p->sim->load->overhead.n > 0)
		price(p, &without, PRICE_OUTSIDE, -1, -1, xstrdup("time outside the pipeline"));
}

ORDER_BY(price_compare, struct price, -it->time, it->cause, it->stage)

struct array
prices_of(const struct simulation *sim)
{
	struct price_list p = { .sim = sim, .step = simulation_whole(sim) };
	struct price *at;

	slow_stages(&p);
	uneven_stages(&p);
	slow_links(&p, longer);
	transfers(&p);
	micro_batches(&p);
	recomputation(&p);
	imbalance(&p);
	outside(&p);
	simulation_free(&p.less);
	at = p.all.at;
	SORT(at, p.all.n, price_compare);
	while (p.all.n > PRICES)
		fields_free(&price_fields, &at[--p.all.n]);
	return p.all;
}

struct array
prices_of_links(const struct simulation *sim)
{
	struct price_list p = { .sim = sim, .step = simulation_whole(sim) };

	slow_links(&p, slow);
	simulation_free(&p.less);
	return p.all;
}

void
prices_report_links(FILE *out, const struct array *prices, double step)
{
	const struct price *at = prices->at;

	for (int i = 0; i < prices->n; i++)
		fprintf(out, "a slow link: %s: %.2f ms of the step, %.1f %%\n", at[i].text, at[i].time,
		    100 * at[i].time / step);
}

void
prices_report(FILE *out, const struct array *prices, double step)
{
	const struct price *at = prices->at;

	if (prices->n == 0)
		fprintf(out, "no single cause makes the step longer by %g %% or more\n", 100 * least);
	else
		fprintf(out, "%-62s %20s\n", "why", "shorter without, ms");
	for (int i = 0; i < prices->n; i++)
		fprintf(out, "%-62s %12.2f %6.1f%%\n", at[i].text, at[i].time, 100 * at[i].time / step);
}
