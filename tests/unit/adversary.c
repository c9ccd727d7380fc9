/*
 * Ask sapp-lp random questions as records. Compare its answers with those of an exhaustive search by other code
 * (adversary_plans.h). adversary [SECONDS [FIRST]]: ask for SECONDS from question FIRST on, instead of a fixed few
 * questions.
 */
#include <jansson.h>
#include <time.h>
#include <unistd.h>

#include "adversary_plans.h"
#include "tap.h"


static struct tally {
	int questions, refused, feasible, equal, below, infeasible, none, least, known;
	int written, read;
	int wrong;
} tally;

/* Return the last record of a kind in a file, or NULL if none exists. */
static json_t *
record(const char *file, const char *kind)
{
	char name[64], *line = NULL;
	size_t size = 0;
	json_t *last = NULL;
	FILE *f;

	snprintf(name, sizeof name, "%s/%s", adversary_dir, file);
	f = fopen(name, "r");
	while (f != NULL && getline(&line, &size, f) > 0) {
		json_t *r = json_loads(line, 0, NULL);

		if (r != NULL && strcmp(json_string_value(json_object_get(r, "kind")), kind) == 0) {
			json_decref(last);
			last = json_incref(r);
		}
		json_decref(r);
	}
	if (f != NULL)
		fclose(f);
	free(line);
	return last;
}

static double
number(const json_t *r, const char *name)
{
	const json_t *x = json_object_get(r, name);

	return x == NULL ? NAN : json_number_value(x);
}

static void
add_op(struct order *o, int s, const char *text)
{
	struct op x = { 0 };

	if (sscanf(text, "%d%c%d", &x.piece, &x.phase, &x.unit) != 3 || x.piece >= PIECES || x.unit >= UNITS)
		abort();
	o->op[s][o->n[s]++] = x;
	o->pieces = x.piece >= o->pieces ? x.piece + 1 : o->pieces;
}

static void
find_pieces(struct order *o, int stages)
{
	for (int s = 0; s < stages; s++)
		for (int p = 0; p < o->pieces; p++) {
			bool here = false;

			for (int i = 0; i < o->n[s]; i++)
				here |= o->op[s][i].piece == p;
			if (here)
				o->of[s][o->npieces[s]++] = p;
		}
}

/* Read an order of operations from a file in PyTorch's form: a line for each stage. */
static bool
read_order(const struct question *q, const char *file, struct order *o)
{
	char name[64], *line = NULL, *rest;
	size_t size = 0;
	FILE *f;

	*o = (struct order){ .pieces = 0 };
	snprintf(name, sizeof name, "%s/%s", adversary_dir, file);
	f = fopen(name, "r");
	for (int s = 0; f != NULL && s < q->stages && getline(&line, &size, f) > 0; s++)
		for (char *x = strtok_r(line, ",\n", &rest); x != NULL; x = strtok_r(NULL, ",\n", &rest)) {
			if (*x != '(') {
				add_op(o, s, x);
				continue;
			}
			add_op(o, s, x + 1);
			o->op[s][o->n[s] - 1].joined = true;
			add_op(o, s, strchr(x, ';') + 1);
		}
	free(line);
	if (f != NULL)
		fclose(f);
	find_pieces(o, q->stages);
	return o->pieces > 0;
}

/* Make the order of 1f1b with sequences in parts, for which no file exists. */
static void
split_order(const struct question *q, struct order *o)
{
	int units = q->micro * q->splits;

	*o = (struct order){ .pieces = 0 };
	for (int s = 0; s < q->stages; s++) {
		int first = q->stages - s - 2 + q->splits, f = 0, b = 0;

		while (b < units) {
			struct op x = { .piece = s, .phase = 'F' };

			if (f < units && f <= b + first) {
				x.unit = f++;
			} else {
				x.phase = 'B';
				x.unit = b / q->splits * q->splits + q->splits - 1 - b % q->splits;
				b++;
			}
			o->op[s][o->n[s]++] = x;
		}
	}
	o->pieces = q->stages;
	find_pieces(o, q->stages);
}

static void
fail(const struct question *q, int n, const char *what, double want, double got)
{
	char command[128];

	tally.wrong++;
	printf("# question %d (%s%s%s, %d stages x %d, %d micro-batches, mixes %c): %s: %.12g, said %.12g\n", n,
	    q->target != NULL ? q->target->name : "", q->target != NULL ? " " : "", q->schedule, q->stages,
	    q->chunks, q->micro, q->mixes, what, want, got);
	if (getenv("KEEP") != NULL) {
		snprintf(command, sizeof command, "cp -r %s %s/question%d", adversary_dir, getenv("KEEP"), n);
		if (system(command) != 0)
			puts("# not kept");
	}
	fflush(stdout);
}

/* Return the number of layers of a piece of a plan. */
static int
planned(const struct question *q, const json_t *plan, const struct layers *l, int t, int kind, size_t chunk,
    size_t stage)
{
	const json_t *all = json_object_get(plan, l->side == 0 ? "counts" : "ends");

	if (l->bound)
		return 0;
	all = json_object_get(json_object_get(all, name_of(q, t)), kind_names[kind]);
	return (int)json_integer_value(json_array_get(json_array_get(all, chunk), stage));
}

/* Check the step and the peaks of the plan with independent code. */
static void
check_plan(const struct question *q, int n, const struct order *o, const json_t *plan, const json_t *sim)
{
	const json_t *peak = json_object_get(sim, "peak_memory");
	struct load load[STAGES][PIECES];
	const struct load *at[STAGES][PIECES];
	struct outcome out;

	for (int s = 0; s < q->stages; s++)
		for (int i = 0; i < o->pieces; i++)
			at[s][i] = &load[s][i];
	for (int s = 0; s < q->stages; s++)
		for (int v = 0; v < o->npieces[s]; v++) {
			int piece = o->of[s][v], type[LAYERS], kind[LAYERS], layers = 0;
			/* If data pass in both directions, a plan has only the pieces of one direction. */
			size_t stage = (size_t)(q->chunks == 1 ? piece : s), chunk = q->chunks == 1 ? 0 : (size_t)v;

			for (int i = 0; i < q->ntypes * KINDS; i++) {
				int t = i / KINDS, count = planned(q, plan, &q->type[t], t, i % KINDS, chunk, stage);

				for (int j = 0; j < count && layers < LAYERS; j++) {
					type[layers] = t;
					kind[layers++] = i % KINDS;
				}
			}
			set_load(q, o, &load[s][piece], piece, s, type, kind, layers);
		}
	out = run_plan(q, o, at);
	if (fabs(out.step - number(plan, "step_time")) > 1e-9 * out.step)
		fail(q, n, "step of the plan", out.step, number(plan, "step_time"));
	for (int s = 0; s < q->stages; s++) {
		double said = json_number_value(json_array_get(peak, (size_t)s));

		if (fabs(out.peak[s] - said) > 1e-7 * fmax(1, fabs(out.peak[s])))
			fail(q, n, "peak of the plan", out.peak[s], said);
		if (out.peak[s] > q->limit[q->nlimits > 1 ? s : 0] + FITS * 1.1)
			fail(q, n, "limit", q->limit[q->nlimits > 1 ? s : 0], out.peak[s]);
	}
}

/* Write the plan as settings of the framework, and read it back. */
static void
check_settings(const struct question *q, int n, double step)
{
	char command[512];
	json_t *back;

	snprintf(command, sizeof command, "cd %s && sapp-yaml -f %s answer >settings.yaml 2>said", adversary_dir,
	    q->target->format);
	if (system(command) != 0) {
		fail(q, n, "written", 0, 1);
		return;
	}
	tally.written++;
	if (!q->target->read_back)
		return;
	snprintf(command, sizeof command, "cd %s && sapp-yaml -r settings.yaml -name back answer 2>said >settings && "
	    "sapp-sim -j settings >back 2>>said", adversary_dir);
	if (system(command) != 0) {
		fail(q, n, "read back", 0, 1);
		return;
	}
	back = record("back", "sim");
	if (fabs(number(back, "step_time") - step) > 1e-9 * step)
		fail(q, n, "step of what was read back", step, number(back, "step_time"));
	tally.read++;
	json_decref(back);
}

static void
check_answer(struct question *q, int n, const struct order *o, int status)
{
	json_t *plan = record("answer", "plan"), *sim = record("sim", "sim"), *again;
	bool fits = status == 0, is_free = strcmp(q->schedule, "free") == 0;
	struct best best;

	if (!try_all(q, o, &best) || best.plans == 0) {
		json_decref(plan);
		json_decref(sim);
		return;
	}
	tally.questions++;
	if (fits != (best.fitting > 0)) {
		fail(q, n, "plans that fit", (double)best.fitting, fits);
	} else if (fits) {
		double step = number(plan, "step_time"), bound = number(plan, "lower_bound");
		bool optimal = strcmp(json_string_value(json_object_get(plan, "status")), "optimal") == 0;

		tally.feasible++;
		check_plan(q, n, o, plan, sim);
		if (q->target != NULL)
			check_settings(q, n, number(sim, "step_time"));
		if (step < best.step * (1 - 1e-12) || (optimal && !is_free && step > best.step * (1 + 1e-9)))
			fail(q, n, "least step", best.step, step);
		else if (optimal)
			tally.equal++;
		else if (getenv("VERBOSE") != NULL)
			printf("# question %d (%s): not proved, %.12g, at least %.12g, least %.12g\n", n,
			    q->schedule, step, bound, best.step);
		if (bound > best.step)
			fail(q, n, "bound", best.step, bound);
		else
			tally.below++;
		if (n % 4 == 0 && !is_free && ask_planner(q, q->schedule, strcmp(q->schedule, "custom") == 0 ?
		    "-t 20 -gap 0 -known answer -order order" : "-t 20 -gap 0 -known answer", "again") == 0) {
			again = record("again", "plan");
			if (fabs(number(again, "step_time") - step) > 1e-9 * step)
				fail(q, n, "step when known", step, number(again, "step_time"));
			tally.known++;
			json_decref(again);
		}
	} else {
		double excess = number(plan, "excess"), least = number(plan, "excess_at_least");

		tally.infeasible++;
		tally.none++;
		if (excess < best.excess - 1e-6 || least > best.excess + 1e-6)
			fail(q, n, "least excess", best.excess, excess);
		else
			tally.least += fabs(excess - best.excess) <= 1e-6;
	}
	json_decref(plan);
	json_decref(sim);
}

static void
ask(int n)
{
	struct question q;
	static struct order o, now;
	bool custom, is_free;
	char command[256], more[64];
	int status;

	draw(&q, n);
	custom = strcmp(q.schedule, "custom") == 0;
	is_free = strcmp(q.schedule, "free") == 0;
	write_layers(&q);
	/* First print the order; no limit changes it. */
	q.nlimits = 1;
	q.limit[0] = 1e9;
	status = ask_planner(&q, !custom ? is_free ? "1f1b" : q.schedule : q.chunks == 1 ? n % 2 ? "zb-h1" : "1f1b" :
	    n % 2 ? "zbv" : "vpp", "-t 1 -gap 10", "answer");
	snprintf(command, sizeof command, "cd %s && sapp-sim -j -order-csv order answer >sim 2>>said", adversary_dir);
	if (status != 0 || (q.splits == 1 && system(command) != 0)) {
		tally.refused++;
		return;
	}
	if (q.splits > 1)
		split_order(&q, &o);
	else if (!read_order(&q, "order", &o))
		abort();
	if (!draw_limits(&q, &o))
		return;
	snprintf(more, sizeof more, "-t 20 -gap 0%s", custom ? " -order order" : "");
	status = ask_planner(&q, q.schedule, more, "answer");
	if (status != 0 && status != 3) {
		fail(&q, n, "exit status", 0, status);
		return;
	}
	snprintf(command, sizeof command, "cd %s && sapp-sim -j%s answer >sim 2>>said", adversary_dir,
	    q.splits > 1 ? "" : " -order-csv now");
	if (status == 0 && system(command) != 0)
		fail(&q, n, "simulated", 0, 1);
	if (status == 0 && q.splits == 1 && read_order(&q, "now", &now)) {
		if (is_free)
			o = now;
		else if (memcmp(&o, &now, sizeof o) != 0)
			fail(&q, n, "the order is another with limits", 0, 1);
	}
	check_answer(&q, n, &o, status);
}

int
main(int argc, char **argv)
{
	int from = argc > 2 ? atoi(argv[2]) : 0, questions = draws(15, 60);
	time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 0);
	char tidy[64];

	if (mkdtemp(adversary_dir) == NULL)
		abort();
	for (int n = from; argc > 1 ? time(NULL) < end : n < from + questions; n++)
		ask(n);
	printf("# %6d questions from number %d on, %d more refused as nothing can run them\n"
	    "# %6d answered with a plan\n"
	    "# %6d of them \"optimal\", and the least step of all plans\n"
	    "# %6d with a bound not above it\n"
	    "# %6d asked again with the answer known, and the same\n"
	    "# %6d answered \"no plan fits\"\n"
	    "# %6d of them true\n"
	    "# %6d with the least limit exact\n"
	    "# %6d written for their frameworks, %d of them read back and as long\n", tally.questions, from,
	    tally.refused, tally.feasible, tally.equal,
	    tally.below, tally.known, tally.infeasible, tally.none, tally.least,
	    tally.written, tally.read);
	ok(tally.feasible > tally.questions / 4 && tally.infeasible > tally.questions / 20, "questions of both sorts");
	same(0, tally.wrong, "answers, steps, peaks and bounds as by other code");
	snprintf(tidy, sizeof tidy, "rm -rf %s", adversary_dir);
	ok(system(tidy) == 0, "no file left");
	return tap_done();
}
