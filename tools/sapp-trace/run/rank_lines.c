#include "rank_lines.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/part.h"

enum { RANKS_MAX = 1 << 20, MICRO_MAX = 1000000, JOINED_MAX = 1000 };
static const double longest = 1e13;	/* ms since 1970 */

static int64_t
ns(double ms)
{
	return (int64_t)llround(ms * 1e6);
}

/* Return the number after "NAME=" in an operation; negative: none. */
static double
figure(const char *p, const char *end, const char *name)
{
	size_t n = strlen(name);

	while ((p = memmem(p, (size_t)(end - p), name, n)) != NULL) {
		if ((p[-1] == '(' || p[-1] == ',' || p[-1] == ' ') && p + n < end && p[n] == '=') {
			p += n + 1;
			return part_real(&p, end, longest);
		}
		p += n;
	}
	return -1;
}

/* Add an operation from START to END, ms, to the current step of the rank. */
static void
add(struct operations *o, int thread, struct trace_operation op, double start, double end)
{
	op.thread = thread;
	op.start = ns(start);
	op.end = ns(end);
	op.step = o->thread[thread].step;
	*APPEND(o->at, o->n) = op;
}

/* Names of operations that Echo prints. */
static const struct { const char *name; enum operation_kind kind; const char *part; } known[] = {
	{ "forward_step", OPERATION_FORWARD, NULL }, { "backward_step", OPERATION_BACKWARD, NULL },
	{ "dp_allreduce", OPERATION_PART, "grads-all-reduce" }, { "ep_allreduce", OPERATION_PART, "embedding" },
	{ "optimizer_step", OPERATION_PART, "optimizer" },
};

/* Parse a line such as "rank:3:forward_step(stage_id=1,...)". */
static bool
echo_line(struct operations *o, const char *p, const char *end, const struct scan *s, struct place at)
{
	struct trace_operation op = { .chunk = 0, .micro = -1, .kind = OPERATION_TRANSFER };
	const char *open, *inner;
	double time, duration, stage, micro;
	long rank;
	int thread;

	if (!part_begins((struct part){ p, end }, "rank:"))
		return false;
	p += 5;
	rank = part_whole(&p, end, RANKS_MAX);
	if (rank < 0 || p == end || *p++ != ':' || (open = memchr(p, '(', (size_t)(end - p))) == NULL)
		return false;
	/* The parts of an operation are not operations of the pipeline. */
	inner = memmem(open, (size_t)(end - open), "sub_operations", 14);
	end = inner != NULL ? inner : end;
	time = figure(open, end, "timestamp");
	duration = figure(open, end, "duration");
	stage = figure(open, end, "stage_id");
	micro = figure(open, end, "batch_id");
	if (time < 0 || duration < 0)
		place_die(at, "an operation of rank %ld without a duration and a timestamp '%.*s'", rank,
		    (int)(open - p), p);
	thread = operations_rank(o, (int)rank, s);
	if (stage >= 0)
		o->thread[thread].stage = (int)fmin(stage, RANKS_MAX);
	o->thread[thread].either = true;
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if ((size_t)(open - p) == strlen(known[i].name) && memcmp(p, known[i].name, (size_t)(open - p)) == 0) {
			op.kind = known[i].kind;
			if (known[i].part != NULL)
				op.part = operations_part(o, known[i].part, s);
		}
	if (op.kind == OPERATION_TRANSFER && memmem(p, (size_t)(open - p), "send", 4) == NULL &&
	    memmem(p, (size_t)(open - p), "recv", 4) == NULL)
		return true;	/* the operation is not needed */
	if (op.kind == OPERATION_TRANSFER)
		op.part = (int)operation_side(p, (size_t)(open - p));
	if (op.kind <= OPERATION_BACKWARD) {
		if (micro < 0 || micro > MICRO_MAX)
			place_die(at, "an operation of rank %ld without its batch_id", rank);
		op.micro = (int)micro;
		/* A step begins with the first forward of its first micro-batch. */
		if (op.kind == OPERATION_FORWARD && op.micro <= o->thread[thread].micro)
			o->thread[thread].step++;
		if (op.kind == OPERATION_FORWARD)
			o->thread[thread].micro = op.micro;
		o->any = true;
	}
	add(o, thread, op, time, time + duration);
	return true;
}

/*
 * Return the ms of a time such as "1.5 (ms)" at *AT, and advance *AT after the number. Without a unit it is in ms.
 * Negative: invalid.
 */
static double
time_with_unit(const char **at, const char *end)
{
	static const struct { const char *unit; double ms; } units[] = { { "ms)", 1 }, { "us)", 1e-3 },
		{ "\xc2\xb5s)", 1e-3 }, { "ns)", 1e-6 }, { "s)", 1e3 } };
	double time = part_real(at, end, longest * 1e6);
	const char *unit = part_skip(*at, end, " ");

	if (time < 0 || unit == end || *unit != '(')
		return time > longest ? -1 : time;
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (part_begins((struct part){ unit + 1, end }, units[i].unit))
			return time * units[i].ms > longest ? -1 : time * units[i].ms;
	return -1;
}

/* Parse "[RANK0] Iteration 3" or "[RANK0] 2W @ 1.5 (ms) to 2.5 (ms), ...". */
static bool
bracket_line(struct operations *o, const char *p, const char *end, const struct scan *s, struct place at)
{
	static const char letters[] = "FBW";
	const char *letter;
	long rank, joined;
	double from, to;
	int thread;

	if (!part_begins((struct part){ p, end }, "[RANK"))
		return false;
	p += 5;
	rank = part_whole(&p, end, RANKS_MAX);
	if (rank < 0 || !part_begins((struct part){ p, end }, "] "))
		return false;
	p += 2;
	if (part_begins((struct part){ p, end }, "Iteration ")) {
		long step;

		p += 10;
		if ((step = part_whole(&p, end, 1L << 30)) < 0)
			return false;
		thread = operations_rank(o, (int)rank, s);
		o->thread[thread].step = step;
		memset(o->thread[thread].count, 0, sizeof o->thread[thread].count);
		return true;
	}
	joined = isdigit((unsigned char)*p) ? part_whole(&p, end, JOINED_MAX) : 1;
	if (joined < 1 || p == end || (letter = strchr(letters, *p)) == NULL || *letter == '\0' ||
	    !part_begins((struct part){ p + 1, end }, " @ "))
		return false;
	p += 4;
	from = time_with_unit(&p, end);
	p = memmem(p, (size_t)(end - p), " to ", 4);
	if (p != NULL)
		p += 4;
	to = p != NULL ? time_with_unit(&p, end) : -1;
	if (from < 0 || to < from)
		place_die(at, "an operation of rank %ld without its two times, in s, ms, us or ns", rank);
	thread = operations_rank(o, (int)rank, s);
	for (long i = 0; i < joined; i++) {
		struct trace_operation op = { .chunk = 0, .micro = -1, .kind = OPERATION_PART };
		double each = (to - from) / (double)joined;

		if (*letter == 'W') {
			op.part = operations_part(o, "weight_gradients", s);
		} else {
			op.kind = *letter == 'F' ? OPERATION_FORWARD : OPERATION_BACKWARD;
			op.micro = o->thread[thread].count[op.kind]++;
			o->any = true;
		}
		add(o, thread, op, from + each * (double)i, from + each * (double)(i + 1));
	}
	return true;
}

bool
rank_line(struct operations *o, const char *text, size_t n, const struct scan *s, struct place at)
{
	const char *end = text + n;

	return n > 6 && (echo_line(o, text, end, s, at) || bracket_line(o, text, end, s, at));
}

/*
 * Decide whether printed times are starts or ends. Operations of a rank do not overlap, so the choice with fewer
 * overlaps is taken.
 */
static void
times_of_ends(struct operations *o)
{
	size_t began = 0, ended = 0;
	int64_t *last = xcalloc((size_t)o->threads, sizeof *last), *time = xcalloc((size_t)o->threads, sizeof *time);
	bool *seen = xcalloc((size_t)o->threads, sizeof *seen);

	for (size_t i = 0; i < o->n; i++) {
		const struct trace_operation *op = &o->at[i];

		if (!o->thread[op->thread].either)
			continue;
		if (seen[op->thread]) {
			began += last[op->thread] > op->start;
			ended += time[op->thread] > op->start - (op->end - op->start);
		}
		seen[op->thread] = true;
		last[op->thread] = op->end;
		time[op->thread] = op->start;
	}
	for (size_t i = 0; i < o->n && ended < began; i++)
		if (o->thread[o->at[i].thread].either) {
			int64_t duration = o->at[i].end - o->at[i].start;

			o->at[i].end = o->at[i].start;
			o->at[i].start -= duration;
		}
	free(last);
	free(time);
	free(seen);
}

void
rank_lines_end(struct operations *o, int stages)
{
	struct place at = { o->source, 0 };
	int ranks = 0, each;
	bool said = true;

	for (int i = 0; i < o->threads; i++)
		if (o->thread[i].rank >= 0) {
			ranks = o->thread[i].rank >= ranks ? o->thread[i].rank + 1 : ranks;
			said &= o->thread[i].stage >= 0;
		}
	if (ranks == 0)
		return;
	for (int i = 0; i < o->threads && said; i++)
		if (o->thread[i].rank >= 0 && o->thread[i].stage >= stages)
			stages = o->thread[i].stage + 1;
	stages = stages > 0 ? stages : ranks;
	if (ranks % stages != 0)
		place_die(at, "%d ranks cannot be divided by %d stages; give the number of stages with -s", ranks,
		    stages);
	each = ranks / stages;
	for (int i = 0; i < o->threads; i++) {
		struct thread *t = &o->thread[i];

		if (t->rank < 0)
			continue;
		if (!said)
			t->stage = t->rank / each;
		free(t->pid);
		t->pid = xasprintf("%d", t->rank % each);
	}
	for (int i = 0; i < o->parts; i++)
		if (strcmp(o->part[i], "weight_gradients") == 0)
			place_warn(at, "weight gradients are separate from backwards (W): their time is reported, but "
			    "the pipeline is simulated without them");
	times_of_ends(o);
}
