/* sapp-est: memory and step time of configurations, from the shapes of network and cluster. */
#include <err.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/share.h"
#include "lib/base/status.h"
#include "lib/cost/in_flight.h"
#include "lib/estimate/forecast.h"
#include "lib/estimate/inputs.h"
#include "lib/estimate/planning.h"
#include "lib/record/line.h"
#include "lib/record/record.h"
#include "calibrate.h"
#include "clusters.h"
#include "coefficients.h"
#include "count.h"
#include "dryruns.h"
#include "fused.h"
#include "layers.h"
#include "next_run.h"
#include "profile.h"
#include "survey.h"
#include "timings.h"
#include "usages.h"
#include "wanted_operators.h"

enum { FLUSH_AT = 1 << 16 };
#define MEGA 1048576.0
/* Records of measurements. */
#define MEASURED (RECORDS(RECORD_LAYER) | RECORDS(RECORD_MODEL) | RECORDS(RECORD_TIMING) | RECORDS(RECORD_PEAK) | \
	RECORDS(RECORD_JOB) | RECORDS(RECORD_RUN) | RECORDS(RECORD_COEFFICIENT) | RECORDS(RECORD_OPERATOR) | \
	RECORDS(RECORD_USAGE))

/* Estimates of candidates for the current network and cluster. */
struct est_run {
	struct inputs in;
	struct estimating how;
	struct estimator *estimator;	/* NULL: network or cluster changed */
	struct fused_kept kept;
	const struct architecture *net;
	const struct cluster *cluster;
	struct line line;
	bool any;
	bool asked;		/* a candidate was read: later layers belong to its question, or are too late */
	const char *records;	/* file of measured records in addition to the stream; NULL: none */
	char *last;		/* name of the last candidate, as in layers of its question */
	int refused;		/* number of candidates */
	int networks;		/* number of networks when measurements were last taken */
	struct est_timings timings;
	struct coefficients coefficients;
	struct usages usages;
	struct next_run next;
	bool assumed;		/* the mbs of a profile or peaks is assumed to be 1 */
	struct wanted_operators operators;
	struct operator_table aside;	/* the table while candidates compute in 8 or 4 bits */
	double current_peak;	/* bytes, for the candidate of origin "current"; 0: unknown */
};

/* Use a table of operators only for candidates that compute in its type. */
static void
pick_operators(struct est_run *r)
{
	struct operator_table *t = &r->how.measured.operators;

	if (!operator_table_empty(t))
		r->aside = *t;
	*t = r->aside;
	operator_table_of_type(t, r->in.compute);
}

static void
begin(struct est_run *r)
{
	const struct architecture *n = inputs_network(&r->in);
	const struct cluster *c = inputs_cluster(&r->in);

	if (r->estimator != NULL && !r->in.changed)
		return;
	if (r->estimator != NULL)
		estimator_free(r->estimator);
	r->in.changed = false;
	r->net = n;
	r->cluster = c;
	pick_operators(r);
	r->estimator = estimator_new(n, c, &r->how);
}

static void
estimate(struct est_run *r, const struct configuration *c, struct place at, bool parts)
{
	struct prediction p;

	begin(r);
	fused_check(r->estimator, c, r->net, r->cluster, &r->kept, at);
	p = forecast(r->estimator, c, r->cluster, &r->how.measured);
	if (parts)
		forecast_parts(&p, r->estimator, r->net, r->cluster, c);
	line_print(&r->line, "estimate", &prediction_fields, &p);
	fields_free(&prediction_fields, &p);
	r->any = true;
}

static void
contend(struct est_run *r, const struct configuration *c)
{
	struct appraisal a = estimate_fully(r->estimator, c);

	next_run_add(&r->next, c, &a, r->cluster, r->net);
}

/* HEAD layers keep no activations. */
static void
check_tower(const struct architecture *n, struct place at)
{
	const struct architecture *class = n->classes.at;
	bool any = false;

	for (int k = 0; k < n->classes.n; k++) {
		any |= architecture_in_front(n, k);
		if (architecture_in_front(n, k) && (!class[k].frozen || class[k].trained > 0))
			place_die(at, "-tower-first: it is trained, so it keeps activations, which HEAD layers cannot "
			    "'%s'", class[k].name);
	}
	if (!any)
		place_die(at, "-tower-first: the network has no layers in front of a language model");
}

static void
ask(struct est_run *r, const struct configuration *c, bool tower_first, struct place at)
{
	char *name = c->name != NULL ? NULL : configuration_name(c);

	begin(r);
	if (tower_first)
		check_tower(r->net, at);
	planning_write(stdout, r->estimator, r->net, r->cluster, c, name != NULL ? name : c->name, tower_first);
	free(name);
	r->any = true;
}

static void
pass_on(struct est_run *r, const struct record *rec)
{
	line_text(&r->line, rec->text);
	if (r->line.length > FLUSH_AT)
		line_flush(&r->line, stdout);
}

/* Exit unless the given stages contain all layers. */
static void
check_stages(const struct grid *g, int layers, struct place at)
{
	int all = 0;

	for (int i = 0; i < g->stages && all <= layers; i++)
		all += g->at[i];
	if (g->at != NULL && all != layers)
		place_die(at, "candidate: stage_layers: not the network's %d layers in all '%d'", layers, all);
}

/* The lower bound requires a layer, embedding or loss in every piece. */
static void
check_pieces(const struct est_run *r, const struct record *rec)
{
	const struct configuration *c = &rec->candidate;
	long long pieces = (long long)c->pp * c->vp;
	int layers = inputs_network(&r->in)->layers;

	check_stages(&c->stage_layers, layers, rec->place);
	if (pieces > layers + PIECES_ALONE)
		place_die(rec->place, "pp %d times vp %d are more pieces than the network has layers, embedding and "
		    "loss: %d '%lld'", c->pp, c->vp, layers + PIECES_ALONE, pieces);
}

/* Take the peak of the configuration in the log's path, or of the current run. */
static void
take_peak(struct est_run *r, const struct peak *p)
{
	struct measured_peak peak = { .memory = MEGA * p->memory, .source = SOURCE_MEASURED };

	if (GIVEN(peak, p, source) && dryruns_degrees(p->source, &peak))
		dryruns_add(&r->how.measured, &peak);
	else
		r->current_peak = fmax(r->current_peak, peak.memory);
}

static void
take_record(struct est_run *r, const struct record *rec)
{
	struct measured *m = &r->how.measured;

	if (rec->kind == RECORD_LAYER && !r->in.have_network)
		place_die(rec->place, "layer: measured layers must come behind the network's record");
	if (rec->kind == RECORD_LAYER)
		layers_take(m, &rec->layer, inputs_network(&r->in), rec->place);
	if (rec->kind == RECORD_RUN)
		coefficients_take_run(&r->coefficients, &rec->run);
	if (rec->kind == RECORD_COEFFICIENT)
		coefficients_take(&r->coefficients, &rec->coefficient, rec->place);
	if (rec->kind == RECORD_OPERATOR)
		operator_table_add(&m->operators, &rec->device_operator, rec->place);
	if (rec->kind == RECORD_USAGE)
		usages_take(&r->usages, &rec->usage);
	if (rec->kind == RECORD_TIMING)
		timings_take(&r->timings, &rec->timing);
	if (rec->kind == RECORD_PEAK)
		take_peak(r, &rec->peak);
	if (rec->kind == RECORD_JOB && GIVEN(measured_job, &rec->job, micro_batches))
		r->timings.micro_batches = rec->job.micro_batches;
	if (rec->kind == RECORD_MODEL && GIVEN(model, &rec->model, model_parallel))
		m->tp = rec->model.model_parallel;
	if (rec->kind == RECORD_MODEL && GIVEN(model, &rec->model, batch_size))
		m->mbs = rec->model.batch_size;
}

/* Give profiles and peaks without micro-batch size that of the measured layers or the current run. */
static void
settle_sizes(struct est_run *r, const struct configuration *current)
{
	struct measured *m = &r->how.measured;
	int mbs = m->mbs > 0 ? m->mbs : current != NULL ? current->mbs : 0;
	bool unset = dryruns_settle(m, current != NULL ? current->vp : 1, mbs > 0 ? mbs : 1);

	unset |= profile_settle(m, mbs > 0 ? mbs : 1);
	r->assumed = unset && mbs == 0;
}

/* Report once that a figure depends on an assumed micro-batch size. */
static void
tell_assumed(struct est_run *r, bool matters)
{
	if (!r->assumed || !matters)
		return;
	warnx("profile, peaks: of which micro-batch size they are is unknown: assumed mbs 1; say so in a column mbs, "
	    "as MBS1 in paths of logs, or by the training file");
	r->assumed = false;
}

static void
read_records(struct est_run *r, const char *file)
{
	char *const operands[] = { (char *)file, NULL };
	struct reader in;
	struct record rec;

	reader_open(&in, operands, MEASURED);
	while (reader_next(&in, &rec)) {
		take_record(r, &rec);
		record_free(&rec);
	}
	reader_close(&in);
}

/* Use the installed operator table of the named cluster, unless others were given. */
static void
settle_operators(struct est_run *r)
{
	struct operator_table *t = &r->how.measured.operators;
	const struct cluster *c = inputs_cluster(&r->in);
	char *installed = xasprintf("operators/%s.jsonl", c->name), *path = share_path(installed);

	if (operator_table_empty(t) && r->in.named && strchr(c->name, '/') == NULL && access(path, R_OK) == 0)
		read_records(r, path);
	free(path);
	free(installed);
}

/* Measurements are complete at the first candidate, or for a space at the end of the stream. */
static void
settle_measured(struct est_run *r, const struct configuration *current, struct place at)
{
	if (r->records != NULL)
		read_records(r, r->records);
	settle_operators(r);
	settle_sizes(r, current);
	timings_apply(&r->timings, &r->how.measured, inputs_network(&r->in), at);
	usages_apply(&r->usages, &r->how.measured, &r->coefficients, &r->in);
	coefficients_apply(&r->coefficients, &r->how.measured, inputs_network(&r->in));
	if (!operator_table_empty(&r->how.measured.operators))
		operator_table_settle(&r->how.measured.operators, inputs_cluster(&r->in));
}

/* Complete a table without a network, for the runs of -calibrate. */
static void
settle_table(struct est_run *r)
{
	if (r->records != NULL)
		read_records(r, r->records);
	settle_operators(r);
	if (r->coefficients.nruns > 0)
		errx(STATUS_ERROR, "-measured %s: has runs; -calibrate takes them from its own file", r->records);
	coefficients_apply(&r->coefficients, &r->how.measured, NULL);
	operator_table_settle(&r->how.measured.operators, inputs_cluster(&r->in));
}

/* A candidate was read: complete the measurements, and set the current one's peak. */
static void
end_measured(struct est_run *r, const struct record *rec)
{
	const struct configuration *c = &rec->candidate;
	struct measured_peak peak = { .dp = c->dp, .tp = c->tp, .cp = c->cp, .pp = c->pp, .vp = c->vp, .mbs = c->mbs,
	    .ep = c->ep, .memory = r->current_peak, .source = SOURCE_MEASURED };
	bool current = c->origin != NULL && strcmp(c->origin, "current") == 0;

	r->kept.fused = current ? c->fused : r->kept.fused;
	if (!r->asked) {
		if (current && r->timings.micro_batches == 0)
			r->timings.micro_batches = c->micro_batches;
		settle_measured(r, current ? c : NULL, rec->place);
	}
	if (current && r->current_peak > 0) {
		dryruns_add(&r->how.measured, &peak);
		r->current_peak = 0;
	}
	r->asked = true;
	free(r->last);
	r->last = c->name != NULL ? xstrdup(c->name) : configuration_name(c);
}

/* Measured layers belong to one network: forget them at the next. */
static void
follow_network(struct est_run *r)
{
	struct measured *m = &r->how.measured, none = measured_none();

	if (r->asked && r->in.networks != r->networks) {
		memcpy(m->layer, none.layer, sizeof m->layer);
		m->head = none.head;
		m->tail = none.tail;
		m->tp = m->mbs = m->nanchors = 0;
		m->held = m->beside = -1;
		m->before = 0;
		r->asked = false;
	}
	r->networks = r->in.networks;
}

/* Ignore layers of the last candidate's question; exit on other late ones. */
static void
check_late(const struct est_run *r, const struct record *rec)
{
	const char *of = rec->kind == RECORD_LAYER && GIVEN(layer, &rec->layer, model_name) ? rec->layer.model_name :
	    NULL;

	if (rec->kind != RECORD_LAYER && rec->kind != RECORD_TIMING && rec->kind != RECORD_PEAK &&
	    rec->kind != RECORD_COEFFICIENT && rec->kind != RECORD_USAGE && rec->kind != RECORD_OPERATOR)
		return;
	if (of == NULL || strcmp(of, r->last) != 0)
		place_die(rec->place, "%s: measured records must come before the first candidate",
		    rec->kind == RECORD_LAYER ? "layer" : rec->kind == RECORD_TIMING ? "timing" :
		    rec->kind == RECORD_PEAK ? "peak" : rec->kind == RECORD_USAGE ? "usage" :
		    rec->kind == RECORD_OPERATOR ? "operator" : "coefficient");
}

/* Measured layers follow their network and precede its candidates. */
static void
take_measured(struct est_run *r, const struct record *rec)
{
	follow_network(r);
	if (r->asked) {
		check_late(r, rec);
		return;
	}
	take_record(r, rec);
}

/* Write the network's counts once. */
static void
count_whole(struct est_run *r)
{
	if (r->in.changed)
		count_print(&r->line, inputs_network(&r->in), NULL);
	r->in.changed = false;
}

/* Return whether no plan of a candidate has a step below BELOW ms. */
static bool
beaten(struct est_run *r, const struct configuration *c, double below)
{
	if (below == INFINITY)
		return false;
	begin(r);
	return estimate_briefly(r->estimator, c).lower_bound >= below / 1e3 ||
	    !estimate_reaches(r->estimator, c, below / 1e3);
}

/* A refused candidate does not end the stream: its message is printed, and the next record is read. */
static jmp_buf refused;
static const struct reader *refused_in;

static void
refuse(int status)
{
	if (strstr(refused_in->buffer, "\"kind\":\"candidate\"") == NULL)
		exit(status);
	longjmp(refused, 1);
}

static void
each_candidate(struct est_run *r, const struct wanted_output *w)
{
	struct record rec;

	refused_in = &r->in.reader;
	if (setjmp(refused) != 0)
		r->refused++;
	place_exit = refuse;
	while (inputs_next(&r->in, &rec, &r->line)) {
		if (w->parameters) {
			count_whole(r);
			if (rec.kind == RECORD_CANDIDATE)
				count_print(&r->line, inputs_network(&r->in), &rec.candidate);
			record_free(&rec);
			continue;
		}
		take_measured(r, &rec);
		if (rec.kind == RECORD_CANDIDATE) {
			inputs_choose(&r->in, &rec.candidate, rec.place);
			end_measured(r, &rec);
		}
		if (rec.kind == RECORD_CANDIDATE && rec.candidate.reject == NULL)
			check_pieces(r, &rec);
		if (rec.kind == RECORD_CANDIDATE && rec.candidate.reject == NULL &&
		    beaten(r, &rec.candidate, w->below)) {
			record_free(&rec);
			continue;
		}
		/* Drop old estimates: new ones follow their candidates. */
		if (rec.kind != RECORD_ESTIMATE && !w->operators)
			pass_on(r, &rec);
		if (rec.kind == RECORD_CANDIDATE && rec.candidate.reject == NULL) {
			tell_assumed(r, rec.candidate.mbs != 1);
			if (w->layers) {
				line_flush(&r->line, stdout);
				ask(r, &rec.candidate, w->tower_first, rec.place);
			} else if (w->operators) {
				begin(r);
				wanted_operators_take(&r->operators, r->estimator, &rec.candidate, &r->how, r->net,
				    r->cluster);
				r->any = true;
			} else {
				estimate(r, &rec.candidate, rec.place, w->parts);
				if (w->next)
					contend(r, &rec.candidate);
			}
		}
		record_free(&rec);
	}
	if (w->parameters)
		count_whole(r);
	/* Questions are the whole output, without networks and clusters. */
	if (!w->operators)
		line_flush(&r->line, stdout);
}

/* Candidates may have the current run's fused operators without a run that measures them. */
static void
read_current(struct est_run *r, const char *path)
{
	char *name = xstrdup(path), *operands[] = { name, NULL };
	struct records all;

	records_read(&all, operands, RECORDS(RECORD_CANDIDATE));
	for (size_t i = 0; i < all.n; i++)
		if (all.at[i].kind == RECORD_CANDIDATE)
			r->kept.fused = all.at[i].candidate.fused;
	records_free(&all);
	free(name);
}

/* Read figures of dryruns and profiles. */
static void
read_measured(struct est_run *r, const struct wanted_output *w)
{
	if (w->peaks != NULL)
		dryruns_read(&r->how.measured, w->peaks);
	if (w->profile != NULL)
		profile_read(&r->how.measured, w->profile);
	if (w->current != NULL)
		read_current(r, w->current);
}

/* The cluster may be anywhere in the stream, so write after reading all. */
static void
write_nd(struct est_run *r, const struct wanted_output *w)
{
	struct output out;

	if (w->nd == NULL)
		return;
	/* Without a candidate they are unset. */
	dryruns_settle(&r->how.measured, 1, 1);
	output_open(&out, w->nd);
	dryruns_write(out.file, &r->how.measured, inputs_cluster(&r->in)->memory_limit * 1048576, w->ep_most);
	output_commit(&out);
}

int
main(int argc, char *argv[])
{
	struct wanted_output w = wanted_read(argc, argv);
	struct est_run r = { .records = w.records, .how = { .imbalance = w.imbalance, .noncausal = w.noncausal,
	    .measured = measured_none() } };
	struct record rec;

	if (w.clusters || w.template != NULL) {
		if (w.clusters)
			clusters_list(stdout);
		else
			clusters_template(stdout, w.template);
		stdout_close();
		return STATUS_ANSWERED;
	}
	inputs_open(&r.in, w.operands, RECORDS(RECORD_CANDIDATE) | RECORDS(RECORD_ESTIMATE) | MEASURED, w.cluster);
	if (w.runs != NULL) {
		settle_table(&r);
		calibrate(w.runs, &r.in, &r.how.measured, isatty(STDOUT_FILENO) ? NULL : stdout,
		    isatty(STDOUT_FILENO) ? stdout : stderr);
		measured_free(&r.how.measured);
		inputs_close(&r.in);
		stdout_close();
		return STATUS_ANSWERED;
	}
	read_measured(&r, &w);
	if (w.cluster != NULL)
		inputs_tell(&r.in, &r.line);
	if (w.space) {
		while (inputs_next(&r.in, &rec, &r.line)) {
			take_measured(&r, &rec);
			if (rec.kind == RECORD_CANDIDATE) {
				inputs_choose(&r.in, &rec.candidate, rec.place);
				end_measured(&r, &rec);
				space_take(&w.asked, &rec.candidate);
			}
			pass_on(&r, &rec);
			record_free(&rec);
		}
		if (!r.asked)
			settle_measured(&r, NULL, (struct place){ 0 });
		tell_assumed(&r, !w.asked.choice[DIM_MBS].given || w.asked.choice[DIM_MBS].most > 1);
		inputs_network(&r.in);
		inputs_cluster(&r.in);
		line_flush(&r.line, stdout);
		r.any = survey(&w, &r.in, &r.how);
	} else {
		each_candidate(&r, &w);
	}
	if (r.in.reader.line == 0 && !r.in.have_network && w.cluster == NULL)
		errx(STATUS_ERROR, "%s: no records: a network, a cluster and candidates are needed, as sapp-model and "
		    "sapp-enum write them", r.in.reader.source);
	write_nd(&r, &w);
	if (w.operators && r.any &&
	    wanted_operators_write(&r.operators, w.until / 100, inputs_cluster(&r.in)->name, stdout) == 0)
		warnx("all operators of the candidates are measured, but for %g %% of their layers", w.until);
	wanted_operators_free(&r.operators);
	if (w.next && r.any && !next_run_write(stdout, &r.next, r.cluster))
		warnx("no short run would tell more of which is the shortest");
	if (r.current_peak > 0)
		warnx("peak: the run's configuration is not known, for there is no candidate with origin current: "
		    "its peaks are left out");
	if (r.estimator != NULL)
		estimator_free(r.estimator);
	free(r.last);
	line_free(&r.line);
	space_free(&w.asked);
	if (operator_table_empty(&r.how.measured.operators))
		r.how.measured.operators = r.aside;
	measured_free(&r.how.measured);
	inputs_close(&r.in);
	stdout_close();
	if (r.refused > 0)
		errx(STATUS_ERROR, "%d candidates were refused; the others are answered", r.refused);
	return r.any || !w.space ? STATUS_ANSWERED : STATUS_NO_ANSWER;
}
