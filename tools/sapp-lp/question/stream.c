#include "stream.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/numbers.h"
#include "lib/base/option.h"
#include "lib/base/sorted.h"
#include "lib/cost/bound.h"
#include "lib/model/offload.h"
#include "lib/target/holding.h"
#include "sapp-lp/planner/answer.h"
#include "sapp-lp/planner/end_to_end.h"
#include "sapp-lp/planner/known.h"

static bool
options_ask(const struct options *o)
{
	return o->stages > 0 || o->micro > 0 || o->memory.n > 0 || o->interleave.stages > 0 || o->schedules != NULL ||
	    o->order != NULL || o->model != NULL;
}

/* Return whether a line is a plan record, which passes through unchanged. */
static bool
is_plan(const char *text)
{
	const char *kind = strstr(text, "\"kind\"");

	if (kind == NULL)
		return false;
	kind += strlen("\"kind\"");
	kind += strspn(kind, " \t:");
	return strncmp(kind, "\"plan\"", 6) == 0;
}

/* Return whether a plan record follows record I before the next question. */
static bool
is_answered(const struct records *all, size_t i)
{
	for (i++; i < all->n; i++) {
		if (all->at[i].kind == RECORD_OTHER && is_plan(all->at[i].text))
			return true;
		if (all->at[i].kind == RECORD_MODEL || all->at[i].kind == RECORD_LAYER ||
		    all->at[i].kind == RECORD_PIPELINE)
			return false;
	}
	return false;
}

/* Return the work of forward and backward of the layers of a network, for bound_of(). */
static struct bound_work
work_of(const struct network *net)
{
	struct bound_work w = { .least = INFINITY, .embedding = net->head.forward + net->head.backward,
		.head = net->tail.forward + net->tail.backward };

	for (int b = 0; b < net->nbodies; b++) {
		double each = net->body[b].forward + body_least_backward(&net->body[b]);

		w.all += net->body[b].layers * each;
		w.most = fmax(w.most, each);
		w.least = fmin(w.least, each);
		w.first = b == 0 ? each : w.first;
		w.last = each;
	}
	w.all += w.embedding + w.head;
	w.ends_alone = net->alone;
	if (w.ends_alone)
		w.first = w.last = 0;
	return w;
}

/* Return the least pace of any stage. */
static double
fastest(const struct pipeline *q)
{
	struct devices d = pipeline_devices(q);
	double pace = devices_pace(&d, 0);

	for (int s = 1; s < q->stages; s++)
		pace = fmin(pace, devices_pace(&d, s));
	return pace;
}

/* Return a lower bound, ms, on every plan of the question. */
static double
promise(const struct network *net, const struct pipeline *q)
{
	struct configuration c = { .pp = q->stages, .vp = q->interleave, .micro_batches = q->micro_batches };
	struct bound_work w = work_of(net);
	double outside = end_to_end_overhead(net->model, q->stages);
	struct devices devices = pipeline_devices(q);

	/* This bound assumes at least one layer in every piece. */
	if (net->empty)
		return outside + devices_overlap(&devices) * fastest(q) * q->micro_batches * w.all / q->stages / 2;
	for (int order = ORDER_1F1B; order < ORDER_KINDS; order++)
		if ((int)order_schedules[order] == q->schedule)
			c.schedule = order;
	/* Two copies of the model share the work, or halves of backwards fill idle times. */
	if (c.schedule == ORDER_NONE)
		return outside + devices_overlap(&devices) * q->micro_batches * w.all / q->stages / 2;
	return outside + fastest(q) * (q->seq_split > 1 ? q->micro_batches * w.all / q->stages : bound_of(&c, &w));
}

static struct options
options_of(const struct options *o, const struct pipeline *q)
{
	struct options own = *o;

	own.stages = q->stages;
	own.micro = q->micro_batches;
	own.splits = q->seq_split;
	own.offload = q->offload;
	own.group = q->group;
	own.memory = q->memory_limit;
	own.devices = pipeline_devices(q);
	own.transfers = q->transfers;
	own.order = q->order;
	if (GIVEN(pipeline, q, spread))
		own.spread = q->spread;
	if (GIVEN(pipeline, q, mixes)) {
		own.mixes = q->mixes;
		own.listed = own.mixes != MIXES_ALL;
		own.uniform = own.mixes == MIXES_UNIFORM;
	}
	return own;
}

static void
add(struct stream *s, const struct options *o, const struct records *all, size_t from, size_t i)
{
	const struct pipeline *q = &all->at[i].pipeline;
	struct stream_question *a;

	a = APPEND(s->at, s->n);
	*a = (struct stream_question){ .own = { .n = i - from, .at = all->at + from, .source = all->source },
	    .behind = i + 1,
		.asked = q, .options = options_of(o, q) };
	a->net = network_from_records(&a->own, NULL);
	holding_bind(o->target, &a->net);
	network_split(&a->net, q->seq_split, a->net.place);
	network_link(&a->net, q->offload, q->speed);
	a->net.empty = q->empty;
	if (a->options.mixes != o->mixes && o->target != TARGET_ANY)
		place_die(all->at[i].place, "pipeline: mixes: not allowed for %s '%s'", target_titles[o->target],
		    mixes_names[q->mixes]);
	if (q->empty && !target_holding(o->target, (enum schedule_kind)q->schedule).empty)
		place_die(all->at[i].place, "pipeline: empty: %s does not run pieces without layers",
		    target_titles[o->target]);
	options_keep_kinds(&a->options, &a->net, &a->own);
	a->promise = promise(&a->net, q);
	a->question = (struct question){ .rank = INFINITY, .pipeline = *q };
	question_check(&a->question, &a->options, &a->net);
	if (target_in(frameworks[o->target].kept, (enum schedule_kind)q->schedule))
		GIVE(pipeline, &a->question.pipeline, fixed_order, true);
}

struct stream
stream_find(const struct options *o, const struct records *all)
{
	struct stream s = { 0 };
	size_t from = 0;
	bool own = false, model = false;

	for (size_t i = 0; i < all->n && !options_ask(o); i++)
		switch (all->at[i].kind) {
		case RECORD_MODEL:
		case RECORD_LAYER:
			/* The last model belongs to the question. Earlier models were only measured. */
			if (!own || (model && all->at[i].kind == RECORD_MODEL))
				from = i;
			own = true;
			model |= all->at[i].kind == RECORD_MODEL;
			break;
		case RECORD_PIPELINE:
			if (own && !is_answered(all, i))
				add(&s, o, all, from, i);
			own = model = false;
			break;
		default:
			break;
		}
	return s;
}

ORDER_BY(by_promise, struct stream_question *const, (*it)->promise, (*it)->behind)

/*
 * Return the step that the next question must beat, ms: the value of -cutoff, and with -k the step of the k-th best
 * plan.
 */
static double
cutoff_now(const struct stream *s, const struct options *o)
{
	double *step = xcalloc((size_t)s->n, sizeof *step), cutoff = o->cutoff > 0 ? o->cutoff : INFINITY;
	int n = 0;

	for (int i = 0; i < s->n; i++)
		if (s->at[i].question.rank < INFINITY)
			step[n++] = s->at[i].question.rank;
	numbers_sort(step, (size_t)n);
	if (o->keep > 0 && n >= o->keep)
		cutoff = fmin(cutoff, step[o->keep - 1]);
	free(step);
	return cutoff;
}

/* Return whether two lines are equal except for A_NAME and B_NAME, in quotes. */
static bool
alike(const char *a, const char *a_name, const char *b, const char *b_name)
{
	size_t m = strlen(a_name), n = strlen(b_name);

	for (;;) {
		bool a_named = a[0] == '"' && strncmp(a + 1, a_name, m) == 0 && a[1 + m] == '"';
		bool b_named = b[0] == '"' && strncmp(b + 1, b_name, n) == 0 && b[1 + n] == '"';

		if (a_named && b_named) {
			a += m + 2;
			b += n + 2;
		} else if (*a != *b) {
			return false;
		} else if (*a == '\0') {
			return true;
		} else {
			a++;
			b++;
		}
	}
}

/*
 * Compare two questions except for their names. Configurations that differ only in degrees without effect lead to equal
 * questions.
 */
static bool
same_question(const struct stream_question *a, const struct stream_question *b)
{
	/* The pipeline record follows the question's own records. */
	size_t m = a->own.n + 1, n = b->own.n + 1;

	if (a->promise != b->promise || a->net.name == NULL || b->net.name == NULL)
		return false;
	for (size_t i = 0, j = 0;; i++, j++) {
		while (i < m && a->own.at[i].kind == RECORD_OTHER)
			i++;
		while (j < n && b->own.at[j].kind == RECORD_OTHER)
			j++;
		if (i == m || j == n)
			return i == m && j == n;
		if (!alike(a->own.at[i].text, a->net.name, b->own.at[j].text, b->net.name))
			return false;
	}
}

static const struct stream_question *
twin_of(const struct stream_question *a, struct stream_question *const *before, int n)
{
	for (int i = 0; i < n; i++)
		if (before[i]->planned && same_question(a, before[i]))
			return before[i];
	return NULL;
}

/* Write the plan under the name of the question's model, which is the name of the candidate. */
static void
write_plan(const struct stream_question *a)
{
	const struct question *q = a->twin != NULL ? &a->twin->question : &a->question;
	struct plan plan = q->plan;

	if (!q->answered)
		return;
	if (a->net.name != NULL)
		plan.name = (char *)a->net.name;
	if (option_report())
		answer_report(stdout, &q->problem, &plan, &q->pipeline);
	else
		record_put(stdout, RECORD_PLAN, &plan);
}

static void
write_all(const struct stream *s, const struct records *all)
{
	size_t i = 0;

	for (int k = 0; k < s->n; k++) {
		for (; i < s->at[k].behind && !option_report(); i++)
			record_write(stdout, &all->at[i]);
		write_plan(&s->at[k]);
	}
	for (; i < all->n && !option_report(); i++)
		record_write(stdout, &all->at[i]);
}

/*
 * Return the share of the remaining time for the first of N questions, which are sorted by promise. A question weighs
 * more, the further its promise is below CUTOFF. Without any answer yet, the first questions get more time than the
 * last.
 */
static double
share_of(struct stream_question *const *at, int n, double cutoff)
{
	double all = 0;

	if (cutoff == INFINITY)
		return fmin(2.0 / (n + 1), 1);
	for (int i = 0; i < n; i++)
		all += fmax(cutoff - at[i]->promise, 0);
	return all > 0 ? fmax(cutoff - at[0]->promise, 0) / all : 1;
}

int
stream_answer(struct stream *s, const struct options *o, const struct records *all)
{
	struct stream_question **order = xcalloc((size_t)s->n, sizeof(struct stream_question *));
	struct records known = known_read(o->known_file), mine;
	double end = clock_now() + o->effort.seconds;
	int planned = 0, given_up = 0, late = 0, failed = 0;
	bool any = false;

	options_one_model(o, s->n);
	options_open(&s->at[0].options);
	for (int i = 0; i < s->n; i++)
		order[i] = &s->at[i];
	SORT(order, s->n, by_promise);
	for (int i = 0; i < s->n; i++) {
		struct stream_question *a = order[i];
		double cutoff = cutoff_now(s, o), left = end - clock_now();

		if (a->promise >= cutoff || interrupted) {
			given_up++;
			continue;
		}
		a->options.effort.cutoff = cutoff < INFINITY ?
		    fmax(cutoff - end_to_end_overhead(a->net.model, a->asked->stages), 1e-9) : 0;
		a->twin = twin_of(a, order, i);
		/* With a cutoff only the best plan matters, so planning ends with the current question. */
		if (a->twin == NULL && o->cutoff > 0 && planned > 0 && left <= 0) {
			late++;
			continue;
		}
		planned++;
		if (a->twin != NULL)
			continue;
		a->planned = true;
		mine = a->net.name != NULL ? known_of(&known, a->net.name) : known;
		question_answer(&a->question, &a->options, &a->net, &mine,
		    fmax(left * share_of(order + i, s->n - i, cutoff), 0.01));
		if (a->net.name != NULL)
			free(mine.at);
		any |= a->question.rank < INFINITY;
		failed += a->question.failed;
	}
	warnx("%d questions: %d planned, %d cannot take less than the cutoff", s->n, planned, given_up);
	if (late > 0)
		warnx("no time for %d of them: -t is the time for all questions together", late);
	records_free(&known);
	free(order);
	write_all(s, all);
	stdout_close();
	return questions_status(s->n, failed, any);
}

void
stream_free(struct stream *s)
{
	for (int i = 0; i < s->n; i++) {
		/* The pipeline belongs to a record, so it must not be freed with the question. */
		s->at[i].question.pipeline = (struct pipeline){ 0 };
		question_free(&s->at[i].question);
		network_free(&s->at[i].net);
	}
	free(s->at);
	*s = (struct stream){ 0 };
}
