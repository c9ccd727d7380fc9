#include "forecast.h"

#include <math.h>

#include "lib/base/alloc.h"
#include "interval.h"

#define MEGA 1048576.0
#define MILLI 1e3

static struct prediction_source
source_of(const struct configuration *c, const struct cluster *l, const struct measured *m, const struct appraisal *a)
{
	static const char *const names[] = { "computed", "fitted", "measured" };
	struct prediction_source s = { .efficiency = a->borrowed ? EFFICIENCY_BORROWED :
		    l->fitted != NULL ? EFFICIENCY_FITTED : EFFICIENCY_DEFAULT,
		.layers = a->costs->layers.source };
	struct measured_peak peak;

	if (m->npeaks > 0 && measured_peak(m, c, &peak))
		s.memory = peak.source == SOURCE_MEASURED && peak.vp == c->vp && peak.mbs == c->mbs ? FIGURE_MEASURED :
		    FIGURE_FITTED;
	if (m->nanchors > 0 || !operator_table_empty(&m->operators)) {
		GIVE(prediction_source, &s, communication, a->network.source);
		for (int i = SOURCE_MEASURED; i >= SOURCE_COMPUTED; i--)
			amounts_add(&s.shares, names[i], a->share[i]);
		field_give(&prediction_source_fields, &s, offsetof(struct prediction_source, shares));
	}
	return s;
}

/*
 * Mark as given the settings that the candidate gives. DETAILED: mark dispatcher, ep_overlap and graph also if they
 * have their defaults.
 */
static void
give_settings(struct prediction *p, const struct configuration *c, bool detailed)
{
	static const size_t settings[] = { offsetof(struct configuration, dispatcher),
		offsetof(struct configuration, ep_overlap), offsetof(struct configuration, graph),
		offsetof(struct configuration, graph_scope), offsetof(struct configuration, stage_layers),
		offsetof(struct configuration, tail_even), offsetof(struct configuration, alone),
		offsetof(struct configuration, attention8), offsetof(struct configuration, store),
		offsetof(struct configuration, compute), offsetof(struct configuration, optimizer),
		offsetof(struct configuration, optimizer_host),
		offsetof(struct configuration, fused) };

	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
		if (field_given(&configuration_fields, c, settings[i]) || (detailed && i < 3))
			field_give(&prediction_fields, p, offsetof(struct prediction, of) + settings[i]);
	if (c->dispatcher == DISPATCHER_UNSAID)
		p->of.dispatcher = DISPATCHER_ALLTOALL;
	if (c->stage_layers.at != NULL)
		p->of.stage_layers = grid_copy(c->stage_layers);
}

static void
give_interval(struct prediction *p, const struct appraisal *a)
{
	struct interval i = interval_of(a);
	const double *s = i.share;

	GIVE(prediction, p, low, MILLI * i.low);
	GIVE(prediction, p, high, MILLI * i.high);
	GIVE(prediction, p, error, i.error);
	GIVE(prediction, p, shares, ((struct share_parts){ .matmul = s[BY_MATMUL], .attention = s[BY_ATTENTION],
	    .memory = s[BY_MEMORY], .host = s[BY_HOST], .alltoall = s[BY_ALLTOALL], .network = s[BY_NETWORK] }));
}

/* Add the memory that a device must have. Measured memory beyond allocations replaces the assumed factor. */
static void
give_memory_high(struct prediction *p, const struct measured *m, const struct appraisal *a)
{
	double beyond = m->before + fmax(m->held, 0) + fmax(m->beside, 0) - (m->beside >= 0 ? a->reserve : 0);
	bool assumed = m->held < 0 && m->beside < 0;
	struct list high;

	if (a->room == 1 && assumed && m->before == 0)
		return;
	high = list_new(p->memory.n);
	for (int i = 0; i < high.n; i++)
		high.at[i] = p->memory.at[i] * (assumed ? a->room : 1) + fmax(beyond, 0) / MEGA;
	GIVE(prediction, p, memory_high, high);
}

struct prediction
forecast(struct estimator *e, const struct configuration *c, const struct cluster *l, const struct measured *m)
{
	struct appraisal a = estimate_fully(e, c);
	struct prediction p = { .of = *c, .memory = list_new(c->pp), .over = list_new(c->pp), .fits = a.brief.fits,
		.step_time = MILLI * a.brief.step_time, .lower_bound = MILLI * a.brief.lower_bound,
		.tokens_per_second = a.tokens_per_second, .mfu = a.mfu, .source = source_of(c, l, m, &a) };
	const double *part = a.part;

	p.of.name = c->name != NULL ? xstrdup(c->name) : configuration_name(c);
	p.of.origin = NULL;
	p.of.recompute = a.brief.recompute == KEEP_MODULES ? c->recompute : a.brief.recompute;
	if (c->origin != NULL) {
		p.of.origin = xstrdup(c->origin);
		field_give(&prediction_fields, &p, offsetof(struct prediction, of.origin));
	}
	if (c->cp_kind != CONTEXT_RING)
		field_give(&prediction_fields, &p, offsetof(struct prediction, of.cp_kind));
	p.of.reject = p.of.why = NULL;
	give_settings(&p, c, l->detailed);
	for (int i = 0; i < c->pp; i++) {
		p.memory.at[i] = a.memory[i] / MEGA;
		p.over.at[i] = l->memory_limit > 0 ? fmax(0, a.room * p.memory.at[i] - l->memory_limit) :
		    0;
	}
	p.memory_parts = (struct memory_parts){ .static_memory = a.memory_part[MEMORY_STATIC] / MEGA,
		.activation = a.memory_part[MEMORY_ACTIVATION] / MEGA, .logits = a.memory_part[MEMORY_LOGITS] / MEGA,
		.reserve = a.memory_part[MEMORY_RESERVE] / MEGA };
	p.times = (struct step_parts){ .forward = MILLI * part[STEP_FORWARD], .backward = MILLI * part[STEP_BACKWARD],
		.head = MILLI * part[STEP_HEAD], .tp = MILLI * part[STEP_TP], .cp = MILLI * part[STEP_CP],
		.ep = MILLI * part[STEP_EP], .pp = MILLI * part[STEP_PP], .dp = MILLI * part[STEP_DP],
		.optimizer = MILLI * part[STEP_OPTIMIZER], .bubble = MILLI * part[STEP_BUBBLE] };
	give_memory_high(&p, m, &a);
	give_interval(&p, &a);
	prediction_check_bound(&p, (struct place){ .source = p.of.name });
	return p;
}
