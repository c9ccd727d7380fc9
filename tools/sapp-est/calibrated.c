#include "calibrated.h"

#include <math.h>
#include <string.h>

/* Fitted to 22 steps on 8 B200, for a table of operators (operator_table.h). */
#define PRIOR_GAP 0.17
#define PRIOR_SUSTAIN 0.02
#define PRIOR 0.7

/* Figures are fitted on unbounded scales: fractions as log odds, others as logarithms. */
static double
odds(double x)
{
	x = fmin(fmax(x, 0.02), 0.98);
	return log(x / (1 - x));
}

static double
fraction(double z)
{
	return 1 / (1 + exp(-z));
}

const char *const figure_names[FIGURES] = { "efficiency.matmul", "efficiency.attention", "efficiency.memory",
	"efficiency.network", "overlap.dp", "overlap.tp", "overlap.ep", "overlap.pp", "dispatch.alltoall[0]",
	"dispatch.alltoall[1]", "efficiency.size", "launch", "host.expert", "common factor", "gap", "sustain" };
const bool figure_between_nodes[FIGURES] = { [FIGURE_NETWORK] = true, [4] = true, [7] = true,
	[FIGURE_DISPATCH + 1] = true };

double
figure_prior(int figure)
{
	return figure == FIGURE_COMMON ? PRIOR_COMMON : figure == FIGURE_GAP ? PRIOR_GAP :
	    figure == FIGURE_SUSTAIN ? PRIOR_SUSTAIN : PRIOR;
}

double
figure_weight(int figure)
{
	return 1 / (figure_prior(figure) * figure_prior(figure));
}

void
calibrated_places(struct calibrated *s, double *at[FIGURES])
{
	struct cluster *c = &s->c;
	double *const of[FIGURES] = { &c->efficiency.matmul, &c->efficiency.attention, &c->efficiency.memory,
		&c->efficiency.network, &c->overlap.dp, &c->overlap.tp, &c->overlap.ep, &c->overlap.pp, NULL, NULL,
		&c->efficiency.size, &c->launch, c->hosted ? &c->host.expert : NULL };

	memset(at, 0, FIGURES * sizeof *at);
	if (!operator_table_empty(&s->m.operators)) {
		at[FIGURE_GAP] = &s->m.operators.gap;
		at[FIGURE_SUSTAIN] = &s->m.operators.sustain;
		return;
	}
	memcpy(at, of, sizeof of);
	for (int i = 0; i < c->dispatch.alltoall.n; i++)
		at[FIGURE_DISPATCH + i] = &c->dispatch.alltoall.at[i];
}

void
calibrated_get(const struct calibrated *s, double z[FIGURES])
{
	struct calibrated there = *s;
	double *at[FIGURES];

	calibrated_places(&there, at);
	for (int i = 0; i < FIGURES; i++)
		z[i] = at[i] == NULL ? 0 : i < FIGURE_FRACTIONS ? odds(*at[i]) :
		    log(fmax(*at[i], i >= FIGURE_EXPERT ? 1e-3 : 1));
}

void
calibrated_copy(struct calibrated *to, const struct calibrated *from)
{
	*to = *from;
	if (to->c.dispatch.alltoall.n > 0)
		to->c.dispatch.alltoall.at = to->dispatch;
}

/* Multiply by FACTOR all speeds that the runs depend on. No fraction exceeds 1. */
static void
speed_up(struct calibrated *s, double factor)
{
	double *at[FIGURES];

	calibrated_places(s, at);
	for (int i = 0; i < FIGURE_FRACTIONS; i++)
		if (at[i] != NULL && (i <= FIGURE_NETWORK || i >= FIGURE_DISPATCH) &&
		    (s->nodes || !figure_between_nodes[i]))
			*at[i] = fmin(1, *at[i] * factor);
	s->c.launch /= factor;
}

void
calibrated_set(struct calibrated *s, const struct calibrated *before, const double z[FIGURES],
    const bool free_ones[FIGURES])
{
	double *at[FIGURES];

	calibrated_copy(s, before);
	calibrated_places(s, at);
	for (int i = 0; i < FIGURES; i++)
		if (free_ones[i] && at[i] != NULL)
			*at[i] = i < FIGURE_FRACTIONS ? fraction(z[i]) : exp(z[i]);
	if (free_ones[FIGURE_COMMON] && z[FIGURE_COMMON] != 0)
		speed_up(s, exp(z[FIGURE_COMMON]));
}
