/* Runs: find what to simulate. Plans belong to the preceding model and pipeline in the stream. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/model/offload.h"
#include "lib/model/strategy.h"
#include "lib/schedule/scheme.h"
#include "lib/target/target.h"
#include "free.h"

struct finder {
	const struct records *all;
	const struct sim_options *options;
	struct sim_runs runs;
	size_t model;			/* index of the first record of the current model */
	bool planned;			/* whether a plan or pipeline followed the model */
	const struct pipeline *pipeline;	/* the last pipeline record; NULL: none */
	struct pipeline job;		/* from job records, for plans without a question; stages 0: unset */
	struct list sample;		/* factors of the job's micro-batches; n = 0: micro-batches do not vary */
	struct place asked;		/* place of the sample */
	struct network network;		/* nbodies = 0: not collected yet */
	bool added;			/* whether a strategy was added */
};

static struct sim_run *
run_add(struct sim_runs *runs)
{
	struct sim_run *r = APPEND(runs->at, runs->n);

	*r = (struct sim_run){ 0 };
	return r;
}

/* Return the network of the current model: the records from find->model to before UNTIL. */
static const struct network *
network(struct finder *find, size_t until)
{
	struct records part = { .n = until - find->model, .at = find->all->at + find->model,
	    .source = find->all->source };
	const struct record *first = part.at;
	double rate;

	if (find->network.nbodies == 0) {
		find->network = network_from_records(&part,
		    part.n > 0 && first->kind == RECORD_MODEL ? first->model.name : NULL);
		if (find->pipeline != NULL)
			network_split(&find->network, find->pipeline->seq_split, find->asked);
		rate = find->options->offload > 0 ? find->options->offload :
		    find->pipeline != NULL ? find->pipeline->offload : 0;
		/* The network has a link only if plans may offload. */
		if (rate > 0)
			network_link(&find->network, rate, find->options->speed.n > 0 ? find->options->speed :
			    find->pipeline != NULL ? find->pipeline->speed : (struct list){ 0 });
	}
	return &find->network;
}

/* Use the order of operations of -order. */
static void
reorder(struct shape *q, const struct sim_options *options)
{
	if (options->order != NULL) {
		/* Mirrored schedules keep two models, one from each end. */
		if (!schedule_mirrored(q->kind))
			q->kind = SCHEDULE_CUSTOM;
		q->order = options->order;
	}
}

static void
check_shape(const struct sim_run *r, const struct sim_options *options)
{
	const char *problem = schedule_problem(&r->shape);

	if (problem != NULL && options->order != NULL)
		place_die((struct place){ options->order_path, 0 }, "%s; in the plan '%s' (%s:%ld)", problem,
		    r->name, r->place.source, r->place.line);
	if (problem != NULL)
		place_die(r->place, "'%s': %s", r->name, problem);
}

/* Set transfers, micro-batches and limits from a job record, for plans without a question. */
static void
take_job(struct pipeline *q, const struct measured_job *j)
{
	if (GIVEN(measured_job, j, micro_batches))
		q->micro_batches = j->micro_batches;
	if (GIVEN(measured_job, j, comm_time))
		q->comm_time = j->comm_time;
	if (GIVEN(measured_job, j, transfers))
		q->transfers = j->transfers;
	if (GIVEN(measured_job, j, memory_limit))
		q->memory_limit = j->memory_limit;
}

/* Apply the options to a run, and check that lists have the right number of stages. */
static void
complete(struct sim_run *r, const struct sim_options *options)
{
	char *wrong;

	if (options->comm.n > 0) {
		load_delay_set(&r->load, options->comm);
		load_delay_set(&r->pace, options->comm);
	}
	if (options->transfers >= 0)
		r->load.transfers = (enum transfer_mode)options->transfers;
	r->pace.transfers = r->load.transfers;
	if (r->limit.n > 1 && r->limit.n != r->shape.stages)
		place_die(
		    r->place, "'%s': %d memory limits for %d stages", r->name, r->limit.n, r->shape.stages);
	if (r->load.overhead.n > 1 && r->load.overhead.n != r->shape.stages)
		place_die(r->place, "'%s': overhead of the model: %d numbers for %d stages", r->name,
		    r->load.overhead.n, r->shape.stages);
	wrong = boundaries_problem(r->load.edge, r->shape.stages);
	if (wrong != NULL)
		place_die(r->place, "'%s': delays: %s", r->name, wrong);
	if (options->free)
		free_order_give(r);
}

/* Set the question's factors of micro-batches, if the plan has equally many micro-batches. */
static void
take_factors(struct sim_run *r, const struct pipeline *q)
{
	struct table row;
	int splits = r->shape.splits > 1 ? r->shape.splits : 1;

	if (q == NULL || q->micro_factor.n == 0)
		return;
	if (q->micro_factor.n > 1 && q->micro_factor.n != r->shape.micro) {
		place_warn(r->place, "'%s' has %d micro-batches: micro_factor for %d micro-batches is ignored", r->name,
		    r->shape.micro, q->micro_factor.n);
		return;
	}
	row = (struct table){ 1, q->micro_factor.n, q->micro_factor.at };
	for (int i = 0; i < 2; i++)
		r->load.factor[i] = load_factor(row, r->shape.micro, splits);
}

/*
 * Exit unless the stages divide the devices of a pipeline. Warn if the devices are not the stages times the devices
 * that share a layer.
 */
static void
check_devices(const struct model *m, const struct shape *q, int devices, struct place at)
{
	if (devices % q->stages != 0)
		place_die(at, "-devices: the devices of one pipeline, a multiple of its %d stages, not '%d'",
		    q->stages, devices);
	if (devices > 0 && m != NULL && GIVEN(model, m, model_parallel) && devices != q->stages * m->model_parallel)
		place_warn(at, "-devices %d: not the devices of one pipeline, %d stages times model_parallel %d, %d "
		    "devices", devices, q->stages, m->model_parallel, q->stages * m->model_parallel);
}

static void
check_speeds(const struct sim_run *r, struct list speed)
{
	if (speed.n > 1 && speed.n != r->shape.stages)
		place_die(r->place, "'%s': %d speeds for %d stages", r->name, speed.n, r->shape.stages);
}

static void
add_plan(struct finder *find, const struct plan *p, struct place at, size_t before, struct plan *added)
{
	const struct network *net = network(find, before);
	const struct pipeline *q = find->pipeline;
	struct pipeline job = find->job;
	struct devices devices = { 0 };
	struct sim_run *r = run_add(&find->runs);

	if (q == NULL && (job.micro_batches > 0 || list_any(job.comm_time))) {
		job.stages = p->offset.stages;
		job.transfers = (int)target_transfers(TARGET_ANY, (enum schedule_kind)p->schedule,
		    (enum transfer_mode)job.transfers);
		q = &job;
	}
	if ((q == NULL || q->micro_batches == 0) && p->micro_batches == 0)
		place_die(at,
		    "plan: '%s' has no micro_batches, and there is no pipeline record before it",
		    p->name);
	r->name = p->name;
	r->place = at;
	r->before = before;
	r->added = added;
	r->plan = p;
	r->shape = plan_shape(p, q);
	reorder(&r->shape, find->options);
	if (r->shape.stages == p->offset.stages)
		check_shape(r, find->options);
	load_check(p, net, &r->shape, at);
	check_devices(net->model, &r->shape, find->options->devices, at);
	if (p->origin == PLAN_MANUAL)
		load_check_measured(p, net, at);
	if (q != NULL)
		devices = pipeline_devices(q);
	if (find->options->speed.n > 0)
		devices.speed = find->options->speed;
	check_speeds(r, devices.speed);
	r->load = load_from_plan(p, net, &r->shape, &devices);
	if (schedule_scheme(r->shape.kind)->timed)
		r->pace = load_even(net, &r->shape, &devices);
	take_factors(r, q);
	if (r->load.factor[0].at == NULL && find->sample.n > 0)
		r->sample[0] = r->sample[1] = (struct table){ 1, find->sample.n, find->sample.at };
	r->limit = find->options->limit;
	if (r->limit.n == 0 && q != NULL && (q != &job || q->memory_limit.n == 1 || q->memory_limit.n == job.stages))
		r->limit = q->memory_limit;
	r->model = net->model;
	complete(r, find->options);
}

static void
add_chunks(struct finder *find, const struct record *rec, size_t before)
{
	struct sim_run *r = run_add(&find->runs);
	const struct chunks *c = &rec->chunks;

	r->name = c->name;
	r->place = rec->place;
	r->before = before;
	r->shape = chunks_shape(c);
	reorder(&r->shape, find->options);
	check_shape(r, find->options);
	r->load = load_from_chunks(c);
	r->sample[0] = c->forward_sample;
	r->sample[1] = c->backward_sample.at != NULL ? c->backward_sample : c->forward_sample;
	check_devices(NULL, &r->shape, find->options->devices, r->place);
	check_speeds(r, find->options->speed);
	load_speed_set(&r->load, find->options->speed);
	r->limit = find->options->limit;
	complete(r, find->options);
}

static bool
is_taken(const struct sim_runs *runs, const char *name)
{
	for (int i = 0; i < runs->n; i++)
		if (strcmp(runs->at[i].name, name) == 0)
			return true;
	return false;
}

/* Append the schedule to the name of a strategy that occurs in several questions. */
static void
name_apart(const struct sim_runs *runs, struct plan *p)
{
	char *base, *name = p->name;

	if (!is_taken(runs, name))
		return;
	base = p->interleave > 1 ? xasprintf("%s-%s-i%d", name, schedule_names[p->schedule], p->interleave)
	    : xasprintf("%s-%s", name, schedule_names[p->schedule]);
	free(name);
	name = xstrdup(base);
	for (int n = 2; is_taken(runs, name); n++) {
		free(name);
		name = xasprintf("%s-%d", base, n);
	}
	free(base);
	p->name = name;
}

static void
add_strategy(struct finder *find, struct plan p, struct place at, size_t before)
{
	struct plan *own = xcalloc(1, sizeof *own);

	name_apart(&find->runs, &p);
	*own = p;
	add_plan(find, own, at, before, own);
	find->added = true;
}

static void
add_naive(struct finder *find, bool recomputed, size_t before)
{
	struct plan p;

	if (strategy_naive(&p, recomputed, network(find, before), find->pipeline))
		add_strategy(find, p, find->asked, before);
	else
		place_warn(find->asked, "no naive plan with %s recomputed: it needs a number of layers that divides "
		    "evenly, and their memory", recomputed ? "everything" : "nothing");
}

static bool
same_limit(struct list a, struct list b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.at, b.at, (size_t)a.n * sizeof *a.at) == 0);
}

/*
 * Return whether a strategy of -manual is simulated for the current question. Several questions about a model may
 * differ only in schedule and chunks. Then the strategy is simulated for the question with its own schedule and chunks,
 * or otherwise for the first.
 */
static bool
is_asked_here(const struct finder *find, const struct plan *p)
{
	const struct pipeline *here = find->pipeline, *first = NULL;

	for (size_t i = find->model; i < find->all->n; i++) {
		const struct record *rec = &find->all->at[i];
		const struct pipeline *q = &rec->pipeline;

		if (first != NULL && (rec->kind == RECORD_MODEL || rec->kind == RECORD_LAYER))
			break;
		if (rec->kind != RECORD_PIPELINE || q->stages != here->stages ||
		    q->micro_batches != here->micro_batches || !same_limit(q->memory_limit, here->memory_limit))
			continue;
		if (q->schedule == p->schedule && q->interleave == p->interleave)
			return q == here;
		if (first == NULL)
			first = q;
	}
	return first == here;
}

/* Add the strategies of the options after everything planned for a pipeline. */
static void
add_strategies(struct finder *find, size_t before)
{
	if (find->pipeline == NULL)
		return;
	if (find->options->naive) {
		add_naive(find, true, before);
		add_naive(find, false, before);
	}
	if (find->options->manual != NULL) {
		struct yaml *file = yaml_read(find->options->manual);
		struct strategies s = strategies_read(file, network(find, before), find->pipeline);

		for (int i = 0; i < s.n; i++) {
			if (is_asked_here(find, &s.plan[i]))
				add_strategy(find, s.plan[i], file->item[i]->place, before);
			else
				fields_free(&plan_fields, &s.plan[i]);
		}
		free(s.plan);
		yaml_release(file);
	}
}

static void
forget_model(struct finder *find, size_t next)
{
	network_free(&find->network);
	find->model = next;
	find->planned = false;
	find->pipeline = NULL;
}

struct sim_runs
sim_runs_find(const struct records *all, const struct sim_options *options)
{
	struct finder find = { .all = all, .options = options };
	struct place start = { .source = all->n > 0 ? all->at[0].place.source : all->source };

	for (size_t i = 0; i < all->n; i++) {
		const struct record *rec = &all->at[i];

		switch (rec->kind) {
		case RECORD_MODEL:
		case RECORD_LAYER:
			/* Layers directly after a model record, or after other layers, belong to this model. */
			if (rec->kind == RECORD_MODEL || find.planned) {
				add_strategies(&find, i);
				forget_model(&find, i);
			}
			break;
		case RECORD_JOB:
			take_job(&find.job, &rec->job);
			if (rec->job.micro_sample.n > 0)
				find.sample = rec->job.micro_sample;
			break;
		case RECORD_PIPELINE:
			add_strategies(&find, i);
			network_free(&find.network);	/* sequence splits may have changed */
			find.pipeline = &rec->pipeline;
			find.asked = rec->place;
			find.planned = true;
			break;
		case RECORD_PLAN:
			add_plan(&find, &rec->plan, rec->place, i + 1, NULL);
			find.planned = true;
			break;
		case RECORD_CHUNKS:
			add_chunks(&find, rec, i + 1);
			break;
		default:
			break;
		}
	}
	add_strategies(&find, all->n);
	network_free(&find.network);
	if (find.runs.n == 0)
		place_die(start, "nothing to simulate: no plan and no chunks record in the input");
	if ((options->naive || options->manual != NULL) && !find.added)
		place_warn(start, "no pipeline record in the input: strategies to compare with need one");
	find.runs.result = xcalloc((size_t)find.runs.n, sizeof *find.runs.result);
	return find.runs;
}

void
sim_runs_free(struct sim_runs *runs)
{
	for (int i = 0; i < runs->n; i++) {
		struct sim_run *r = &runs->at[i];

		/* Names and limits belong to records in the stream, so they are not freed. */
		load_free(&r->load);
		load_free(&r->pace);
		free(r->order);
		if (r->added != NULL)
			fields_free(&plan_fields, r->added);
		free(r->added);
		fields_free(&sim_fields, &runs->result[i]);
	}
	free(runs->at);
	free(runs->result);
	*runs = (struct sim_runs){ 0 };
}
