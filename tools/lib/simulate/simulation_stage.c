/* Run a stage's operations until the data of the next one are missing. */
#include "simulation_stage.h"

static inline double
larger(double a, double b)
{
	return a > b ? a : b;
}

static inline double
duration(const struct lane *lane, uint32_t micro)
{
	return lane->factor == NULL ? lane->duration : lane->factor[micro] * lane->duration;
}

/* An operation, and the end of the operation that it depends on; NULL: none. */
struct link {
	const struct stage_line *line;
	uint32_t micro;
	const double *need;
};

static inline struct link
link_of(const struct stage *stage, const struct op *op, size_t mask, int lanes, bool told)
{
	const struct stage_line *line = &stage->line[op->chunk * PHASES + op->phase];
	size_t at = told ? (op->micro & mask) * (size_t)(lanes + 1) : op->micro;

	return (struct link){ line, op->micro, line->need == NULL ? NULL : line->need + at };
}

/* Return whether the operation that this one depends on has run. */
static inline bool
there(const struct link *l, int lanes, bool told)
{
	return l->need == NULL || (told ? l->need[lanes] == l->micro : l->need[0] >= 0);
}

/* Return the ms at which the dependency's data are computed. Return the ms at which they arrive. */
static inline double
ready(const struct link *l, int lane)
{
	return l->need == NULL ? 0 : l->need[lane];
}

static inline double
arrival(const struct link *l, int lane)
{
	return l->need == NULL ? 0 : l->need[lane] + l->line->lane[lane].delay;
}

static inline void
give(const struct link *l, const double *clock, size_t mask, int lanes, bool told)
{
	double *end = l->line->end;

	if (!told) {
		end[l->micro] = clock[0];
		__builtin_prefetch(end + l->micro + 12, 1);
	} else if (end != NULL) {
		end += (l->micro & mask) * (size_t)(lanes + 1);
		for (int k = 0; k < lanes; k++)
			end[k] = clock[k];
		end[lanes] = l->micro;
	}
}

/*
 * Store why an operation, or two overlapping ones from OP on, began TIME before END. BEFORE: end of the previous
 * operation. READY: end of the operation on another stage whose data, of PHASE, they needed.
 */
static inline void
tell(struct stage *stage, const struct op *op, uint8_t cause, enum phase phase, double ready, double before,
    double time, double end)
{
	double start = larger(end - time, 0);

	stage->cause[op - stage->first] = cause;
	if (op == stage->first)
		stage->fill = start;
	else if (start > before)
		waiting_add(&stage->waiting, phase, before, start, ready);
}

static inline void
tell_one(struct stage *stage, const struct op *op, const struct link *l, double before, double time, double end)
{
	tell(stage, op, before >= arrival(l, 0) ? 0 : CAUSE_DATA, (enum phase)op->phase, ready(l, 0),
	    before, time, end);
}

static inline void
tell_both(struct stage *stage, const struct op *op, const struct link *l, double before, double time, double end)
{
	double one = arrival(&l[0], 0), other = arrival(&l[1], 0);
	int later = other > one;

	tell(stage, op, (uint8_t)((before >= larger(one, other) ? 0 : CAUSE_DATA) |
	    (one > other ? CAUSE_FIRST : later ? CAUSE_SECOND : 0)), (enum phase)op[later].phase,
	    ready(&l[later], 0), before, time, end);
}

/*
 * LANES and TOLD are compile-time constants, so that the compiler unrolls the loops over loads. These are independent.
 */
static inline __attribute__((always_inline)) bool
advance(struct stage *stage, const struct course *course, const int lanes, const bool told)
{
	const struct op *op = stage->next;
	size_t mask = course->mask;
	double clock[LANES], memory = stage->memory, peak = stage->peak;

	for (int k = 0; k < lanes; k++)
		clock[k] = stage->clock[k];
	for (; op < stage->last; op++) {
		struct link l[2] = { link_of(stage, op, mask, lanes, told) };
		const struct stage_line *line = l[0].line;
		double before = clock[0], time = 0;

		if (!there(&l[0], lanes, told))
			break;
		__builtin_prefetch(op + 24);
		if (op->joined) {
			const struct stage_line *other;

			l[1] = link_of(stage, op + 1, mask, lanes, told);
			other = l[1].line;
			if (!there(&l[1], lanes, told))
				break;
			for (int k = lanes - 1; k >= 0; k--) {
				time = course->together * (duration(&line->lane[k], op->micro) +
				    duration(&other->lane[k], op[1].micro)) + line->lane[k].post +
				    other->lane[k].post;
				clock[k] = larger(clock[k], larger(arrival(&l[0], k), arrival(&l[1], k))) + time;
			}
			if (told)
				tell_both(stage, op, l, before, time, clock[0]);
			give(&l[0], clock, mask, lanes, told);
			give(&l[1], clock, mask, lanes, told);
			peak = larger(peak, memory + line->first + line->transient + other->transient);
			memory += line->change;
			peak = larger(peak, memory + other->first + line->transient + other->transient);
			memory += other->change;
			op++;
			continue;
		}
		for (int k = lanes - 1; k >= 0; k--) {
			time = duration(&line->lane[k], op->micro) + line->lane[k].post;
			clock[k] = larger(clock[k], arrival(&l[0], k)) + time;
		}
		if (told)
			tell_one(stage, op, &l[0], before, time, clock[0]);
		give(&l[0], clock, mask, lanes, told);
		peak = larger(peak, memory + line->first + line->transient);
		memory += line->change;
	}
	if (op == stage->next)
		return false;
	stage->next = op;
	for (int k = 0; k < lanes; k++)
		stage->clock[k] = clock[k];
	stage->memory = memory;
	stage->peak = peak;
	return true;
}

static bool
advance_kept(struct stage *stage, const struct course *course)
{
	return advance(stage, course, 1, false);
}

static bool
advance_one(struct stage *stage, const struct course *course)
{
	return advance(stage, course, 1, true);
}

static bool
advance_two(struct stage *stage, const struct course *course)
{
	return advance(stage, course, 2, true);
}

static bool
advance_three(struct stage *stage, const struct course *course)
{
	return advance(stage, course, 3, true);
}

advance_function *
stage_advance(const struct course *c)
{
	static advance_function *const told[LANES] = { advance_one, advance_two, advance_three };

	return c->told ? told[c->lanes - 1] : advance_kept;
}
