/* Fit dimensions, multiplicities, memory and times of operators as powers of the runs' factors. */
#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "doubt.h"
#include "fitted.h"

static const double page = 1024;	/* bytes: allocators round up and add some */
static const double routed = 0.25;	/* tolerance for rows of experts, which are uneven */

struct series {			/* one number per run that has it */
	int n;
	double *v, (*x)[FACTORS];
};

struct fitting {
	FILE *out;
	size_t n;
	const struct observed_run **run;	/* of one regime */
	struct place_of at;
	size_t nfound;
	struct power *found;	/* exponents determined so far */
	struct doubts doubts;
	size_t ntold, nkernels;
	struct told_size *told;	/* of KERNELS, the aligned ones */
	const struct observed_kernel **kernel;
};

static void
series_free(struct series *s)
{
	free(s->v);
	free(s->x);
}

static void
add_number(struct series *s, double v, const struct observed_run *r)
{
	s->v = xreallocarray(s->v, (size_t)s->n + 1, sizeof *s->v);
	s->x = xreallocarray(s->x, (size_t)s->n + 1, sizeof *s->x);
	s->v[s->n] = v;
	memcpy(s->x[s->n++], r->x, sizeof r->x);
}

static void
remember(struct fitting *f, const struct power *p)
{
	for (size_t i = 0; i < f->nfound; i++)
		if (memcmp(f->found[i].exponent, p->exponent, sizeof p->exponent) == 0)
			return;
	*APPEND(f->found, f->nfound) = *p;
}

/* Return whether exponents determined from other numbers explain these, within the unevenness of experts' rows. */
static bool
like_others(const struct fitting *f, const struct series *s, struct power *best)
{
	int found = 0;

	for (size_t i = 0; i < f->nfound; i++) {
		struct power p = f->found[i];

		if (factors_error(s->n, s->v, (const double (*)[FACTORS])s->x, &p) <= routed) {
			*best = p;
			found++;
		}
	}
	return found == 1;
}

/*
 * Explain the numbers of S as OF; return true and set *POWER if determined. ROWS: numbers may be uneven rows of
 * experts.
 */
static bool
explain(struct fitting *f, const char *of, const struct series *s, double slack, bool rows, struct power *p)
{
	bool unsure[FACTORS];
	enum told told = factors_explain(s->n, s->v, (const double (*)[FACTORS])s->x, slack, p, unsure);

	if (told == TOLD_NONE && rows && fitted_said(f->run[0], FACTOR_EXPERTS) && like_others(f, s, p))
		return true;
	if (told == TOLD_ONE) {
		if (p->added == 0)
			remember(f, p);
		return true;
	}
	if (told == TOLD_NONE)		/* a third value may identify a sum */
		factors_suspect(s->n, s->v, (const double (*)[FACTORS])s->x, unsure);
	doubts_add(&f->doubts, f->at, of, unsure, told == TOLD_NONE,
	    told == TOLD_SEVERAL ? "these runs move the factors together" : "follows nothing");
	return false;
}

/* Get a number from a shape text "8192,4096;1;". Return false if it is absent. */
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

/* Exit if runs with equal factors have different sizes: they belong to different networks. */
static void
same_network(const struct fitting *f, size_t i, size_t k, const struct record *a, const struct record *b, double x,
    double y)
{
	if (fmax(x, y) > (1 + routed) * fmin(x, y) && memcmp(f->run[i]->x, f->run[k]->x, sizeof f->run[i]->x) == 0)
		place_die(b->place, "runs '%s' and '%s' have the same factors, but a dimension of %s is %.15g and "
		    "%.15g: they are of two networks", a->kernel.run, b->kernel.run, a->kernel.type, x, y);
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

/* Fit the dimensions of one operator, number OF [runs] in each row. */
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
				same_network(f, base, r, rows[base].at[i], o, v, w);
				add_number(&s, w, f->run[r]);
			}
			if (explain(f, c.of, &s, 0, axis == 0, &p)) {
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

/* Fit the number of kernels of a type per layer, if runs differ. */
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
		add_number(&s, n, f->run[r]);
		differs |= n != s.v[0];
	}
	if (differs && explain(f, c.of, &s, 0, false, &p)) {
		fitted_set_place(&c, &f->at);
		GIVE(coefficient, &c, type, (char *)type);
		put_power(f, &c, &p, s.n);
	}
	series_free(&s);
}

static const char **
types_of(const struct fit_row *r, bool tensors)
{
	const char **type = xcalloc(r->n + 1, sizeof *type);

	for (size_t i = 0; i < r->n; i++)
		type[i] = tensors ? r->at[i]->tensor.name : r->at[i]->kernel.type;
	return type;
}

/* Align the operators of all runs to the run with most; [runs] indices each, caller frees. */
static size_t
align_rows(const struct fitting *f, const struct fit_row *rows, bool tensors, int **of)
{
	const char **base_types;
	size_t base = 0;

	for (size_t r = 1; r < f->n; r++)
		base = rows[r].n > rows[base].n ? r : base;
	base_types = types_of(&rows[base], tensors);
	for (size_t r = 0; r < f->n; r++) {
		const char **types = types_of(&rows[r], tensors);

		of[r] = align(rows[base].n, base_types, rows[r].n, types);
		free(types);
	}
	free(base_types);
	return base;
}

/* Get the wall time of a layer in a phase, ms per micro-batch, and its error; or false. */
static bool
wall_time(const struct fitting *f, const struct observed_run *r, double *time, double *error)
{
	for (size_t i = 0; i < r->ntimings && f->at.layer != NULL; i++) {
		const struct timing *t = &r->timing[i].timing;
		double n = (double)t->instances * t->steps;

		if (t->phase != f->at.phase || strcmp(t->name, f->at.layer) != 0 || !(t->total > 0))
			continue;
		*time = t->total / n / r->run.run.of.micro_batches;
		/* Assume a uniform distribution of instances between minimum and maximum. */
		*error = t->median > 0 ? (t->max - t->min) / t->median / sqrt(12 * n) : 0;
		return true;
	}
	return false;
}

/* Write a layer's measured time in each run: wall time if known, else the sum of its kernels. */
static void
put_times(struct fitting *f, const struct fit_row *rows)
{
	static const char *const names[] = { "time", "backward_time", "recompute_time", "weight_time" };

	for (size_t r = 0; r < f->n && f->at.phase < 4; r++) {
		struct coefficient c = { .of = (char *)names[f->at.phase], .source = FROM_MEASURED };
		double time = 0, squares = 0, error;

		for (size_t i = 0; i < rows[r].n; i++) {
			const struct observed_kernel *k = &rows[r].at[i]->kernel;
			double t = k->time * k->calls / rows[r].each;

			time += t;
			squares += t * t * k->spread * k->spread / k->calls;
		}
		if (rows[r].n == 0)
			continue;
		error = time > 0 ? sqrt(squares) / time : 0;
		wall_time(f, f->run[r], &time, &error);
		fitted_set_place(&c, &f->at);
		GIVE(coefficient, &c, error, error);
		fitted_put_alone(f->out, f->run[r], &c, time);
	}
}

/* Write the time of a step outside pipeline and collectives, and the hidden fraction of gradient collectives. */
static void
put_outside(const struct fitting *f, const struct fit_sample *s)
{
	for (size_t r = 0; r < f->n; r++) {
		struct coefficient optimizer = { .of = (char *)"optimizer", .source = FROM_MEASURED },
		    hidden = { .of = (char *)"hidden", .source = FROM_MEASURED };
		const struct observed_run *o = f->run[r];
		double all = 0, exposed = 0;

		if (o->pipeline > 0 && o->step > o->pipeline + o->outside)
			fitted_put_alone(f->out, f->run[r], &optimizer, o->step - o->pipeline - o->outside);
		for (size_t i = 0; i < s->ncommunications; i++) {
			const struct observed_communication *c = &s->communication[i].communication;
			double time = c->time * c->calls;

			if (c->run == NULL || strcmp(c->run, o->run.run.of.name) != 0 || c->group != GROUP_DP)
				continue;
			all += time;
			exposed += c->part == PLACE_OUTSIDE ? time : 0;
		}
		if (all > 0)
			fitted_put_alone(f->out, f->run[r], &hidden, 1 - exposed / all);
	}
}

static void
rows_free(const struct fitting *f, struct fit_row *rows, int **of)
{
	for (size_t r = 0; r < f->n; r++) {
		free(rows[r].at);
		free(of[r]);
	}
	free(rows);
	free(of);
}

static void
fit_kernels(struct fitting *f)
{
	struct fit_row *rows = xcalloc(f->n, sizeof *rows);
	int **of = xcalloc(f->n, sizeof *of);
	size_t base;

	for (size_t r = 0; r < f->n; r++)
		rows[r] = row_kernels(f->run[r], f->at);
	base = align_rows(f, rows, false, of);
	put_times(f, rows);
	for (size_t i = 0; i < rows[base].n; i++) {
		bool seen = false;

		for (size_t k = 0; k < i; k++)
			seen |= strcmp(rows[base].at[k]->kernel.type, rows[base].at[i]->kernel.type) == 0;
		fit_operator(f, rows, of, base, i);
		if (!seen)
			fit_multiplicity(f, rows, rows[base].at[i]->kernel.type);
	}
	rows_free(f, rows, of);
}

/* Fit the memory that a layer keeps per micro-batch: each kept tensor by its own factors. */
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
	base = align_rows(f, rows, true, of);
	for (size_t i = 0; i < rows[base].n; i++) {
		struct series s = { 0 };
		struct power p = { .value = 0 };
		double times = 0;

		for (size_t r = 0; r < f->n; r++) {
			const struct observed_tensor *t = of[r][i] >= 0 ? &rows[r].at[of[r][i]]->tensor : NULL;

			if (t == NULL || t->life != LIFE_KEPT)
				continue;
			add_number(&s, t->bytes, f->run[r]);
			times = fmax(times, (double)t->calls / rows[r].each);
		}
		if (s.n > 0 && explain(f, c.of, &s, page, false, &p)) {
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
	/* Skip sums with an unknown part. */
	if (all && sum > 0) {
		fitted_set_place(&c, &f->at);
		GIVE(coefficient, &c, error, error / sum);
		fitted_put(f->out, f->run, f->n, &c);
	} else {
		fitted_free(&c);
	}
	rows_free(f, rows, of);
}

/* Write doubts about factors with a single value in these runs, and degrees never above 1. */
static void
doubt_factors(struct fitting *f)
{
	double (*x)[FACTORS] = xcalloc(f->n, sizeof *x);
	bool varies[FACTORS];
	struct untold u = { .doubt = { .of = (char *)"dimension",
		.why = (char *)"all runs of this regime have the same" } };

	for (size_t i = 0; i < f->n; i++)
		memcpy(x[i], f->run[i]->x, sizeof x[i]);
	factors_vary((int)f->n, (const double (*)[FACTORS])x, varies);
	free(x);
	for (int k = 0; k < FACTORS; k++) {
		/* Do not ask for experts in a network without experts. */
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

/* Return the parts, phases and layer classes of all runs, in order; caller frees. */
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
	put_outside(f, s);
	doubt_factors(f);
	for (size_t i = 0; i < f->doubts.n; i++)
		doubt_write(f->out, &f->doubts.at[i], f->run, f->n);
}

/* Different heads or vocabulary change numbers that no factor describes. */
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
				place_warn(s->at[k].run.place, "run '%s' is of another device than '%s': kept apart",
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
		d.why = (char *)(both[0] ? "no run has it above 1: another program" :
		    "no run has it at 1: another program");
		texts_add(&d.factors, regime_names[k]);
		record_put(out, RECORD_DOUBT, &d);
		texts_free(&d.factors);
	}
	free(done);
}
