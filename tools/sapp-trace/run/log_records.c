#include "log_records.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/setup/launched.h"
#include "log_layers.h"
#include "profile.h"

/* Timers outside of the pipeline in all releases, and the names of their parts in records. */
static const struct { const char *timer, *part; } outside[] = {
	{ "backward-params-all-reduce", "gradient_reduce" },
	{ "grads-all-reduce", "gradient_reduce" },
	{ "grads-reduce-scatter", "gradient_reduce" },
	{ "all-grads-sync", "gradient_reduce" },
	{ "layernorm-grads-all-reduce", "layernorm_reduce" },
	{ "non-tensor-parallel-grads-all-reduce", "layernorm_reduce" },
	{ "embedding-grads-all-reduce", "embedding_reduce" },
	{ "params-all-gather", "parameter_gather" },
	{ "backward-gather-model-params", "parameter_gather" },
	{ "optimizer", "optimizer" },
};
/* Timers of the pipeline on the last stage, in older releases. */
static const char *const inside[] = { "forward-compute", "forward-recv", "forward-send", "backward-compute",
	"backward-recv", "backward-send", "forward-send-backward-recv", "backward-send-forward-recv",
	"forward-send-forward-recv", "backward-send-backward-recv", "forward-backward-send-forward-backward-recv" };

enum { RANKS_MAX = 10000000, STAGES_MAX = 10000 };

struct measured_log {
	const struct log *log;
	struct place at;
	int stages, chunks, micro;	/* 0: unknown */
	int stage, rank;		/* of the log; -1: unknown */
	double elapsed, pipeline;	/* ms; negative: unknown */
	/* ms that the last stage waits for other stages at the end; negative: unknown */
	double wait;
	struct amounts parts;
};

static double
time_of(const struct measured_log *m, const char *name, int rank)
{
	return log_time(m->log, log_timer(m->log, name), rank);
}

/* Return the time of a timer on the last rank, or otherwise its maximum; negative: absent. */
static double
any_time(const struct measured_log *m, const char *name)
{
	double t = time_of(m, name, LOG_LAST), each;
	int timer = log_timer(m->log, name);

	if (t < 0)
		t = time_of(m, name, LOG_MOST);
	if (t >= 0 || timer < 0)
		return t;
	for (size_t i = 0; i < m->log->samples; i++)
		if (m->log->sample[i].timer == timer && (each = log_time(m->log, timer, m->log->sample[i].rank)) > t)
			t = each;
	return t;
}

/*
 * Set the pipeline's part of the step. It is the timer forward-backward minus the timers of gradients, or the sum of
 * the last stage's timers. On the last stage, the all-reduce of the embedding waits until the first stage ends.
 */
static void
find_pipeline(struct measured_log *m)
{
	double whole = any_time(m, "forward-backward"), sync = 0, t;

	for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
		if ((t = any_time(m, outside[i].timer)) >= 0) {
			amounts_add(&m->parts, outside[i].part, t);
			if (strcmp(outside[i].part, "optimizer") != 0 &&
			    strcmp(outside[i].part, "parameter_gather") != 0)
				sync += t;
		}
	m->pipeline = m->wait = -1;
	if (whole >= 0) {
		m->pipeline = whole > sync ? whole - sync : whole;
		return;
	}
	m->wait = time_of(m, "backward-embedding-all-reduce", LOG_LAST);
	if (time_of(m, "forward-compute", LOG_LAST) < 0 || time_of(m, "backward-compute", LOG_LAST) < 0 ||
	    (m->wait < 0 && m->stages > 1))
		return;
	m->pipeline = m->stages > 1 ? m->wait : 0;
	for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++)
		if ((t = time_of(m, inside[i], LOG_LAST)) >= 0)
			m->pipeline += t;
}

/*
 * Return the ms of the shortest transfer of the last stage, which is assumed to include no waiting; negative: unknown.
 */
static double
transfer(const struct measured_log *m)
{
	double alone = time_of(m, "backward-send", LOG_LAST), both = time_of(m, "backward-send-forward-recv", LOG_LAST);

	if (m->stages < 2 || m->chunks > 1)
		return -1;
	if (m->micro > 1 && both >= 0 && (alone < 0 || both / (2 * (m->micro - 1)) < alone))
		alone = both / (2 * (m->micro - 1));
	return alone;
}

/* Set the times of STAGE to FORWARD and BACKWARD, ms per micro-batch, divided equally over its chunks. */
static void
fill(struct profile *p, int stage, double forward, double backward)
{
	const struct table *f = &p->of.forward, *b = &p->of.backward;

	for (int v = 0; v < f->chunks; v++) {
		f->at[v * f->stages + stage] = forward / f->chunks;
		b->at[v * b->stages + stage] = backward / b->chunks;
	}
}

/* Return the maximum time of a timer over the ranks of a stage; negative: unknown. */
static double
stage_time(const struct measured_log *m, const char *name, int stage, int ranks)
{
	int each = ranks / m->stages, timer = log_timer(m->log, name);
	double most = -1, t;

	for (int r = stage * each; r < (stage + 1) * each; r++)
		if ((t = log_time(m->log, timer, r)) > most)
			most = t;
	return most;
}

/* Set the times of each stage from its ranks. Return false if the log does not separate ranks. */
static bool
each_stage(const struct measured_log *m, struct profile *p)
{
	int ranks = launch_int(&m->log->launch, LAUNCH_WORLD, 1, RANKS_MAX), most = 0;

	for (size_t i = 0; i < m->log->samples; i++)
		most = m->log->sample[i].rank > most ? m->log->sample[i].rank : most;
	if (ranks == 0)
		ranks = m->log->each > 0 ? m->log->each * m->stages : most + 1;
	if (ranks % m->stages != 0)
		return false;
	for (int s = 0; s < m->stages; s++) {
		double f = stage_time(m, "forward-compute", s, ranks), b = stage_time(m, "backward-compute", s, ranks);

		if (f < 0 || b < 0)
			return false;
		fill(p, s, f / m->micro, b / m->micro);
	}
	return true;
}

static bool
plausible(double others, double last)
{
	return others > 0.2 * last && others < 5 * last;
}

/*
 * Set the last stage's times as measured, and the other stages' times from its waiting. At the beginning it waits for
 * one forward of each other stage, and at the end for one backward of each.
 */
static bool
last_stage(const struct measured_log *m, struct profile *p)
{
	double f = time_of(m, "forward-compute", LOG_LAST), b = time_of(m, "backward-compute", LOG_LAST);
	double start = time_of(m, "forward-recv", LOG_LAST), forward, backward;
	double way = p->of.comm_time.n > 0 ? p->of.comm_time.at[0] : 0;

	if (f < 0 || b < 0)
		return false;
	forward = f /= m->micro;
	backward = b /= m->micro;
	if (m->stages > 1 && m->chunks == 1 && plausible(start / (m->stages - 1) - way, f))
		forward = start / (m->stages - 1) - way;
	if (m->stages > 1 && m->chunks == 1 && plausible(m->wait / (m->stages - 1) - way, b))
		backward = m->wait / (m->stages - 1) - way;
	for (int s = 0; s < m->stages - 1; s++)
		fill(p, s, forward, backward);
	fill(p, m->stages - 1, f, b);
	return true;
}

/* Set the last stage, which has the loss, to the maximum over all ranks, and the other stages to the minimum. */
static bool
least_most(const struct measured_log *m, struct profile *p)
{
	static const char *const timers[] = { "forward-compute", "backward-compute" };
	double most[2], least[2];

	for (int i = 0; i < 2; i++) {
		most[i] = time_of(m, timers[i], LOG_MOST);
		least[i] = time_of(m, timers[i], LOG_LEAST);
		if (most[i] < 0)
			return false;
		if (least[i] < 0)
			least[i] = most[i];
		if (most[i] > 1.1 * least[i])
			place_warn(m->at, "%s takes %.2f to %.2f ms, but the log does not show on which ranks: the "
			    "last stage is assumed to be the slowest; log all ranks with --timing-log-option all",
			    timers[i], least[i], most[i]);
	}
	for (int s = 0; s < m->stages - 1; s++)
		fill(p, s, least[0] / m->micro, least[1] / m->micro);
	fill(p, m->stages - 1, most[0] / m->micro, most[1] / m->micro);
	return true;
}

/* Set all stages to the times of rank 0, because DeepSpeed prints no other rank. */
static bool
first_stage(const struct measured_log *m, struct profile *p)
{
	double f = time_of(m, "forward-compute", 0), b = time_of(m, "backward-compute", 0);

	if (f < 0 || b < 0)
		return false;
	if (m->stages > 1)
		place_warn(m->at, "only times of rank 0: the times of stage 0 are used for all stages");
	for (int s = 0; s < m->stages; s++)
		fill(p, s, f / m->micro, b / m->micro);
	return true;
}

static void
write_step(FILE *out, const struct measured_log *m, double way)
{
	struct measured_step r = { .time = m->elapsed };
	int rows = 0;

	for (int i = 0; i < m->log->rows; i++)
		rows += m->log->row[i].elapsed > 0;
	GIVE(measured_step, &r, steps, rows);
	GIVE(measured_step, &r, source, xstrdup(m->log->source));
	if (m->stage >= 0)
		GIVE(measured_step, &r, stage, m->stage);
	if (m->rank >= 0)
		GIVE(measured_step, &r, rank, m->rank);
	if (m->pipeline >= 0 && m->pipeline <= m->elapsed) {
		GIVE(measured_step, &r, pipeline, m->pipeline);
		GIVE(measured_step, &r, after, m->elapsed - m->pipeline);
	}
	if (way >= 0)
		GIVE(measured_step, &r, transfer, way);
	if (m->parts.n > 0) {
		for (int i = 0; i < m->parts.n; i++)
			amounts_add(&r.parts, m->parts.name[i], m->parts.at[i]);
		field_give(&measured_step_fields, &r, offsetof(struct measured_step, parts));
	}
	record_put(out, RECORD_STEP, &r);
	fields_free(&measured_step_fields, &r);
}

/* Write the timings of the stages from FROM to before TO. */
static void
write_timings(FILE *out, const struct measured_log *m, const struct profile *p, int from, int to)
{
	for (int s = from; s < to; s++)
		for (int i = 0; i < 2; i++) {
			const struct table *t = i == 0 ? &p->of.forward : &p->of.backward;
			double sum = 0;

			for (int v = 0; v < t->chunks; v++)
				sum += m->micro * t->at[v * t->stages + s];
			profile_write_timing(out, p, s, i == 0 ? TIMING_FORWARD : TIMING_BACKWARD, &sum, 1,
			    m->micro * m->chunks);
		}
}

static double
sum(const struct amounts *a)
{
	double x = 0;

	for (int i = 0; i < a->n; i++)
		x += a->at[i];
	return x;
}

static void
write_pipeline(FILE *out, const struct measured_log *m)
{
	const char *slash = strrchr(m->log->source, '/');
	struct profile p = { .source = xstrdup(m->log->source), .of = { .micro_batches = m->micro,
		.name = xstrdup(slash != NULL ? slash + 1 : m->log->source), .transfers = TRANSFERS_BATCHED,
		.schedule = (int)schedule_usual(m->chunks, false), .overhead = list_new(1),
		.forward = table_new(m->chunks, m->stages), .backward = table_new(m->chunks, m->stages) } };
	struct log_waits waits = { m->chunks == 1 ? time_of(m, "forward-recv", LOG_LAST) : -1, m->wait };
	double way = transfer(m);
	bool each, last, first, any;

	if (way >= 0) {
		p.of.comm_time = list_new(1);
		p.of.comm_time.at[0] = way;
	}
	p.of.overhead.at[0] = m->pipeline >= 0 && m->pipeline <= m->elapsed ? m->elapsed - m->pipeline : sum(&m->parts);
	each = each_stage(m, &p);
	last = !each && last_stage(m, &p);
	first = !each && !last && first_stage(m, &p);
	any = each || last || first || least_most(m, &p);
	if (any) {
		write_timings(out, m, &p, each || first ? 0 : m->stages - 1, first ? 1 : m->stages);
		profile_write_job(out, &p);
		profile_write(out, &p);
		if (!first)
			log_layers_write(out, m->log, &p, each ? TOLD_EACH : last ? TOLD_LAST : TOLD_ENDS, waits,
			    m->elapsed, m->pipeline);
	}
	profile_free(&p);
}

static void
write_peaks(FILE *out, const struct log *l, int stages)
{
	struct peak *peaks;
	int ranks = launch_int(&l->launch, LAUNCH_WORLD, 1, RANKS_MAX);

	if (ranks == 0 && l->rows == 0)
		place_die((struct place){ l->source, 0 }, "only memory of %d ranks, and no list of arguments: give "
		    "this log to sapp-memsplit, with an init YAML", l->peaks.n);
	if (ranks == 0) {
		place_warn((struct place){ l->source, 0 },
		    "memory of ranks is ignored: the number of ranks is unknown without a list of arguments");
		return;
	}
	if (ranks % stages != 0)
		place_die((struct place){ l->source, 0 }, "%d ranks cannot be divided by %d stages", ranks, stages);
	for (int which = 0; which < 2; which++) {
		int n = peaklog_peaks(&l->peaks, stages, 1, ranks, which, &peaks);

		for (int i = 0; i < n; i++) {
			record_put(out, RECORD_PEAK, &peaks[i]);
			fields_free(&peak_fields, &peaks[i]);
		}
		free(peaks);
	}
}

/* Return the number of ranks of the job: from arguments, or the number of logs if each has a rank; 0 if unknown. */
static int
job_ranks(const struct logs *all, int said)
{
	int most = -1, different = 0;
	bool *seen;

	for (int i = 0; i < all->n && said == 0; i++)
		said = launch_int(&all->at[i].launch, LAUNCH_WORLD, 1, RANKS_MAX);
	if (said > 0)
		return said;
	for (int i = 0; i < all->n; i++)
		most = all->at[i].rank > most ? all->at[i].rank : most;
	if (most < 0 || most >= RANKS_MAX)
		return 0;
	seen = xcalloc((size_t)most + 1, sizeof *seen);
	for (int i = 0; i < all->n; i++)
		if (all->at[i].rank >= 0 && !seen[all->at[i].rank]) {
			seen[all->at[i].rank] = true;
			different++;
		}
	free(seen);
	return different == most + 1 ? different : 0;
}

/* Set the stage of a log's rank. Of RANKS ranks, the first RANKS / stages have stage 0. */
static void
find_place(struct measured_log *m, int ranks)
{
	m->stage = m->log->stage;
	m->rank = m->log->rank;
	if (m->stages > 0 && m->stage >= m->stages)
		place_die(m->at, "its path says stage %d, but there are %d stages", m->stage, m->stages);
	if (m->stage >= 0 || m->rank < 0 || m->stages == 0 || ranks == 0)
		return;
	if (ranks % m->stages != 0)
		place_die(m->at, "%d ranks cannot be divided by %d stages", ranks, m->stages);
	if (m->rank >= ranks)
		place_die(m->at, "its path says rank %d, but there are %d ranks", m->rank, ranks);
	m->stage = m->rank / (ranks / m->stages);
}

static void
log_write(FILE *out, struct log *l, struct step_range asked, int stages, int micro, int ranks)
{
	struct measured_log m = { .log = l, .at = { l->source, 0 } };

	m.stages = stages > 0 ? stages : l->stages > 0 ? l->stages :
	    launch_int(&l->launch, LAUNCH_STAGES, 1, STAGES_MAX);
	find_place(&m, ranks);
	m.chunks = launched_chunks(&l->launch, m.stages);
	m.micro = micro > 0 ? micro : l->micro > 0 ? l->micro : launched_micro(&l->launch, m.stages);
	if (l->rows > 0) {
		bool timed = log_timer(l, "forward-compute") >= 0 && log_timer(l, "backward-compute") >= 0;

		m.elapsed = log_choose(l, asked);
		find_pipeline(&m);
		write_step(out, &m, transfer(&m));
		if (timed && (m.stages == 0 || m.micro == 0))
			place_warn(m.at, "times of a stage, but the number of %s is unknown without a list of "
			    "arguments; give it with %s", m.stages == 0 ? "stages" : "micro-batches",
			    m.stages == 0 ? "-s" : "-mb");
		else if (timed)
			write_pipeline(out, &m);
	}
	if (l->peaks.n > 0 && m.stages > 0)
		write_peaks(out, l, m.stages);
	else if (l->peaks.n > 0 && l->rows == 0)
		place_die((struct place){ l->source, 0 }, "only memory of %d ranks, and the number of stages is "
		    "unknown: give it with -s, or give the log with its list of arguments", l->peaks.n);
	amounts_free(&m.parts);
}

void
logs_write(FILE *out, struct logs *all, struct step_range asked, int stages, int micro, int ranks)
{
	ranks = job_ranks(all, ranks);
	for (int i = 0; i < all->n; i++)
		log_write(out, &all->at[i], asked, stages, micro, ranks);
}

bool
logs_read(struct logs *all, struct scan *s, struct operations *operations, char **why)
{
	struct log log;

	if (!log_read(&log, s, operations)) {
		*why = xstrdup("byte 0: not a timeline: expected '[' or '{' at its start; not a training log: no "
		    "'elapsed time per iteration (ms)', no 'per_step_time', no '[Rank N] ... memory (MB)'");
		log_free(&log);
		return false;
	}
	/* A log with operations only needs no further records. */
	if (log.rows == 0 && log.peaks.n == 0) {
		log_free(&log);
		return true;
	}
	*APPEND(all->at, all->n) = log;
	return true;
}

void
logs_free(struct logs *all)
{
	for (int i = 0; i < all->n; i++)
		log_free(&all->at[i]);
	free(all->at);
	*all = (struct logs){ 0 };
}
