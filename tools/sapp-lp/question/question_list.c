/* Make questions from the options: every requested combination of schedule and number of chunks. */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/base/place.h"
#include "lib/base/status.h"
#include "lib/schedule/scheme.h"
#include "free_question.h"

/* Combinations that are omitted, by reason. */
struct omitted {
	int n;
	struct omission {
		char *names, *why;
	} *at;
};

/* Add an omitted combination. Takes ownership of WHY. */
static void
omit(struct omitted *o, const struct pipeline *q, char *why)
{
	char *name = q->interleave == 1 ? xstrdup(schedule_names[q->schedule])
	    : xasprintf("%s with %d chunks", schedule_names[q->schedule], q->interleave);

	for (int i = 0; i < o->n; i++)
		if (strcmp(o->at[i].why, why) == 0) {
			char *joined = xasprintf("%s, %s", o->at[i].names, name);

			free(o->at[i].names);
			free(name);
			free(why);
			o->at[i].names = joined;
			return;
		}
	*APPEND(o->at, o->n) = (struct omission){ name, why };
}

/* Print the omitted combinations. Exit if LEFT, the number of other combinations, is 0. */
static void
omitted_say(struct omitted *o, int left)
{
	if (left == 0 && o->n > 0)
		errx(STATUS_USAGE, "%s", o->at[0].why);
	for (int i = 0; i < o->n; i++) {
		warnx("left out: %s: %s", o->at[i].names, o->at[i].why);
		free(o->at[i].names);
		free(o->at[i].why);
	}
	free(o->at);
	*o = (struct omitted){ 0 };
}

/*
 * Return the reason why the question cannot be asked (caller frees), or NULL. Exits if its order of operations is
 * invalid.
 */
static char *
asking_problem(const struct pipeline *q, const struct options *a)
{
	struct shape shape = pipeline_shape(q);
	const char *problem = schedule_problem(&shape);
	char *cycle, *wanting;

	if (problem != NULL && shape.order != NULL)
		place_die((struct place){ a->order_file, 0 }, "%s", problem);
	if (problem != NULL)
		return xasprintf("%s with %d stages of %d chunks: %s", schedule_names[shape.kind], shape.stages,
		    shape.chunks, problem);
	wanting = devices_problem(&a->devices, &shape);
	if (wanting == NULL)
		wanting = target_shape_problem(a->target, &shape);
	cycle = wanting == NULL && shape.order != NULL ? problem_cycle(&shape) : NULL;
	if (cycle != NULL)
		place_die((struct place){ a->order_file, 0 }, "can never run: %s", cycle);
	return wanting;
}

struct question *
question_new(struct questions *r, const struct options *a, enum schedule_kind kind, int interleave)
{
	struct pipeline *q;
	enum transfer_mode transfers = a->transfers >= 0 ? (enum transfer_mode)a->transfers
	    : target_transfers(a->target, kind, (enum transfer_mode)a->measured);

	*APPEND(r->at, r->n) = (struct question){ .pipeline = { .stages = a->stages, .micro_batches = a->micro,
	    .interleave = interleave, .schedule = (int)kind, .memory_limit = list_copy(a->memory) } };
	q = &r->at[r->n - 1].pipeline;
	if (devices_delayed(&a->devices))
		GIVE(pipeline, q, comm_time, list_copy(a->devices.delay));
	if (a->offload > 0)
		GIVE(pipeline, q, offload, a->offload);
	if (a->devices.speed.n > 0)
		GIVE(pipeline, q, speed, list_copy(a->devices.speed));
	if (devices_delayed(&a->devices) && transfers != TRANSFERS_HIDDEN)
		GIVE(pipeline, q, transfers, (int)transfers);
	if (a->spread > 0)
		GIVE(pipeline, q, spread, a->spread);
	if (a->devices.overlap > 0)
		GIVE(pipeline, q, overlap, a->devices.overlap);
	if (a->empty)
		GIVE(pipeline, q, empty, true);
	if (target_in(frameworks[a->target].kept, kind))
		GIVE(pipeline, q, fixed_order, true);
	if (a->mixes != MIXES_YAML)
		GIVE(pipeline, q, mixes, (int)a->mixes);
	return &r->at[r->n - 1];
}

static void
add_question(struct questions *r, struct omitted *o, const struct options *a, enum schedule_kind kind, int interleave)
{
	struct pipeline *q = &question_new(r, a, kind, interleave)->pipeline;
	char *problem;

	if (a->splits > 1)
		GIVE(pipeline, q, seq_split, a->splits);
	if (a->group > 0)
		GIVE(pipeline, q, group, a->group);
	if (kind == SCHEDULE_CUSTOM && a->order != NULL)
		GIVE(pipeline, q, order, xstrdup(a->order));
	problem = asking_problem(q, a);
	if (problem != NULL) {
		omit(o, q, problem);
		question_free(&r->at[--r->n]);
	}
}

/*
 * Add a question for a schedule with each number of chunks of -i that is possible. If none is possible, add the first
 * number, which leads to an error message.
 */
static void
add_schedule(struct questions *r, struct omitted *o, const struct options *a, enum schedule_kind kind)
{
	int own = schedule_chunks(kind);
	bool any = false;

	for (int i = 0; i < a->interleave.stages; i++)
		if (own == 0 || own == a->interleave.at[i]) {
			add_question(r, o, a, kind, a->interleave.at[i]);
			any = true;
		}
	if (!any)
		add_question(r, o, a, kind, a->interleave.stages > 0 ? a->interleave.at[0] : own > 0 ? own : 1);
}

static void
add_interleaved(struct questions *r, struct omitted *o, const struct options *a, int chunks)
{
	if (chunks == 1 || a->less != LESS_YES)
		add_question(r, o, a, schedule_usual(chunks, false), chunks);
	if (chunks > 1 && a->less != LESS_NO)
		add_question(r, o, a, schedule_usual(chunks, true), chunks);
}

static bool
any_custom(const struct questions *r)
{
	for (int i = 0; i < r->n; i++)
		if (r->at[i].pipeline.schedule == SCHEDULE_CUSTOM && !r->at[i].free)
			return true;
	return false;
}

/* Return whether operations may overlap in any question. */
static bool
any_joined(const struct questions *r)
{
	bool any = false;

	for (int i = 0; i < r->n; i++)
		any |= schedule_scheme((enum schedule_kind)r->at[i].pipeline.schedule)->joined && !r->at[i].free;
	return any;
}

/* List the questions. */
struct questions
questions_list(const struct options *a)
{
	struct questions r = { 0 };
	struct omitted omitted = { 0 };
	char *names = a->schedules != NULL ? xstrdup(a->schedules) : NULL, *rest = names, *name;
	/* [schedules], whether a schedule's order is planned; custom: any order */
	bool found[SCHEDULE_KINDS] = { false };

	while ((name = strsep(&rest, ",")) != NULL) {
		int kind = strcmp(name, "free") == 0 ? SCHEDULE_CUSTOM : option_choice("-S", name, schedule_names);

		if (strcmp(name, "free") == 0 || schedule_scheme((enum schedule_kind)kind)->within)
			found[kind] = true;
		else
			add_schedule(&r, &omitted, a, (enum schedule_kind)kind);
	}
	free(names);
	if (found[SCHEDULE_CUSTOM])
		free_questions_add(&r, a);
	for (int kind = 0; kind < SCHEDULE_CUSTOM; kind++)
		if (found[kind])
			free_question_add(&r, a, (enum schedule_kind)kind);
	for (int i = 0; i < a->interleave.stages && a->schedules == NULL; i++)
		add_interleaved(&r, &omitted, a, a->interleave.at[i]);
	if (r.n == 0 && omitted.n == 0)
		add_interleaved(&r, &omitted, a, 1);
	omitted_say(&omitted, r.n);
	if (a->devices.overlap > 0 && !any_joined(&r))
		option_usage("-overlap: no schedule of -S overlaps forwards and backwards");
	if (a->order != NULL && !any_custom(&r))
		option_usage("-order: needs the schedule custom in -S");
	options_one_model(a, r.n);
	return r;
}

void
questions_keep(struct questions *r, const struct options *a, const struct network *net)
{
	struct omitted omitted = { 0 };
	int n = 0;

	for (int i = 0; i < r->n; i++) {
		char *problem = r->at[i].free ? NULL : question_obstacle(&r->at[i], a, net);

		if (problem == NULL) {
			r->at[n++] = r->at[i];
			continue;
		}
		omit(&omitted, &r->at[i].pipeline, problem);
		question_free(&r->at[i]);
	}
	r->n = n;
	omitted_say(&omitted, n);
	for (int i = 0; i < n; i++)
		if (!r->at[i].free)
			question_check(&r->at[i], a, net);
}
