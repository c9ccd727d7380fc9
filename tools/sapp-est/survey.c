#include "survey.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/option.h"
#include "lib/estimate/anchor.h"
#include "lib/estimate/forecast.h"
#include "lib/estimate/nearest.h"
#include "lib/estimate/ranking.h"
#include "lib/record/line.h"
#include "lib/space/tally.h"
#include "fused.h"

/* Estimates of the configurations that compute matrix products in one type. */
struct typed {
	struct estimator *estimator;	/* NULL: no configuration has the type yet */
	struct cluster cluster;
	struct estimating how;
};

struct surveyor {
	struct inputs *in;
	const struct architecture *net;
	const struct estimating *how;
	struct typed typed[NUMBER_TYPES];
	struct ranking ranking;	/* ranking of struct configuration */
	struct tally tally;
	struct nearest nearest;
	int64_t fitting;
	struct fused_kept kept;
	int by;
	double below;		/* s */
	int64_t beaten;		/* number of configurations that cannot be below */
};

static struct typed *
typed_of(struct surveyor *s, const struct configuration *c)
{
	struct typed *t;

	inputs_choose(s->in, c, (struct place){ .source = "-space" });
	t = &s->typed[s->in->compute];
	if (t->estimator != NULL)
		return t;
	t->cluster = *inputs_cluster(s->in);
	t->how = *s->how;
	operator_table_of_type(&t->how.measured.operators, s->in->compute);
	t->estimator = estimator_new(s->net, &t->cluster, &t->how);
	return t;
}

static bool
visit(void *context, const struct configuration *c, int rule)
{
	struct surveyor *s = context;
	struct configuration *slot;
	struct rank rank;
	struct brief b;
	struct typed *t;

	tally_count(&s->tally, rule);
	if (rule >= 0)
		return true;
	t = typed_of(s, c);
	fused_check(t->estimator, c, s->net, &t->cluster, &s->kept, (struct place){ .source = "-space" });
	b = estimate_briefly(t->estimator, c);
	s->fitting += b.fits;
	if (!b.fits && s->fitting == 0)
		nearest_offer(&s->nearest, t->estimator, c);
	if (s->below < INFINITY && (b.lower_bound >= s->below || !estimate_reaches(t->estimator, c, s->below))) {
		s->beaten++;
		return true;
	}
	/* Only the planner can decide whether a plan with other layers or recomputation fits. */
	if (!b.fits && s->by == BY_STEP_TIME)
		return true;
	rank = rank_of(c, b.step_time, b.lower_bound, b.fits);
	rank.key = s->by == BY_STEP_TIME ? b.step_time : b.lower_bound;
	slot = ranking_offer(&s->ranking, &rank);
	if (slot != NULL)
		*slot = *c;
	return true;
}

static void
write_kept(struct surveyor *s)
{
	struct configuration degrees = { 0 };
	struct line line = { 0 };

	configuration_give_degrees(&degrees);
	ranking_finish(&s->ranking);
	for (size_t i = 0; i < s->ranking.nrows; i++) {
		struct configuration *c = ranking_at(&s->ranking, i, 0);
		struct typed *t = typed_of(s, c);
		struct prediction p = forecast(t->estimator, c, &t->cluster, &t->how.measured);

		for (size_t k = 1; k < ranking_members(&s->ranking, i); k++)
			ranking_tell(&p, ranking_at(&s->ranking, i, k), NULL);
		c->given |= degrees.given;
		configuration_give_kind(c);
		line_print(&line, "candidate", &configuration_fields, c);
		line_print(&line, "estimate", &prediction_fields, &p);
		line_flush(&line, stdout);
		fields_free(&prediction_fields, &p);
	}
	line_free(&line);
}

static void
nearest_tell(struct surveyor *s)
{
	struct typed *t = typed_of(s, &s->nearest.of);

	nearest_say(&s->nearest, t->estimator, &t->cluster);
}

bool
survey(struct wanted_output *w, struct inputs *in, const struct estimating *how)
{
	const struct cluster *l = inputs_cluster(in);
	struct surveyor s = { .in = in, .net = inputs_network(in), .how = how,
		.ranking = ranking_new((size_t)w->keep, w->alike >= 0 ? w->alike / 100 : w->by == BY_STEP_TIME ?
		RANKING_ALIKE : 0, sizeof(struct configuration), NULL),
		.by = w->by, .below = w->below / 1e3, .nearest = nearest_none(),
		.kept = { .fused = w->asked.variants.base.fused, .missed = true } };
	double begun = clock_now(), seconds;
	bool any;

	/* If no run has fused operators, or -fused sets them, no configuration lacks any. */
	for (int i = 0; i < how->measured.nanchors; i++)
		s.kept.missed &= how->measured.anchor[i].of.fused == 0;
	for (int i = 0; i < FUSED_SETS; i++)
		s.kept.missed |= w->asked.variants.fused[i];
	space_begin(&w->asked, s.net, l);
	tally_begin(&s.tally, option_verbose || isatty(STDERR_FILENO));
	space_enumerate(&w->asked, visit, &s);
	seconds = clock_now() - begun;
	write_kept(&s);
	tally_say(&s.tally);
	fprintf(stderr, "sapp-est: %lld of them fit with even layers; %.3f s, %.0f configurations per second\n",
	    (long long)s.fitting,
	    seconds, (double)s.tally.space / fmax(seconds, 1e-9));
	if (s.below < INFINITY)
		fprintf(stderr, "sapp-est: %lld configurations cannot take less than %.10g ms\n", (long long)s.beaten,
		    w->below);
	any = s.ranking.nrows > 0;
	if (s.fitting == 0 && s.tally.legal > 0)
		nearest_tell(&s);
	ranking_free(&s.ranking);
	for (int k = 0; k < NUMBER_TYPES; k++)
		if (s.typed[k].estimator != NULL)
			estimator_free(s.typed[k].estimator);
	return any;
}
