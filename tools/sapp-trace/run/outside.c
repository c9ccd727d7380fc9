#include "outside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"
#include "lib/base/sorted.h"
#include "lib/record/record.h"
#include "sapp-trace/read/csv.h"

static const double ns_per_ms = 1e6;
static const double much_alone = 0.02;	/* fraction of a step */

/* Return the ms of the step NUMBER in the step_trace_time.csv next to FILE; 0 if unknown. */
static double
step_time(const char *file, long number)
{
	static const char *const names[] = { "Step", "Computing", "Communication(Not Overlapped)", "Free" };
	char *path = job_beside(file, "step_trace_time.csv");
	struct text field[CSV_COLUMNS_MAX];
	struct csv c;
	int column[4], fields;
	double time = 0;

	if (path == NULL)
		return 0;
	csv_open(&c, path);
	fields = csv_columns(&c, names, 4, column);
	while (csv_next(&c, field, fields)) {
		double sum = 0;
		struct text step = field[column[0]];

		if (number >= 0 && step.n > 0 && strtol(step.at, NULL, 10) != number)
			continue;
		for (int i = 1; i < 4; i++) {
			int64_t ns;

			if (!text_time(field[column[i]], &ns) || ns < 0)
				place_die(c.place, "%s: not a time '%.*s'", names[i], (int)field[column[i]].n,
				    field[column[i]].at);
			sum += (double)ns / ns_per_ms;
		}
		time = sum;
	}
	csv_close(&c);
	free(path);
	return time;
}

/* Add the transfers in the communication.json next to FILE. Return false if none exist. */
static bool
transfers_of_file(struct rank_step *r, const char *file, long number)
{
	struct communications c = { 0 };

	communications_beside(&c, file);
	for (size_t i = 0; i < c.n; i++)
		if (c.at[i].transfer && (c.at[i].step == number || c.at[i].step < 0 || number < 0))
			*APPEND(r->transfer, r->ntransfers) = (struct step_collective){ xstrdup(c.at[i].name),
			    c.at[i].transit > 0 ? c.at[i].transit : c.at[i].elapse, false };
	communications_free(&c);
	return r->ntransfers > 0;
}

/*
 * Return the name by which other ranks know a collective. It is the kernel's name, which is unique in tables of
 * torch_npu. In PyTorch's profiles, the name has the ranks, and BEFORE is appended, the number of equal collectives
 * before it.
 */
static char *
known_as(const struct kernel_type *t, int before)
{
	return strchr(t->name, '[') != NULL ? xasprintf("%s#%d", t->name, before) : xstrdup(t->name);
}

/* Return whether a transfer lies within a layer. */
static bool
within_layer(const struct layout *l, int step, const struct item *x)
{
	for (size_t i = 0; i < l->n && l->parts; i++)
		if (l->at[i].part == LAYER_BODY && l->at[i].step == step && x->start > l->at[i].start &&
		    x->end < l->at[i].start + (int64_t)l->at[i].wall)
			return true;
	return false;
}

/* Return one step of a file. */
static struct rank_step
rank_step(const struct rank_run *run, int step)
{
	const struct sequence *s = run->sequence;
	const struct layout *l = run->layout;
	struct rank_step r = { 0 };
	int64_t first = INT64_MAX, last = INT64_MIN, busy_end = l->end[step];
	bool transfers = !l->parts && transfers_of_file(&r, run->source, s->number[step]);
	int *seen = xcalloc(s->ntypes + 1, sizeof *seen);

	for (size_t i = COUNT_BEFORE(s->at, s->n, it->step < step); i < s->n && s->at[i].step == step; i++) {
		const struct item *x = &s->at[i];
		const struct kernel_type *t = &s->type[x->type];
		double time = (double)(x->end - x->start) / ns_per_ms;
		bool before = x->start < l->begin[step], after = x->start >= l->end[step];
		int earlier = seen[t->family]++;

		first = x->start < first ? x->start : first;
		last = x->end > last ? x->end : last;
		if (t->roles & ROLE_TRANSFER) {
			if (!transfers && !within_layer(l, step, x))
				*APPEND(r.transfer, r.ntransfers) = (struct step_collective){
				    known_as(&s->type[t->family], earlier), time, false };
		} else if ((t->roles & ROLE_COMMUNICATION) && (before || after))
			*APPEND(r.at, r.n) = (struct step_collective){
			    known_as(&s->type[t->family], earlier), time, before };
		else if (after && x->end > busy_end) {
			r.optimizer += (double)(x->end - (x->start > busy_end ? x->start : busy_end)) / ns_per_ms;
			busy_end = x->end;
		}
	}
	free(seen);
	r.pipeline = (double)(l->end[step] - l->begin[step]) / ns_per_ms;
	r.before = (double)(l->begin[step] - first) / ns_per_ms;
	r.time = s->length != NULL ? s->length[step] : step_time(run->source, s->number[step]);
	/* The host's step is as long as the device's step, but at another time. */
	if (r.time == 0 || (s->length == NULL && r.time < (double)(last - first) / ns_per_ms))
		r.time = (double)(last - first) / ns_per_ms;
	r.after = fmax(r.time - r.before - r.pipeline, 0);
	return r;
}

void
rank_step_free(struct rank_step *r)
{
	for (int i = 0; i < r->n; i++)
		free(r->at[i].name);
	for (int i = 0; i < r->ntransfers; i++)
		free(r->transfer[i].name);
	free(r->at);
	free(r->transfer);
	*r = (struct rank_step){ 0 };
}

void
outside_add(struct step_outside *o, const struct rank_run *run)
{
	int n = 0, seen = 0;

	for (int i = 0; i < run->sequence->steps; i++)
		n += run->counted[i];
	for (int i = 0; i < run->sequence->steps; i++) {
		struct rank_step r;

		if (!run->counted[i])
			continue;
		r = rank_step(run, i);
		r.job = run->job;
		r.source = run->source;
		r.run = o->runs;
		r.number = run->sequence->number[i];
		r.steps = n;
		if (seen++ == n / 2) {
			r.accounted = true;
			r.account = account_of(run->sequence, run->layout, i, r.time);
		}
		r.repeats = run->repeats;
		*APPEND(o->at, o->n) = r;
	}
	o->runs += n > 0;
}

void
outside_check(const struct step_outside *o)
{
	for (int i = 0; i < o->n; i++)
		if (o->at[i].accounted)
			account_check(&o->at[i].account, o->at[i].repeats, o->at[i].source);
}

static int
times_within(const struct step_collective *at, int n, const char *name, double *time)
{
	int found = 0;

	for (int i = 0; i < n; i++)
		if (strcmp(at[i].name, name) == 0) {
			found++;
			*time = at[i].time;
		}
	return found;
}

/*
 * Return the minimum time of a collective over its ranks, because the last rank to join did not wait. If a name
 * repeats, it is ambiguous.
 */
static double
least(const struct step_outside *o, const struct step_collective *c, bool transfer, int *stages, int *ranks)
{
	double time = c->time;
	int last_stage = -2;

	*stages = *ranks = 0;
	for (int i = 0; i < o->n; i++) {
		const struct rank_step *r = &o->at[i];
		double x = 0;
		int n = transfer ? times_within(r->transfer, r->ntransfers, c->name, &x) :
		    times_within(r->at, r->n, c->name, &x);

		if (n > 1)
			return c->time;
		if (n == 0)
			continue;
		time = x < time ? x : time;
		++*ranks;
		/* Ranks without transfers are not stages of a pipeline. */
		*stages += r->job.stage < 0 ? r->ntransfers > 0 : r->job.stage != last_stage;
		last_stage = r->job.stage;
	}
	return time;
}

/*
 * Return the ms of a transfer without waiting; negative: none. If both ends are profiled, the later end did not wait,
 * and the median transfer counts. With one end, the shortest transfer counts.
 */
static double
transfer_time(const struct step_outside *o, const struct rank_step *r)
{
	double *x = xcalloc((size_t)r->ntransfers + 1, sizeof *x), time;
	int n = 0, stages, ranks;

	for (int i = 0; i < r->ntransfers; i++) {
		double t = least(o, &r->transfer[i], true, &stages, &ranks);

		if (stages > 1)
			x[n++] = t;
	}
	if (n > 0) {
		time = numbers_median(x, (size_t)n);
	} else {
		time = -1;
		for (int i = 0; i < r->ntransfers; i++)
			if (time < 0 || r->transfer[i].time < time)
				time = r->transfer[i].time;
	}
	free(x);
	return time;
}

static bool
same_group(const char *a, const char *b)
{
	size_t n = call_kind_length(a);

	return n == call_kind_length(b) && memcmp(a, b, n) == 0;
}

/*
 * Return the index of the all-reduce of the tied embedding, or -1. It is the longest all-reduce that another stage also
 * has. If only one step of one rank was read, and gradients are reduce-scattered, it is the longest all-reduce that is
 * the only operation of its group.
 */
static int
embedding_reduce(const struct step_outside *o, const struct rank_step *r)
{
	bool gradients = false;
	int best = -1;
	double most = 0;

	for (int i = 0; i < r->n; i++)
		gradients |= !r->at[i].before && op_of(r->at[i].name) == OP_REDUCE_SCATTER;
	for (int i = 0; i < r->n; i++) {
		int stages, ranks, alike = 0;
		double time = least(o, &r->at[i], false, &stages, &ranks);

		if (r->at[i].before || op_of(r->at[i].name) != OP_ALL_REDUCE)
			continue;
		for (int k = 0; k < r->n; k++)
			alike += same_group(r->at[i].name, r->at[k].name);
		if ((stages > 1 || (gradients && alike == 1 && o->n == 1)) && time > most) {
			most = time;
			best = i;
		}
	}
	/* The group of the embedding has no other all-reduce, such as those of norms and losses. */
	for (int k = 0; k < r->n && best >= 0; k++)
		if (k != best && op_of(r->at[k].name) == OP_ALL_REDUCE && same_group(r->at[k].name, r->at[best].name))
			return -1;
	return best;
}

static void
put(FILE *out, const struct step_outside *o, const struct rank_step *r)
{
	struct measured_step m = { .time = r->time };
	double gradient = 0, gather = 0, other = 0, alone = 0, waited[2] = { 0, 0 }, transfer = transfer_time(o, r);
	int embedding = embedding_reduce(o, r), stages, ranks;

	for (int i = 0; i < r->n; i++) {
		double time = least(o, &r->at[i], false, &stages, &ranks);
		int op = op_of(r->at[i].name);

		alone += ranks > 1 ? 0 : time;
		waited[!r->at[i].before] += r->at[i].time - time;
		if (i == embedding)
			amounts_add(&m.parts, "embedding_reduce", time);
		else if (op == OP_REDUCE_SCATTER || (op == OP_ALL_REDUCE && !r->at[i].before))
			gradient += time;
		else if (op == OP_ALL_GATHER)
			gather += time;
		else
			other += time;
	}
	if (gradient > 0)
		amounts_add(&m.parts, "gradient_reduce", gradient);
	if (gather > 0)
		amounts_add(&m.parts, "parameter_gather", gather);
	if (r->optimizer > 0)
		amounts_add(&m.parts, "optimizer", r->optimizer);
	if (other > 0)
		amounts_add(&m.parts, "communication", other);
	if (alone > much_alone * r->time)
		place_warn((struct place){ .source = r->source }, "collectives outside the pipeline take %.4g of the "
		    "step's %.4g ms, including waiting for other ranks; give profiles of all ranks to separate the "
		    "waiting", alone,
		    r->time);
	GIVE(measured_step, &m, pipeline, r->pipeline);
	GIVE(measured_step, &m, steps, r->steps);
	if (r->job.stage >= 0)
		GIVE(measured_step, &m, stage, r->job.stage);
	if (r->job.rank >= 0)
		GIVE(measured_step, &m, rank, r->job.rank);
	GIVE(measured_step, &m, before, fmax(r->before - waited[0], 0));
	GIVE(measured_step, &m, after, fmax(r->after - waited[1], 0));
	if (m.parts.n > 0)
		field_give(&measured_step_fields, &m, offsetof(struct measured_step, parts));
	if (transfer >= 0)
		GIVE(measured_step, &m, transfer, transfer);
	GIVE(measured_step, &m, source, (char *)r->source);
	record_put(out, RECORD_STEP, &m);
	amounts_free(&m.parts);
}

void
outside_write(FILE *out, struct step_outside *o)
{
	outside_choose(o);
	for (int i = 0; i < o->n; i++)
		put(out, o, &o->at[i]);
}

double
outside_step(const struct step_outside *o)
{
	double most = 0;

	for (int i = 0; i < o->n; i++)
		most = fmax(most, o->at[i].time);
	return most;
}

double
outside_transfer(const struct step_outside *o)
{
	double *x = xcalloc((size_t)o->n + 1, sizeof *x), middle = -1;
	size_t n = 0;

	for (int i = 0; i < o->n; i++) {
		x[n] = transfer_time(o, &o->at[i]);
		n += x[n] >= 0;
	}
	if (n > 0)
		middle = numbers_median(x, n);
	free(x);
	return middle;
}

void
outside_free(struct step_outside *o)
{
	for (int i = 0; i < o->n; i++)
		rank_step_free(&o->at[i]);
	free(o->at);
	*o = (struct step_outside){ 0 };
}
