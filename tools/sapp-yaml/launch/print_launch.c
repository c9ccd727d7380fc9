/* Print launch: print a plan as arguments, after they were read back and simulated. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/model/strategy.h"
#include "lib/order/timed_schedule.h"
#include "lib/setup/launch_yaml.h"
#include "lib/setup/launched.h"
#include "lib/simulate/simulation.h"
#include "lib/yaml/yaml.h"
#include "sapp-yaml/plan/degrees.h"
#include "sapp-yaml/plan/print.h"
#include "arguments.h"

/* Return the number of micro-batches in the first group, with any remainder that joins it. */
static int
first_group(const struct shape *q, int micro)
{
	int group = q->group > 0 ? q->group : q->stages;

	return micro < group ? micro : group + micro % group;
}

static bool
same_groups(const struct shape *a, const struct shape *b, int micro)
{
	int of_a = a->group > 0 ? a->group : a->stages, of_b = b->group > 0 ? b->group : b->stages;

	if (a->chunks == 1 || of_a == of_b)
		return true;
	return micro > 0 && first_group(a, micro) == micro && first_group(b, micro) == micro;
}

/* Return the schedule that the arguments of a plan have. On one stage with one chunk, vpp is the same as 1f1b. */
static enum schedule_kind
kind_of(const struct shape *q)
{
	return q->kind == SCHEDULE_VPP && q->chunks == 1 && q->stages == 1 ? SCHEDULE_1F1B : q->kind;
}

static double
simulated(const struct plan *p, const struct network *net, const struct shape *q, const struct yaml_question *asked)
{
	struct schedule sched = timed_schedule_of_plans(q, net, &asked->devices);
	struct load load = load_from_plan(p, net, q, &asked->devices);
	double step;

	step = simulation_step(&sched, &load);
	load_free(&load);
	schedule_free(&sched);
	return step;
}

/* Print the step of the arguments and the step of the plan. Exits if the arguments take longer. */
static void
tell_step(const struct plan *p, const struct yaml_question *q, const struct launched *x, const struct network *net,
    const char *not_done)
{
	struct settings s = settings_from_counts(x->kind, q->layers);
	struct shape shape = x->shape;
	struct pipeline as = { .stages = shape.stages, .micro_batches = q->micro_batches, .interleave = shape.chunks,
	    .schedule = (int)shape.kind };
	struct plan back = x->layer != NULL ? strategy_from_layers(p->name, PLAN_MANUAL, &s, x->layer, net, &as,
	    q->place) : strategy_from_kinds(p->name, PLAN_MANUAL, &s, x->kind, recompute_costly_first, net, &as);
	struct shape own = q->shape;
	double step, planned;

	/* Unbound ends of the model are in the pieces in which the plan has them. */
	back.ends = p->ends;
	load_check(p, net, &own, q->place);
	planned = simulated(p, net, &own, q);
	shape.micro = q->micro_batches;
	step = simulated(&back, net, &shape, q);
	fprintf(stderr, "%s: '%s': a step takes %.2f ms with these arguments, %.2f as planned\n",
	    program_invocation_short_name, p->name, step, planned);
	if (step > planned * (1 + 1e-9))
		place_die(q->place, "'%s': %s: the arguments take longer than the plan", p->name, not_done);
	back.ends = (struct array){ 0 };
	fields_free(&plan_fields, &back);
	settings_free(&s);
}

/* Exit unless each layer has the plan's kind of recomputation. */
static void
verify_layers(const struct launched *x, const struct plan *p, const struct yaml_question *q, const char *not_done)
{
	int *want = question_layer_kinds(q, p);

	for (int i = 0; i < q->layers; i++)
		if (x->layer[i] != want[i])
			place_die(q->place, "'%s': %s: layer %d would have recomputation '%s', not '%s'", p->name,
			    not_done, i, recompute_names[x->layer[i]], recompute_names[want[i]]);
	free(want);
}

/* Subtract the multi-token prediction layers that are not BODY layers. Exits if the arguments recompute them. */
static void
leave_ends(struct launched *x, const struct plan *p, const struct yaml_question *q, const char *not_done)
{
	for (int i = 0; i < q->pieces.chunks * q->pieces.stages; i++) {
		int ends = question_predicting_ends(p, i);

		if (ends > x->kind[RECOMPUTE_NONE].at[i])
			place_die(q->place, "'%s': %s: the arguments would also recompute the layers for multi-token "
			    "prediction", p->name, not_done);
		x->kind[RECOMPUTE_NONE].at[i] -= ends;
	}
}

/* Exit unless the launch has the plan's layers, recomputation and order. */
static void
verify_plan(struct launch *back, const struct plan *p, const struct yaml_question *q, const struct network *net,
    const char *not_done)
{
	struct launched x;

	/* A file without --num-layers takes its network from another file. */
	if (back->value[LAUNCH_LAYERS] == NULL)
		launch_set(back, LAUNCH_LAYERS, xasprintf("%d", q->layers - q->extra));
	launched_read(&x, back, &q->modules);
	if (x.shape.stages != q->shape.stages || x.shape.chunks != q->shape.chunks ||
	    x.shape.kind != kind_of(&q->shape) || !same_groups(&x.shape, &q->shape, q->micro_batches))
		place_die(q->place, "'%s': %s: the arguments would not express its schedule", p->name, not_done);
	leave_ends(&x, p, q, not_done);
	if (x.layer != NULL)
		verify_layers(&x, p, q, not_done);
	else
		question_verify(q, p, x.kind, "the arguments");
	if (net != NULL && q->micro_batches > 0)
		tell_step(p, q, &x, net, not_done);
	launched_free(&x);
}

/* Exit unless the launch has the settings of the candidate, and its number of devices. */
static void
verify_candidate(const struct started *back, bool experts, const struct plan *p, const struct yaml_question *q,
    const char *not_done)
{
	const struct configuration *c = q->degrees;
	struct configuration said;
	char *wrong;

	degrees_of_started(&said, back, configuration_devices(c), experts);
	wrong = degrees_difference(c, &said, experts);
	if (wrong != NULL)
		place_die(q->place, "'%s': %s: the arguments would not express the candidate: %s", p->name, not_done,
		    wrong);
	free(said.stage_layers.at);
}

void
launch_verify(struct launch *back, const struct started *started, const struct plan *p,
    const struct yaml_question *q, const struct network *net, const char *not_done)
{
	bool experts = question_experts(q) || back->value[LAUNCH_EXPERTS] != NULL;

	verify_plan(back, p, q, net, not_done);
	if (q->degrees != NULL)
		verify_candidate(started, experts, p, q, not_done);
}

void
print_launch(const struct plan *p, const struct yaml_question *q, enum target target, enum launch_dialect dialect,
    const struct network *net)
{
	struct launch l = launch_of_plan(p, q, target, dialect), back;
	struct started started;
	struct yaml *root = NULL;
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	if (q->degrees != NULL) {
		struct candidate_words words = { target, dialect, question_experts(q) };

		launch_add_candidate(&l, q->degrees, &words, q->place);
		if (dialect == LAUNCH_YAML)
			launch_yaml_defaults(&l, target);
	}
	if (dialect == LAUNCH_YAML)
		launch_print_yaml(&l, target, f);
	else
		launch_print(&l, dialect, f);
	memstream_close(f);
	if (dialect == LAUNCH_YAML) {
		root = yaml_parse_loaded(text, size, "the arguments", false);
		yaml_started(&started, root, "");
	} else {
		started_list(&started, text, "the arguments");
	}
	launch_of_started(&back, &started);
	launch_verify(&back, &started, p, q, net, "not printed");
	launch_free(&back);
	started_free(&started);
	if (root != NULL)
		yaml_release(root);
	fputs(text, stdout);
	free(text);
	launch_free(&l);
}
