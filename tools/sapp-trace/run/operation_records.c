/* Operation records: write a timeline of operations as records. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "operation_links.h"
#include "profile.h"

enum { COLUMNS = 128 };			/* maximum number of micro-batches that are sampled */
/* minimum standard deviation, relative to the mean, for which samples are written */
#define VARIES 0.03

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* Return the part of a step from its first forward to the end of its last backward. PIPELINE: index, or -1 for all. */
struct span {
	int64_t begin, end;	/* ns */
};

static struct span
span_of(const struct operation_steps *s, const struct operation_step *step, int pipeline)
{
	struct span x = { INT64_MAX, INT64_MIN };

	for (int k = 0; k < s->pipelines; k++)
		if (pipeline < 0 || k == pipeline) {
			x.begin = step->first[k] < x.begin ? step->first[k] : x.begin;
			x.end = step->last[k] > x.end ? step->last[k] : x.end;
		}
	return x;
}

/* Return the ms of an operation in PIPELINE; -1: the maximum over pipelines. */
static double
time_of(const struct operation_steps *s, const struct operation_step *step, int pipeline, int kind, int piece,
    int micro)
{
	return *operation_time(s, step, pipeline < 0 ? step->slowest : pipeline, (enum operation_kind)kind, piece,
	    micro);
}

/*
 * Return the ms between a stage's last operation and the end of its pipeline that the stage works itself. In the rest
 * of this time it waits for others.
 */
static double
early(const struct operation_steps *s, const struct operation_step *step, int pipeline, int stage)
{
	const struct operations *o = s->of;
	int64_t done = step->done[pipeline * s->stages + stage], covered = done;
	double sum = 0;

	for (size_t i = step->from; i < step->to; i++) {
		const struct trace_operation *op = &o->at[i];
		const struct thread *t = &o->thread[op->thread];

		if (op->kind != OPERATION_PART || t->pipeline != pipeline || t->stage != stage || op->start < done ||
		    op->end > step->last[pipeline] || op->end <= covered)
			continue;
		sum += ms(op->end - (op->start > covered ? op->start : covered));
		covered = op->end;
	}
	return sum;
}

struct micro_batch {
	double total;		/* ms, sum of all its operations */
	int step, number;
};

ORDER_BY(by_total, struct micro_batch, it->total, it->step, it->number)

/*
 * Return the standard deviation of a micro-batch's time from the mean of all micro-batches with its number, relative to
 * the overall mean.
 */
static double
deviation(const struct micro_batch *at, int steps, int micro)
{
	double square = 0, all = 0;

	for (int m = 0; m < micro; m++) {
		double mean = 0;

		for (int k = 0; k < steps; k++)
			mean += at[k * micro + m].total / steps;
		for (int k = 0; k < steps; k++)
			square += (at[k * micro + m].total - mean) * (at[k * micro + m].total - mean);
		all += mean / micro;
	}
	return steps > 1 && all > 0 ? sqrt(square / (steps - 1) / micro) / all : 0;
}

/* Return the middle micro-batch of part J, if the sorted AT[ALL] are divided into N parts. */
static const struct micro_batch *
chosen(const struct micro_batch *at, int all, int j, int n)
{
	return &at[(2 * (size_t)j + 1) * (size_t)all / (2 * (size_t)n)];
}

/* Divide N numbers by their mean. */
static void
scale(double *row, int n)
{
	double mean = 0;

	for (int j = 0; j < n; j++)
		mean += row[j] / n;
	for (int j = 0; j < n; j++)
		row[j] = mean > 0 ? row[j] / mean : 1;
}

/*
 * Replace the mean factors of micro-batches by samples of measured micro-batches, if their times vary between steps, as
 * with sequences of varying length.
 */
static void
sample(struct profile *p, const struct operation_steps *s, const struct operation_step *step, int n, int pipeline)
{
	int pieces = s->stages * s->chunks, all = n * s->micro, columns = all < COLUMNS ? all : COLUMNS;
	struct micro_batch *at = xcalloc((size_t)all, sizeof *at);
	struct table *factor[] = { &p->of.forward_factor, &p->of.backward_factor };
	struct table *sampled[] = { &p->of.forward_sample, &p->of.backward_sample };

	for (int i = 0; i < all; i++) {
		at[i] = (struct micro_batch){ 0, i / s->micro, i % s->micro };
		for (int piece = 0; piece < 2 * pieces; piece++)
			at[i].total += time_of(s, &step[at[i].step], pipeline,
			    piece < pieces ? OPERATION_FORWARD : OPERATION_BACKWARD, piece % pieces, at[i].number);
	}
	if (deviation(at, n, s->micro) < VARIES) {
		free(at);
		return;
	}
	SORT(at, all, by_total);
	for (int kind = OPERATION_FORWARD; kind <= OPERATION_BACKWARD; kind++) {
		free(factor[kind]->at);
		*factor[kind] = (struct table){ 0 };
		*sampled[kind] = table_new(pieces, columns);
		for (int i = 0; i < pieces; i++) {
			double *row = sampled[kind]->at + (size_t)i * (size_t)columns;

			for (int j = 0; j < columns; j++) {
				const struct micro_batch *b = chosen(at, all, j, columns);

				row[j] = time_of(s, &step[b->step], pipeline, kind, i, b->number);
			}
			scale(row, columns);
		}
	}
	p->micro_sample = list_new(columns);
	for (int j = 0; j < columns; j++)
		p->micro_sample.at[j] = chosen(at, all, j, columns)->total;
	scale(p->micro_sample.at, columns);
	free(at);
}

/* Return a profile with the means over N steps of PIPELINE; -1: of the slowest pipeline in each step. */
static struct profile
profile_of(const struct operation_steps *s, const struct operation_step *step, int n, int pipeline)
{
	int pieces = s->stages * s->chunks;
	struct profile p = { .source = xstrdup(s->of->source), .of = { .micro_batches = s->micro,
		.schedule = (int)schedule_usual(s->chunks, false) } };
	struct chunks *c = &p.of;
	struct operation_links links;
	struct table *mean[] = { &c->forward, &c->backward }, *factor[] = { &c->forward_factor, &c->backward_factor };

	for (int kind = OPERATION_FORWARD; kind <= OPERATION_BACKWARD; kind++) {
		*mean[kind] = table_new(s->chunks, s->stages);
		*factor[kind] = table_new(pieces, s->micro);
		for (int i = 0; i < pieces; i++) {
			double *row = factor[kind]->at + (size_t)i * (size_t)s->micro, *sum = &mean[kind]->at[i];

			for (int m = 0; m < s->micro; m++) {
				for (int k = 0; k < n; k++)
					row[m] += time_of(s, &step[k], pipeline, kind, i, m) / n;
				*sum += row[m] / s->micro;
			}
			for (int m = 0; m < s->micro; m++)
				row[m] = *sum > 0 ? row[m] / *sum : 1;
		}
	}
	sample(&p, s, step, n, pipeline);
	links = operation_links(s, step, n, pipeline);
	c->comm_time = links.time;
	c->transfers = links.transfers;
	c->post_time = links.post;
	c->send_delay_forward = links.send[0];
	c->send_delay_backward = links.send[1];
	p.uneven = links.slow;
	c->overhead = list_new(s->stages);
	c->overhead_early = list_new(s->stages);
	for (int i = 0; i < s->stages; i++) {
		for (int k = 0; k < n; k++) {
			struct span x = span_of(s, &step[k], pipeline);

			c->overhead.at[i] += ms(x.begin - step[k].begin + step[k].end - x.end) / n;
			c->overhead_early.at[i] += early(s, &step[k], pipeline < 0 ? step[k].slowest : pipeline, i) / n;
		}
		c->overhead.at[i] += c->overhead_early.at[i];
	}
	return p;
}

/*
 * Write the step record of STAGE (-1: whole run) and PIPELINE (-1: all). NAME: the chunks record that replays the step,
 * or NULL.
 */
static void
write_step(FILE *out, const struct operation_steps *s, const struct operation_step *step, int n, int pipeline,
    int stage, const char *name)
{
	const struct operations *o = s->of;
	struct measured_step r = { .given = 0 };
	double transfer = operation_transfer(s, step, n, pipeline, stage, -1);
	int ranks = pipeline < 0 ? s->pipelines : 1;

	GIVE(measured_step, &r, steps, n);
	GIVE(measured_step, &r, pipeline, 0);
	GIVE(measured_step, &r, before, 0);
	GIVE(measured_step, &r, after, 0);
	GIVE(measured_step, &r, source, xstrdup(o->source));
	if (name != NULL)
		GIVE(measured_step, &r, name, xstrdup(name));
	if (stage >= 0)
		GIVE(measured_step, &r, stage, stage);
	if (pipeline >= 0)
		GIVE(measured_step, &r, rank, pipeline);
	if (transfer >= 0)
		GIVE(measured_step, &r, transfer, transfer);
	for (int k = 0; k < n; k++) {
		struct span x = span_of(s, &step[k], pipeline);

		r.time += ms(step[k].end - step[k].begin) / n;
		r.pipeline += ms(x.end - x.begin) / n;
		r.before += ms(x.begin - step[k].begin) / n;
		r.after += ms(step[k].end - x.end) / n;
		for (size_t i = step[k].from; i < step[k].to && stage >= 0; i++) {
			const struct trace_operation *op = &o->at[i];

			if (op->kind == OPERATION_PART && o->thread[op->thread].stage == stage &&
			    (pipeline < 0 || o->thread[op->thread].pipeline == pipeline))
				amounts_add(&r.parts, o->part[op->part], ms(op->end - op->start) / n / ranks);
		}
	}
	if (r.parts.n > 0)
		field_give(&measured_step_fields, &r, offsetof(struct measured_step, parts));
	record_put(out, RECORD_STEP, &r);
	fields_free(&measured_step_fields, &r);
}

/* Write the step records of the stages, from the slowest pipeline of each step. */
static void
write_stages(FILE *out, const struct operation_steps *s, const struct profile *p)
{
	double *sum = xcalloc((size_t)s->n, sizeof *sum);

	for (int stage = 0; stage < s->stages; stage++)
		for (int kind = OPERATION_FORWARD; kind <= OPERATION_BACKWARD; kind++) {
			for (int k = 0; k < s->n; k++) {
				sum[k] = 0;
				for (int v = 0; v < s->chunks; v++)
					for (int m = 0; m < s->micro; m++)
						sum[k] += time_of(s, &s->at[k], -1, kind, v * s->stages + stage, m);
			}
			profile_write_timing(out, p, stage,
			    kind == OPERATION_FORWARD ? TIMING_FORWARD : TIMING_BACKWARD, sum, s->n,
			    s->n * s->chunks * s->micro);
		}
	free(sum);
	for (int stage = 0; stage < s->stages; stage++)
		write_step(out, s, s->at, s->n, -1, stage, NULL);
}

void
operations_write(FILE *out, struct operations *o, struct step_range asked, bool replay)
{
	struct operation_steps s = operation_steps_new(o, asked);
	struct profile p;

	operation_stragglers(&s);
	operation_links_warn(&s);
	for (int k = 0; k < s.n && replay; k++)
		for (int r = 0; r < s.pipelines; r++) {
			p = profile_of(&s, &s.at[k], 1, r);
			p.of.name = xasprintf("step %ld, pipeline %s", s.at[k].number, s.pipeline[r]);
			write_step(out, &s, &s.at[k], 1, r, -1, p.of.name);
			profile_write(out, &p);
			profile_free(&p);
		}
	if (!replay) {
		p = profile_of(&s, s.at, s.n, -1);
		p.of.name = xstrdup(base_name(o->source));
		write_step(out, &s, s.at, s.n, -1, -1, NULL);
		write_stages(out, &s, &p);
		profile_write_job(out, &p);
		profile_write(out, &p);
		profile_free(&p);
	}
	operation_steps_free(&s);
}
