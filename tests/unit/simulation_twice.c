/* Simulate random pipelines and orders twice, the second time with an independent simulator. */
#include "lib/simulate/simulation.h"

#include "pipeline.h"

/* The second simulator raises the ends of operations until none changes. */

/* Find the piece K places after this one, with separate arithmetic; -1 if none exists. */
static int
beside(const struct schedule *s, int stage, int chunk, int k)
{
	int p = s->stages, n, pieces = s->chunks * p;

	switch (s->shape.kind) {
	case SCHEDULE_DUALPIPE:
		n = (chunk == 0 ? stage : p - 1 - stage) + k;
		return n < 0 || n >= p ? -1 : chunk * p + (chunk == 0 ? n : p - 1 - n);
	case SCHEDULE_ZBV:
	case SCHEDULE_V_HALF:
	case SCHEDULE_V_MIN:
	case SCHEDULE_V_AUTO:
	case SCHEDULE_DUALPIPEV:
	case SCHEDULE_ZERO_BUBBLE_V:
		n = (chunk == 0 ? stage : pieces - 1 - stage) + k;
		return n < 0 || n >= pieces ? -1 : n < p ? n : p + pieces - 1 - n;
	default:
		n = chunk * p + stage + k;
		return n < 0 || n >= pieces ? -1 : n;
	}
}

/* Return the position of an operation in s->op. */
static size_t
find(const struct schedule *s, int piece, int phase, uint32_t micro)
{
	for (size_t i = s->first[piece % s->stages]; i < s->first[piece % s->stages + 1]; i++) {
		bool backward = s->op[i].phase == PHASE_B || s->op[i].phase == PHASE_I;

		if (s->op[i].chunk == piece / s->stages && s->op[i].micro == micro &&
		    (phase == PHASE_B ? backward : s->op[i].phase == phase))
			return i;
	}
	return SIZE_MAX;
}

/* Set END of each operation, by position in s->op. Return false if the order cannot run. */
static bool
fixpoint(const struct schedule *s, const struct load *l, double *end)
{
	size_t n = schedule_ops(s), *need = calloc(n, sizeof *need);
	double *delay = calloc(n, sizeof *delay), *time = calloc(n, sizeof *time);
	bool changed = true;
	size_t round;

	for (int stage = 0; stage < s->stages; stage++)
		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
			struct op op = s->op[i];
			int at = op.chunk * s->stages + stage, from = at, phase = PHASE_B;

			if (op.phase == PHASE_F) {
				from = beside(s, stage, op.chunk, -1);
				phase = PHASE_F;
			} else if (op.phase != PHASE_W) {
				from = beside(s, stage, op.chunk, 1);
				if (from < 0) {
					from = at;
					phase = PHASE_F;
				}
			}
			need[i] = from < 0 ? SIZE_MAX : find(s, from, phase, op.micro);
			delay[i] = from < 0 || from % s->stages == stage ? 0 : l->comm;
			time[i] = op.phase == PHASE_F ? l->forward.at[at]
			    : op.phase == PHASE_W
			    ? l->weight.at[at]
			    : l->backward.at[at] - (op.phase == PHASE_I ? l->weight.at[at] : 0);
			end[i] = 0;
		}
	for (round = 0; changed && round <= n + 1; round++) {
		changed = false;
		for (int stage = 0; stage < s->stages; stage++)
			for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
				bool pair = s->op[i].joined == 1;
				double start = i > s->first[stage] ? end[i - 1] : 0, took = time[i];

				if (s->op[i].joined == 2)
					continue;
				if (need[i] != SIZE_MAX)
					start = fmax(start, end[need[i]] + delay[i]);
				if (pair && need[i + 1] != SIZE_MAX)
					start = fmax(start, end[need[i + 1]] + delay[i + 1]);
				if (pair)
					took = l->together * (time[i] + time[i + 1]);
				if (end[i] < start + took) {
					end[i] = start + took;
					if (pair)
						end[i + 1] = end[i];
					changed = true;
				}
			}
	}
	free(need);
	free(delay);
	free(time);
	return !changed;
}

/* Compute the memory of a stage by summing up, for each position, all memory that is held. */
static double
peak_again(const struct schedule *s, const struct load *l, int stage)
{
	double most = 0;

	for (size_t k = s->first[stage]; k < s->first[stage + 1]; k++) {
		double held = l->transient.at[s->op[k].chunk * s->stages + stage];

		if (s->op[k].joined != 0)
			held += l->transient.at[s->op[s->op[k].joined == 1 ? k + 1 : k - 1].chunk * s->stages + stage];
		/* The transient memory of the operation itself counts if it is larger than that of the others. */
		for (size_t i = s->first[stage]; i < k + (s->op[k].phase == PHASE_F); i++) {
			int at = s->op[i].chunk * s->stages + stage;

			switch (s->op[i].phase) {
			case PHASE_F:
				held += l->activation.at[at];
				break;
			case PHASE_B:
				held -= l->activation.at[at];
				break;
			case PHASE_I:
				held -= l->activation.at[at] - l->kept.at[at];
				break;
			case PHASE_W:
				held -= l->kept.at[at];
				break;
			}
		}
		most = fmax(most, held);
	}
	return l->fixed.at[stage] + most;
}

static bool
same_ends(const struct simulation *sim, const double *end)
{
	const struct schedule *s = sim->schedule;
	double step = 0;

	for (int stage = 0; stage < s->stages; stage++)
		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
			if (fabs(sim->end[schedule_slot(s, stage, s->op[i])] - end[i]) > 1e-9)
				return false;
			step = fmax(step, end[i]);
		}
	return fabs(step - sim->step_time) < 1e-9;
}

static double
path_length(const struct simulation *sim)
{
	struct path path = simulation_path(sim);
	double length = path.delay;

	for (int p = 0; p < PHASES; p++)
		for (int i = 0; i < path.time[p].chunks * path.time[p].stages; i++)
			length += path.time[p].at[i];
	path_free(&path);
	return length;
}

static void
compare(const struct schedule *s, const struct load *l, struct cases *times, struct cases *memory,
    struct cases *paths)
{
	struct simulation sim = { 0 };
	double *end = calloc(schedule_ops(s), sizeof *end);
	const struct shape *q = &s->shape;

	if (simulation_run(&sim, s, l)) {
		case_is(times, fixpoint(s, l, end) && same_ends(&sim, end), q, sim.step_time);
		for (int stage = 0; stage < s->stages; stage++)
			case_is(memory, sim.peak.at[stage] == peak_again(s, l, stage), q, sim.peak.at[stage]);
		case_is(paths, fabs(path_length(&sim) - sim.step_time) < 1e-9, q, path_length(&sim));
	} else {
		char *cycle = simulation_cycle(&sim);

		case_is(times, !fixpoint(s, l, end) && strstr(cycle, "waits for") != NULL, q, -1);
		free(cycle);
	}
	simulation_free(&sim);
	free(end);
}

static void
random_pipelines(void)
{
	struct cases times = { 0 }, memory = { 0 }, paths = { 0 };

	srand(1);
	while (times.n < 1500) {
		struct shape q = { .kind = (enum schedule_kind)random_below(SCHEDULE_CUSTOM),
			.stages = 1 + random_below(6),
			.chunks = 1 + random_below(3),
			.micro = 1 + random_below(14),
			.splits = random_below(4) };
		struct load l;
		struct schedule s;

		if (schedule_problem(&q) != NULL)
			continue;
		l = random_load(schedule_mirrored(q.kind) ? 2 : q.chunks, q.stages);
		/* Recomputed activations exist again for W, and may be larger. */
		for (int i = 0; i < l.chunks * l.stages && times.n % 2; i++)
			l.kept.at[i] *= 3;
		s = schedule_new(&q);
		compare(&s, &l, &times, &memory, &paths);
		schedule_free(&s);
		load_free(&l);
	}
	cases_done(&times, "random pipelines: every end as the other simulator has it");
	cases_done(&memory, "random pipelines: every peak as added up again");
	cases_done(&paths, "random pipelines: the critical path is as long as the step");
}

/* Swap operations of a good order at random: most orders cannot run, and both simulators must agree on which. */
static void
random_orders(void)
{
	struct cases times = { 0 }, memory = { 0 }, paths = { 0 };
	int stuck = 0;

	srand(2);
	for (int n = 0; n < 1500; n++) {
		struct shape q = { .kind = n % 2 ? SCHEDULE_VPP : SCHEDULE_ZB_H1,
			.stages = 1 + random_below(4),
			.chunks = n % 2 ? 1 + random_below(3) : 1,
			.micro = 1 + random_below(6) };
		struct load l = random_load(q.chunks, q.stages);
		struct schedule s = schedule_new(&q);
		struct simulation sim = { 0 };

		for (int swaps = random_below(4); swaps > 0; swaps--) {
			size_t i = (size_t)random_below((int)schedule_ops(&s) - 1);
			struct op op = s.op[i];

			for (int stage = 1; stage < s.stages; stage++)
				if (s.first[stage] == i + 1)
					i = SIZE_MAX;
			if (i != SIZE_MAX) {
				s.op[i] = s.op[i + 1];
				s.op[i + 1] = op;
			}
		}
		stuck += !simulation_run(&sim, &s, &l);
		simulation_free(&sim);
		compare(&s, &l, &times, &memory, &paths);
		schedule_free(&s);
		load_free(&l);
	}
	cases_done(&times, "random orders: the other simulator agrees, also on those that cannot run");
	cases_done(&memory, "random orders: memory");
	ok(stuck > 100 && stuck < 1400, "some could, some could not");
}

int
main(void)
{
	random_pipelines();
	random_orders();
	return tap_done();
}
