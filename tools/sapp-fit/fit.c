/* Fit: dimensions, numbers of kernels, memory and times of operators, as powers of the runs' factors. */
#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "fit_times.h"
#include "fitted.h"
#include "fitting.h"

static const double page = 1024;	/* bytes; allocators round sizes up and add some */

/* Get a dimension from a text of shapes, "8192,4096;1;". Return false if it is absent. */
static bool
dimension(const char *shapes, int index, int axis, double *v)
{
	while (index-- > 0 && shapes != NULL)
		shapes = strchr(shapes, ';') != NULL ? strchr(shapes, ';') + 1 : NULL;
	while (axis-- > 0 && shapes != NULL) {
		size_t n = strcspn(shapes, ",;");

		shapes = shapes[n] == ',' ? shapes + n + 1 : NULL;
	}
	if (shapes == NULL || *shapes < '0' || *shapes > '9')
		return false;
	*v = strtod(shapes, NULL);
	return true;
}

/* Write a coefficient of RUNS runs that is a power of the factors. */
static void
put_power(const struct fitting *f, struct coefficient *c, const struct power *p, int runs)
{
	fitted_add(c, p, p->value);
	if (p->added != 0)
		fitted_add(c, &(struct power){ .value = 0 }, p->added);
	GIVE(coefficient, c, error, p->error);
	c->runs = runs;
	fitted_put(f->out, f->run, f->n, c);
}

/* Fit the dimensions of one operator. OF [runs]: its index in each row. */
static void
fit_operator(struct fitting *f, const struct fit_row *rows, int *const *of, size_t base, size_t i)
{
	const struct observed_kernel *k = &rows[base].at[i]->kernel;
	double v;

	*APPEND(f->kernel, f->nkernels) = k;
	for (int which = 0; which < 2; which++)
		for (int index = 0, axis = 0; ; ) {
			struct series s = { 0 };
			struct power p = { .value = 0 };
			struct coefficient c = { .of = (char *)"dimension", .source = FROM_FITTED };

			if (!dimension(which == 0 ? k->input : k->output, index, axis, &v)) {
				const char *text = which == 0 ? k->input : k->output;
				int shapes = 0;

				for (; text != NULL && *text != '\0'; text++)
					shapes += *text == ';';
				axis = 0;
				if (++index >= shapes)
					break;
				continue;
			}
			for (size_t r = 0; r < f->n; r++) {
				const struct record *o = of[r][i] >= 0 ? rows[r].at[of[r][i]] : NULL;
				double w;

				if (o == NULL || !dimension(which == 0 ? o->kernel.input : o->kernel.output, index,
				    axis, &w))
					continue;
				fitting_same_network(f, base, r, rows[base].at[i], o, v, w);
				series_add(&s, w, f->run[r]);
			}
			if (fitting_explain(f, c.of, &s, 0, axis == 0, &p)) {
				*APPEND(f->told, f->ntold) = (struct told_size){ k, which == 1, index, axis, p };
				fitted_set_place(&c, &f->at);
				GIVE(coefficient, &c, order, k->order);
				GIVE(coefficient, &c, type, k->type);
				GIVE(coefficient, &c, tensor, (char *)(which == 0 ? "input" : "output"));
				GIVE(coefficient, &c, index, index);
				GIVE(coefficient, &c, axis, axis);
				put_power(f, &c, &p, s.n);
			}
			series_free(&s);
			axis++;
		}
}

/* Fit the number of kernels of a type per layer, if it differs between runs. */
static void
fit_multiplicity(struct fitting *f, const struct fit_row *rows, const char *type)
{
	struct series s = { 0 };
	struct power p = { .value = 0 };
	struct coefficient c = { .of = (char *)"multiplicity", .source = FROM_FITTED };
	bool differs = false;

	for (size_t r = 0; r < f->n; r++) {
		double n = 0;

		for (size_t i = 0; i < rows[r].n; i++)
			if (strcmp(rows[r].at[i]->kernel.type, type) == 0)
				n += (double)rows[r].at[i]->kernel.calls / rows[r].each;
		series_add(&s, n, f->run[r]);
		differs |= n != s.v[0];
	}
	if (differs && fitting_explain(f, c.of, &s, 0, false, &p)) {
		fitted_set_place(&c, &f->at);
		GIVE(coefficient, &c, type, (char *)type);
		put_power(f, &c, &p, s.n);
	}
	series_free(&s);
}

static void
fit_kernels(struct fitting *f)
{
	struct fit_row *rows = xcalloc(f->n, sizeof *rows);
	int **of = xcalloc(f->n, sizeof *of);
	size_t base;

	for (size_t r = 0; r < f->n; r++)
		rows[r] = row_kernels(f->run[r], f->at);
	base = fitting_align(f, rows, false, of);
	fit_times(f, rows);
	for (size_t i = 0; i < rows[base].n; i++) {
		bool seen = false;

		for (size_t k = 0; k < i; k++)
			seen |= strcmp(rows[base].at[k]->kernel.type, rows[base].at[i]->kernel.type) == 0;
		fit_operator(f, rows, of, base, i);
		if (!seen)
			fit_multiplicity(f, rows, rows[base].at[i]->kernel.type);
	}
	fitting_rows_free(f, rows, of);
}

/* Fit the memory that a layer keeps per micro-batch. Each kept tensor is fitted by its own factors. */
static void
fit_memory(struct fitting *f)
{
	struct fit_row *rows = xcalloc(f->n, sizeof *rows);
	int **of = xcalloc(f->n, sizeof *of);
	struct coefficient c = { .of = (char *)"memory_activation", .source = FROM_FITTED, .runs = (int)f->n };
	bool all = true;
	double error = 0, sum = 0;
	size_t base;

	for (size_t r = 0; r < f->n; r++) {
		struct fit_row kernels = row_kernels(f->run[r], f->at);

		rows[r] = row_tensors(f->run[r], f->at);
		rows[r].each = kernels.each;
		free(kernels.at);
	}
	base = fitting_align(f, rows, true, of);
	for (size_t i = 0; i < rows[base].n; i++) {
		struct series s = { 0 };
		struct power p = { .value = 0 };
		double times = 0;

		for (size_t r = 0; r < f->n; r++) {
			const struct observed_tensor *t = of[r][i] >= 0 ? &rows[r].at[of[r][i]]->tensor : NULL;

			if (t == NULL || t->life != LIFE_KEPT)
				continue;
			series_add(&s, t->bytes, f->run[r]);
			times = fmax(times, (double)t->calls / rows[r].each);
		}
		if (s.n > 0 && fitting_explain(f, c.of, &s, page, false, &p)) {
			fitted_add(&c, &p, times * p.value / 1048576);
			if (p.added != 0)
				fitted_add(&c, &(struct power){ .value = 0 }, times * p.added / 1048576);
			error += times * p.value * p.error;
			sum += times * p.value;
		} else {
			all &= s.n == 0;
		}
		series_free(&s);
	}
	/* Skip a sum if a part of it is unknown. */
	if (all && sum > 0) {
		fitted_set_place(&c, &f->at);
		GIVE(coefficient, &c, error, error / sum);
		fitted_put(f->out, f->run, f->n, &c);
	} else {
		fitted_free(&c);
	}
	fitting_rows_free(f, rows, of);
}

/* Write doubts about factors that have a single value in these runs, and about degrees that are never above 1. */
static void
doubt_factors(struct fitting *f)
{
	double (*x)[FACTORS] = xcalloc(f->n, sizeof *x);
	bool varies[FACTORS];
	struct untold u = { .doubt = { .of = (char *)"dimension",
		.why = (char *)"all runs of this regime have the same value" } };

	for (size_t i = 0; i < f->n; i++)
		memcpy(x[i], f->run[i]->x, sizeof x[i]);
	factors_vary((int)f->n, (const double (*)[FACTORS])x, varies);
	free(x);
	for (int k = 0; k < FACTORS; k++) {
		/* Do not ask for experts if the network has none. */
		u.unsure[k] = !varies[k] && (k == FACTOR_EXPERTS ? fitted_said(f->run[0], k) : k > FACTOR_EP ||
		    f->run[0]->x[k] > 1);
	}
	for (int k = 0; k < FACTORS; k++)
		if (u.unsure[k]) {
			doubt_write(f->out, &u, f->run, f->n);
			break;
		}
}

static bool
same_place(const struct place_of *a, const struct place_of *b)
{
	return a->part == b->part && a->phase == b->phase && (a->layer == NULL || b->layer == NULL ||
	    strcmp(a->layer, b->layer) == 0);
}

/* Return the parts, phases and classes of layers of all runs, in order; caller frees. */
static struct place_of *
places_of(const struct fitting *f, size_t *n)
{
	struct place_of *all = NULL;

	*n = 0;
	for (size_t r = 0; r < f->n; r++)
		for (size_t i = 0; i < f->run[r]->nkernels; i++) {
			const struct observed_kernel *k = &f->run[r]->kernel[i].kernel;
			struct place_of p = { k->part, k->phase, k->layer };
			bool before = k->part == PLACE_OUTSIDE;

			for (size_t m = 0; m < *n && !before; m++)
				before = same_place(&all[m], &p);
			if (!before)
				*APPEND(all, *n) = p;
		}
	return all;
}

static void
fit_regime(struct fitting *f, const struct fit_sample *s)
{
	size_t n;
	struct place_of *places = places_of(f, &n);

	for (size_t i = 0; i < n; i++) {
		f->at = places[i];
		fit_kernels(f);
		if (f->at.part == PLACE_BODY && f->at.phase == TIMING_FORWARD)
			fit_memory(f);
	}
	free(places);
	fit_outside(f, s);
	doubt_factors(f);
	for (size_t i = 0; i < f->doubts.n; i++)
		doubt_write(f->out, &f->doubts.at[i], f->run, f->n);
}

/*
 * Return whether two runs have the same heads, sizes of feed-forward networks and vocabulary. No factor describes the
 * effect of these.
 */
static bool
same_sizes(const struct training_run *a, const struct training_run *b)
{
#define SAME(member) (GIVEN(training_run, a, member) == GIVEN(training_run, b, member) && a->member == b->member)
	return SAME(num_heads) && SAME(kv_heads) && SAME(ffn_size) && SAME(expert_ffn_size) && SAME(vocab_size);
#undef SAME
}

void
fit_write(FILE *out, const struct fit_sample *s, struct coverages *coverages)
{
	bool *done = xcalloc(s->n + 1, sizeof *done);

	for (size_t i = 0; i < s->n; i++) {
		struct fitting f = { .out = out };
		const char *device = s->at[i].run.run.device;

		for (size_t k = i; k < s->n && !done[i]; k++) {
			const char *other = s->at[k].run.run.device;

			if (memcmp(s->at[k].more, s->at[i].more, sizeof s->at[i].more) != 0)
				continue;
			if (!same_sizes(&s->at[k].run.run, &s->at[i].run.run))
				continue;
			if ((device == NULL) != (other == NULL) || (device != NULL && strcmp(device, other) != 0)) {
				place_warn(s->at[k].run.place, "run '%s' is of another device than '%s': fitted "
				    "separately",
				    s->at[k].run.run.of.name, s->at[i].run.run.of.name);
				continue;
			}
			*APPEND(f.run, f.n) = &s->at[k];
		}
		for (size_t k = 0; k < f.n; k++)
			done[f.run[k] - s->at] = true;
		if (f.n > 0)
			fit_regime(&f, s);
		if (f.n > 0)
			coverage_add(coverages, f.run[0], f.nkernels, f.kernel, f.ntold, f.told);
		free(f.told);
		free(f.kernel);
		free(f.run);
		free(f.found);
		free(f.doubts.at);
	}
	for (int k = 0; k < REGIME - 1 && s->n > 0; k++) {
		struct doubt d = { .of = (char *)"dimension" };
		bool both[2] = { false, false };

		for (size_t i = 0; i < s->n; i++)
			both[s->at[i].more[k]] = true;
		if (both[0] && both[1])
			continue;
		d.why = (char *)(both[0] ? "no run has it above 1, where other operators run" :
		    "no run has it at 1, where other operators run");
		texts_add(&d.factors, regime_names[k]);
		record_put(out, RECORD_DOUBT, &d);
		texts_free(&d.factors);
	}
	free(done);
}
