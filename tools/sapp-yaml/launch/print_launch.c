/* Print a plan as arguments after reading them back and simulating them. */
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

/* Return the micro-batches of the first group, including the remainder. */
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

/* Schedules of one chunk per stage have other names when they interleave. */
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

/* Print the step of the arguments next to the plan's. */
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

	/* Unbound ends are where the plan has them. */
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

/* Exclude multi-token prediction layers that are not BODY layers. */
static void
leave_ends(struct launched *x, const struct plan *p, const struct yaml_question *q, const char *not_done)
{
	for (int i = 0; i < q->pieces.chunks * q->pieces.stages; i++) {
		int ends = question_predicting_ends(p, i);

		if (ends > x->kind[RECOMPUTE_NONE].at[i])
			place_die(q->place, "'%s': %s: the arguments would recompute the layers that predict "
			    "further tokens, too", p->name, not_done);
		x->kind[RECOMPUTE_NONE].at[i] -= ends;
	}
}

void
launch_verify(const struct launch *back, const struct plan *p, const struct yaml_question *q, const struct network *net,
    const char *not_done)
{
	struct launched x;

	launched_read(&x, back, &q->modules);
	if (x.shape.stages != q->shape.stages || x.shape.chunks != q->shape.chunks ||
	    x.shape.kind != kind_of(&q->shape) || !same_groups(&x.shape, &q->shape, q->micro_batches))
		place_die(q->place, "'%s': %s: the arguments would not say its schedule", p->name, not_done);
	leave_ends(&x, p, q, not_done);
	if (x.layer != NULL)
		verify_layers(&x, p, q, not_done);
	else
		question_verify(q, p, x.kind, "the arguments");
	if (net != NULL && q->micro_batches > 0)
		tell_step(p, q, &x, net, not_done);
	launched_free(&x);
}

void
launch_verify_candidate(const struct launch *back, const struct plan *p, const struct yaml_question *q,
    const char *not_done)
{
	const struct configuration *c = q->degrees;
	struct configuration said;
	bool experts = question_experts(q) || back->value[LAUNCH_EXPERTS] != NULL;
	char *wrong;

	if (c == NULL)
		return;
	degrees_of_launch(&said, back, configuration_devices(c), experts);
	wrong = degrees_difference(c, &said, experts);
	if (wrong != NULL)
		place_die(q->place, "'%s': %s: it would not say the candidate: %s", p->name, not_done, wrong);
	free(said.stage_layers.at);
}

void
launch_verify_yaml(const char *text, const char *source, const struct plan *p, const struct yaml_question *q,
    const struct network *net, const char *not_done)
{
	struct yaml *root = yaml_parse_loaded(text, strlen(text), source, false);
	struct launch back;

	launch_read_yaml(&back, root);
	launch_verify(&back, p, q, net, not_done);
	launch_verify_candidate(&back, p, q, not_done);
	launch_free(&back);
	yaml_release(root);
}

void
print_launch(const struct plan *p, const struct yaml_question *q, enum target target, enum launch_dialect dialect,
    const struct network *net)
{
	struct launch l = launch_of_plan(p, q, target, dialect), back;
	bool yaml = dialect == LAUNCH_PRIMUS || dialect == LAUNCH_FLAGSCALE;
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	if (q->degrees != NULL) {
		struct candidate_words words = { target, dialect, question_experts(q) };

		launch_add_candidate(&l, q->degrees, &words, q->place);
		/* Primus's defaults (pre_trainer.yaml, language_model.yaml). */
		if (dialect == LAUNCH_PRIMUS && l.value[LAUNCH_SEQUENCE] == NULL)
			launch_set(&l, LAUNCH_SEQUENCE, xstrdup("false"));
		if (dialect == LAUNCH_PRIMUS && l.value[LAUNCH_OPTIMIZER] == NULL)
			launch_set(&l, LAUNCH_OPTIMIZER, xstrdup("false"));
	}
	if (yaml)
		launch_print_yaml(&l, dialect, f);
	else
		launch_print(&l, dialect, f);
	memstream_close(f);
	if (yaml) {
		launch_verify_yaml(text, "the arguments", p, q, net, "not printed");
	} else {
		launch_of_list(&back, text, "the arguments");
		launch_verify(&back, p, q, net, "not printed");
		launch_verify_candidate(&back, p, q, "not printed");
		launch_free(&back);
	}
	fputs(text, stdout);
	free(text);
	launch_free(&l);
}
