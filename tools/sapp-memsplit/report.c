/* Report: write the fit record, and a table for people. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "answer.h"

static void
add_residual(struct array *list, const struct split *s, int i)
{
	const struct fitted_peak *m = &s->system->measured[i];
	struct residual *r = array_add(&residual_fields, list);
	double left_out;

	r->stage = m->stage;
	r->round = m->round;
	r->measured = m->memory;
	r->predicted = m->memory - s->fit.residual[i];
	if (split_left_out(s, i, &left_out))
		GIVE(residual, r, left_out, left_out);
	if (m->floor)
		GIVE(residual, r, floor, true);
}

struct fit
answer_fit(const struct split *s)
{
	const struct system *sys = s->system;
	struct fit fit = { .unknowns = sys->n, .rank = s->fit.rank };
	bool solved = s->fit.rank == sys->n;

	if (solved)
		GIVE(fit, &fit, condition, s->fit.condition);
	for (int j = 0; solved && j < sys->n; j++) {
		struct estimate *e = array_add(&estimate_fields, &fit.estimates);

		e->name = xstrdup(sys->name[sys->unknown[j]]);
		e->value = s->fit.x[j];
		if (s->fit.error != NULL)
			GIVE(estimate, e, error, s->fit.error[j]);
	}
	for (int u = 0; solved && u < UNKNOWNS_MAX; u++)
		if (s->computed[u] > 0) {
			struct estimate *e = array_add(&estimate_fields, &fit.estimates);

			e->name = xstrdup(sys->name[u]);
			e->value = s->value[u];
			GIVE(estimate, e, error, s->computed[u]);
			GIVE(estimate, e, computed, true);
		}
	if (solved)
		field_give(&fit_fields, &fit, offsetof(struct fit, estimates));
	for (int i = 0; i < sys->m; i++)
		add_residual(&fit.residuals, s, i);
	for (int i = 0; i < sys->m; i++)
		if (split_outlier(s, i))
			add_residual(&fit.outliers, s, i);
	if (fit.outliers.n > 0)
		field_give(&fit_fields, &fit, offsetof(struct fit, outliers));
	return fit;
}

/* Return the width of a column of names, at least LEAST. */
static int
width_of(const struct system *sys, int least)
{
	int width = least;

	for (int j = 0; j < sys->n; j++)
		width = (int)strlen(sys->name[sys->unknown[j]]) > width ? (int)strlen(sys->name[sys->unknown[j]]) :
		    width;
	return width;
}

static void
report_unknowns(FILE *out, const struct split *s)
{
	const struct system *sys = s->system;
	int width = width_of(sys, 12);

	fprintf(out, "%-*s %12s%s\n", width, "unknown", "MB", s->fit.error != NULL ? "  standard error" : "");
	for (int j = 0; j < sys->n; j++) {
		fprintf(out, "%-*s %12.3f", width, sys->name[sys->unknown[j]], s->fit.x[j]);
		if (s->fit.error != NULL)
			fprintf(out, "  %14.3f", s->fit.error[j]);
		putc('\n', out);
	}
	for (int u = 0; u < UNKNOWNS_MAX; u++) {
		if (s->computed[u] > 0)
			fprintf(out, "%-*s %12.3f  computed from the network's shapes, error up to %.0f\n", width,
			    sys->name[u], s->value[u], s->computed[u]);
		if (sys->held[u] > 0 && s->computed[u] == 0)
			fprintf(out, "%-*s %12.3f  measured directly\n", width, sys->name[u], sys->held[u]);
		if (sys->times[u] > 0)
			fprintf(out, "%-*s %12.3f  computed from the network's parameters\n", width, sys->name[u],
			    s->value[u]);
	}
	switch (sys->constant) {
	case CONSTANT_UNKNOWN:
		break;
	case CONSTANT_TOO_FEW:
		fprintf(out, "%-*s %12.3f  set to 0: to determine it, measure %d middle stages, not %d\n", width,
		    "const", 0.0, sys->middle_needed, sys->middle);
		break;
	case CONSTANT_AMBIGUOUS:
		fprintf(out, "%-*s %12.3f  set to 0: the measurements cannot separate it from the other unknowns\n",
		    width,
		    "const", 0.0);
		break;
	}
}

static void
report_measurements(FILE *out, const struct split *s)
{
	const struct system *sys = s->system;
	bool rounds = sys->init->rounds > 1;
	double left_out, worst = 0;
	int body, told = 0;
	enum recompute k;

	fprintf(out, "%s%5s %6s", rounds ? "round " : "", "stage", "layers");
	for (int j = 0; j < sys->n; j++)
		if (system_activation(sys, sys->unknown[j], &body, &k))
			fprintf(out, " %6s", sys->name[sys->unknown[j]]);
	fprintf(out, " %12s %12s %10s %10s\n", "measured", "predicted", "residual", "left out");
	for (int i = 0; i < sys->m; i++) {
		const struct fitted_peak *m = &sys->measured[i];
		int count[RECOMPUTE_KINDS];

		if (rounds)
			fprintf(out, "%5d ", m->round);
		fprintf(out, "%5d %6d", m->stage, *grid_at(sys->init->round[m->round].layers, 0, m->stage));
		for (int j = 0; j < sys->n; j++)
			if (system_activation(sys, sys->unknown[j], &body, &k)) {
				system_counts(sys, m->round, m->stage, body, count);
				fprintf(out, " %*d", (int)fmax(6, strlen(sys->name[sys->unknown[j]])), count[k]);
			}
		fprintf(out, " %12.2f %12.2f %10.2f", m->memory, m->memory - s->fit.residual[i],
		    fabs(s->fit.residual[i]) < 0.005 ? 0 : s->fit.residual[i]);
		if (split_left_out(s, i, &left_out))
			fprintf(out, " %10.2f", m->memory - left_out);
		else
			fprintf(out, " %10s", "-");
		fputs(m->floor ? "  at another moment" : "", out);
		fputs(split_outlier(s, i) ? "  <- outlier\n" : "\n", out);
		if (split_left_out(s, i, &left_out)) {
			told++;
			worst = fmax(worst, fabs(left_out / m->memory - 1));
		}
	}
	/* The error of predictions from other measurements is that expected for an unmeasured stage. */
	if (told > 0)
		fprintf(out, "\nEach of %d measurement%s is predicted from the others within %.2f %%; \"-\": the "
		    "others cannot predict it.\n", told, told == 1 ? "" : "s", 100 * worst);
}

void
memsplit_answer_report(FILE *out, const struct split *s)
{
	const struct system *sys = s->system;
	bool solved = s->fit.rank == sys->n;

	fprintf(out, "%d measurement%s, %d unknowns, rank %d", sys->m, sys->m == 1 ? "" : "s", sys->n,
	    s->fit.rank);
	if (solved)
		fprintf(out, ", condition %.4g, %s", s->fit.condition, sys->m == sys->n ? "solved exactly"
		    : s->robust ? "least absolute deviations" : "least squares");
	fputs("\n\n", out);
	if (solved)
		report_unknowns(out, s);
	putc('\n', out);
	report_measurements(out, s);
	if (sys->margin > 0)
		fprintf(out, "The peaks are memory in use; devices held up to %.0f MB more: leave room for it.\n",
		    sys->margin);
}
