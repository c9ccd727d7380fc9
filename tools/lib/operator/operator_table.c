#include "operator_table.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"
#include "lib/base/numbers.h"

#define NEAR 0.05		/* added to each distance */
/* a time this many times below the limit by the peaks is an error: its unit must be wrong */
#define MOST_OVER_PEAK 3
#define LEAST_OF_PEAK 30	/* a time this many times above the limit by the peaks causes a warning */
enum { NEIGHBOURS = 3, LAW_LEAST = 12, GROUP_LEAST = 5, FITS_KEPT = 4096 };

struct operator_table
operator_table_none(void)
{
	return (struct operator_table){ .gap = OPERATOR_GAP, .sustain = OPERATOR_SUSTAIN,
		.contention = OPERATOR_CONTENTION };
}

static uint64_t
hash_of(const struct operator_key *k)
{
	uint64_t h = hash_begin((uint64_t)k->op * 64 + (uint64_t)k->phase * 8 + (uint64_t)k->dtype);

	for (int i = 0; i < KEY_SIZES; i++)
		h = hash_add(h, (uint64_t)k->size[i]);
	return hash_end(h);
}

static void
take_logarithms(const struct operator_key *k, double to[KEY_SIZES])
{
	for (int i = 0; i < KEY_SIZES; i++)
		to[i] = k->size[i] > 0 ? log((double)k->size[i]) : 0;
}

static struct operator_entry *
entry_of(const struct operator_table *t, const struct operator_key *k, uint64_t hash)
{
	size_t tries = 0;
	int i;

	while ((i = index_next(&t->index, hash, &tries)) >= 0)
		if (memcmp(&t->entry[i].key, k, sizeof *k) == 0)
			return &t->entry[i];
	return NULL;
}

static int
text_index(char ***list, int *n, const char *text)
{
	for (int i = 0; i < *n; i++)
		if (strcmp((*list)[i], text) == 0)
			return i;
	*APPEND(*list, *n) = xstrdup(text);
	return *n - 1;
}

static void
add_rate(struct operator_table *t, const struct device_operator *o)
{
	struct operator_rate *r = APPEND(t->rate, t->nrates);

	*r = (struct operator_rate){ .of = xstrdup(o->of), .phase = GIVEN(device_operator, o, phase) ? o->phase : -1,
		.bandwidth = o->bandwidth };
	if (GIVEN(device_operator, o, time)) {
		r->bytes = o->bytes;
		r->bandwidth = o->bytes / o->time / 1e6;
	}
}

void
operator_table_add(struct operator_table *t, const struct device_operator *o, struct place at)
{
	bool rate = GIVEN(device_operator, o, bandwidth);
	struct operator_key k = operator_key_of(o);
	uint64_t hash = hash_of(&k);
	struct operator_entry *e;

	if (!GIVEN(device_operator, o, time) && !rate)
		return;
	if (GIVEN(device_operator, o, device))
		text_index(&t->device, &t->devices, o->device);
	if (o->op == OPERATOR_BYTES)
		add_rate(t, o);
	if (o->op == OPERATOR_LAYER || o->op == OPERATOR_BYTES)
		return;
	if ((e = entry_of(t, &k, hash)) == NULL) {
		e = APPEND(t->entry, t->n);
		*e = (struct operator_entry){ .key = k, .place = at };
		take_logarithms(&k, e->log);
		index_add(&t->index, hash, t->n - 1);
	}
	e->times = xreallocarray(e->times, (size_t)e->n + 1, sizeof *e->times);
	e->software = xreallocarray(e->software, (size_t)e->n + 1, sizeof *e->software);
	e->times[e->n] = o->time;
	e->software[e->n++] = GIVEN(device_operator, o, software) ?
	    text_index(&t->software, &t->nsoftwares, o->software) : -1;
}

/* Keep only the measurements of the software that has most of them. */
static void
choose_software(struct operator_table *t)
{
	int *count = xcalloc((size_t)t->nsoftwares + 1, sizeof *count), most = 0, left = 0;

	for (int i = 0; i < t->n; i++)
		for (int j = 0; j < t->entry[i].n; j++)
			count[t->entry[i].software[j] + 1]++;
	for (int i = 1; i <= t->nsoftwares; i++)
		if (count[i] > count[most])
			most = i;
	for (int i = 0; i < t->n; i++) {
		struct operator_entry *e = &t->entry[i];
		int n = 0;

		for (int j = 0; j < e->n; j++)
			if (e->software[j] == most - 1)
				e->times[n++] = e->times[j];
		left += e->n - n;
		e->n = n;
	}
	if (left > 0)
		warnx("operator: software '%s' has most measurements; %d measurements of other software are ignored",
		    most > 0 ? t->software[most - 1] : "", left);
	free(count);
}

static double
type_peak(const struct cluster *c, int type)
{
	double narrow = c->peak_linear > c->peak ? c->peak_linear : 2 * c->peak, bytes = number_bytes(type);

	return 1e12 * (bytes == 4 ? c->peak / 2 : bytes == 2 ? c->peak : bytes == 1 ? narrow : 2 * narrow);
}

static struct device_peaks
peaks_of(const struct operator_table *t, const struct operator_key *k)
{
	struct device_peaks p = t->peak;

	p.operations *= number_bytes(k->dtype) >= 2 ? 1 : 2 / number_bytes(k->dtype);
	return p;
}

static void
check_time(const struct operator_entry *e, const struct cluster *c)
{
	struct operator_law ideal = operator_law_ideal(e->key.op);
	struct device_peaks p = { type_peak(c, e->key.dtype), 1e9 * c->memory_bandwidth };
	double least = operator_law_time(&ideal, &e->key, p);

	if (e->time * MOST_OVER_PEAK < least)
		place_die(e->place, "operator: time: faster than the device's peak: %s needs at least %.3g ms (wrong "
		    "unit?) '%g'", c->name, least, e->time);
	if (e->time > LEAST_OF_PEAK * (least + 1e-3 * c->launch))
		warnx("%s:%zu: operator: time: over %d times the time at the peak of %s: %g ms", e->place.source,
		    (size_t)e->place.line, LEAST_OF_PEAK, c->name, e->time);
}

/* Return the key that all entries of K's group have in common. */
static struct operator_key
group_key(const struct operator_key *k)
{
	struct operator_key like = *k;

	memset(like.size, 0, sizeof like.size);
	if (k->op == OPERATOR_ATTENTION)
		like.size[ATTENTION_QK] = k->size[ATTENTION_QK];
	like.contiguous = 0;
	return like;
}

static const struct operator_group *
group_of(const struct operator_table *t, const struct operator_key *k)
{
	struct operator_key like = group_key(k);

	for (int i = 0; i < t->ngroups; i++)
		if (memcmp(&t->group[i].like, &like, sizeof like) == 0)
			return &t->group[i];
	return NULL;
}

static void
fit_group(struct operator_table *t, struct operator_group *g)
{
	struct operator_key *key = xcalloc((size_t)g->n, sizeof *key);
	double *time = xcalloc((size_t)g->n, sizeof *time);
	struct device_peaks peak = peaks_of(t, &g->like);

	for (int i = 0; i < g->n; i++) {
		key[i] = t->entry[g->entry[i]].key;
		time[i] = t->entry[g->entry[i]].time;
	}
	g->fitted = g->n >= LAW_LEAST;
	g->law = g->fitted ? operator_law_fit(key, time, (size_t)g->n, peak) : operator_law_ideal(g->like.op);
	g->over = xcalloc((size_t)g->n, sizeof *g->over);
	for (int i = 0; i < g->n; i++)
		g->over[i] = time[i] / operator_law_time(&g->law, &key[i], peak);
	free(time);
	free(key);
}

static void
warn_layouts(const struct operator_table *t)
{
	static const char *const names[] = { "TN", "NN", "NT" };
	int count[3] = { 0 };

	for (int i = 0; i < t->ngroups; i++)
		if (t->group[i].like.op == OPERATOR_MATMUL)
			count[t->group[i].like.phase] += t->group[i].n;
	for (int i = 0; i < 3; i++)
		if (count[i] < GROUP_LEAST && count[0] + count[1] + count[2] > 0)
			warnx("operator: %d products of layout %s: too few to fit; the fit of another layout is used",
			    count[i],
			    names[i]);
}

/* Free groups and fits that were made for the previous network. */
static void
unsettle(struct operator_table *t)
{
	for (int i = 0; i < t->ngroups; i++) {
		free(t->group[i].entry);
		free(t->group[i].over);
	}
	t->ngroups = 0;
	free(t->kept);
	t->kept = NULL;
}

void
operator_table_settle(struct operator_table *t, const struct cluster *c)
{
	unsettle(t);
	if (operator_table_empty(t))
		return;
	t->peak = (struct device_peaks){ type_peak(c, TYPE_BF16), 1e9 * c->memory_bandwidth };
	t->kept = xcalloc(FITS_KEPT, sizeof *t->kept);
	choose_software(t);
	for (int i = 0; i < t->n; i++) {
		struct operator_entry *e = &t->entry[i];

		if (e->n == 0)
			continue;
		e->time = numbers_median(e->times, (size_t)e->n);
		check_time(e, c);
	}
	for (int i = 0; i < t->n; i++) {
		struct operator_entry *e = &t->entry[i];
		struct operator_group *g = (struct operator_group *)group_of(t, &e->key);

		if (e->n == 0)
			continue;
		if (g == NULL) {
			g = APPEND(t->group, t->ngroups);
			*g = (struct operator_group){ .like = group_key(&e->key) };
		}
		*APPEND(g->entry, g->n) = i;
	}
	for (int i = 0; i < t->ngroups; i++)
		fit_group(t, &t->group[i]);
	warn_layouts(t);
	for (int i = 0; i < t->devices; i++) {
		size_t length = strlen(t->device[i]);

		if (strncmp(c->name, t->device[i], length) != 0 ||
		    (c->name[length] != '\0' && c->name[length] != '-')) {
			warnx("operator: measured on '%s', not on the cluster's '%s': times are less certain",
			    t->device[i],
			    c->name);
			t->borrowed = true;
		}
	}
}

/* Return the distance of an entry from key K. AT: logarithms of the sizes of K. */
static double
distance(const struct operator_key *k, const double at[KEY_SIZES], const struct operator_entry *e)
{
	static const double weights[][KEY_SIZES] = {
		[OPERATOR_MATMUL] = { 1, 1, 1 },
		[OPERATOR_GROUPED] = { 1, 1, 1, [PRODUCT_GROUPS] = 0.5 },
		[OPERATOR_ATTENTION] = { 1, 1, 1, [ATTENTION_KV] = 0.2, [ATTENTION_V] = 1 },
	};
	double d = k->contiguous == e->key.contiguous ? 0 : NEAR;

	for (int i = 0; i < KEY_SIZES; i++)
		d += weights[k->op][i] * fabs(at[i] - e->log[i]);
	return d;
}

/* Return whether a law can be fitted for attention K: its sequence length was measured, or several lengths were. */
static bool
length_known(const struct operator_table *t, const struct operator_group *g, const struct operator_key *k)
{
	int64_t first = t->entry[g->entry[0]].key.size[ATTENTION_SEQ];
	bool same = false, several = false;

	for (int i = 0; i < g->n; i++) {
		int64_t length = t->entry[g->entry[i]].key.size[ATTENTION_SEQ];

		same |= length == k->size[ATTENTION_SEQ];
		several |= length != first;
	}
	return same || several;
}

/*
 * Return the group whose law applies to K. It is K's own group; for a matmul without one, it is the largest group of
 * another layout.
 */
static const struct operator_group *
law_group(const struct operator_table *t, const struct operator_key *k)
{
	const struct operator_group *g = group_of(t, k), *best = NULL;

	if (k->op == OPERATOR_ATTENTION)
		return g != NULL && g->n >= operator_law_figures(k->op) && length_known(t, g, k) ? g : NULL;
	if (k->op == OPERATOR_GROUPED)
		return g != NULL && g->n >= NEIGHBOURS ? g : NULL;
	if (g != NULL && g->n >= GROUP_LEAST)
		return g;
	for (int i = 0; i < t->ngroups; i++)
		if (t->group[i].like.op == OPERATOR_MATMUL && t->group[i].like.dtype == k->dtype &&
		    t->group[i].n >= GROUP_LEAST && (best == NULL || t->group[i].n > best->n))
			best = &t->group[i];
	return best;
}

/*
 * Return the ms of an operator. It is the time by the law of its group G, times the error of this law at the nearest
 * measurements.
 */
static double
fitted_time(const struct operator_table *t, const struct operator_group *g, const struct operator_key *k)
{
	double near[NEIGHBOURS], over[NEIGHBOURS], sum = 0, weights = 0, at_log[KEY_SIZES];
	int n = 0;

	take_logarithms(k, at_log);
	for (int i = 0; i < g->n; i++) {
		double d = distance(k, at_log, &t->entry[g->entry[i]]);
		int at;

		if (n == NEIGHBOURS && d >= near[n - 1])
			continue;
		n += n < NEIGHBOURS;
		for (at = n - 1; at > 0 && near[at - 1] > d; at--) {
			near[at] = near[at - 1];
			over[at] = over[at - 1];
		}
		near[at] = d;
		over[at] = g->over[i];
	}
	for (int i = 0; i < n; i++) {
		double weight = 1 / ((near[i] + NEAR) * (near[i] + NEAR));

		weights += weight;
		sum += weight * log(over[i]);
	}
	return operator_law_time(&g->law, k, peaks_of(t, k)) * exp(sum / weights);
}

struct operator_time
operator_table_time(const struct operator_table *t, const struct operator_key *k)
{
	uint64_t hash = hash_of(k);
	const struct operator_entry *e = entry_of(t, k, hash);
	struct operator_fit *kept = t->kept == NULL ? NULL : &t->kept[hash % FITS_KEPT];
	const struct operator_group *g;

	if (e != NULL && e->n > 0)
		return (struct operator_time){ e->time, OPERATOR_MEASURED };
	if (kept == NULL)
		return (struct operator_time){ .time = -1, .source = OPERATOR_UNKNOWN };
	if (!kept->known || memcmp(&kept->key, k, sizeof *k) != 0) {
		g = law_group(t, k);
		*kept = (struct operator_fit){ true, *k, { .time = -1, .source = OPERATOR_UNKNOWN } };
		if (g != NULL)
			kept->is = (struct operator_time){ fitted_time(t, g, k), OPERATOR_FITTED };
	}
	return kept->is;
}

double
operator_table_rate(const struct operator_table *t, const char *of, int phase, double bytes)
{
	static const char *const suffix[] = { "_forward", "_backward" };
	const struct operator_rate *best = NULL;
	double nearest = INFINITY;
	size_t length = strlen(of);

	for (int i = 0; i < t->nrates; i++) {
		const struct operator_rate *r = &t->rate[i];
		bool all = strcmp(r->of, "all") == 0, same = strncmp(r->of, of, length) == 0 &&
		    (r->of[length] == '\0' || strcmp(r->of + length, suffix[phase != OPERATOR_FORWARD]) == 0);
		/* Prefer a rate of OF to a rate of all operators, then a size near BYTES. */
		double d = (all ? 1e6 : 0) + (r->bytes > 0 ? fabs(log(r->bytes / bytes)) : 100);

		if ((all || same) && (r->phase < 0 || r->phase == phase) && d < nearest) {
			nearest = d;
			best = r;
		}
	}
	return best == NULL ? 0 : best->bandwidth;
}

bool
operator_table_empty(const struct operator_table *t)
{
	return t->n == 0 && t->nrates == 0;
}

void
operator_table_of_type(struct operator_table *t, int type)
{
	if (type == TYPE_BF16 || type == TYPE_FP16 || operator_table_empty(t))
		return;
	warnx("operators: measured in 16 bits: not used for candidates that compute in %s", number_types[type]);
	*t = (struct operator_table){ 0 };
}

void
operator_table_free(struct operator_table *t)
{
	for (int i = 0; i < t->n; i++) {
		free(t->entry[i].times);
		free(t->entry[i].software);
	}
	unsettle(t);
	for (int i = 0; i < t->nrates; i++)
		free(t->rate[i].of);
	for (int i = 0; i < t->nsoftwares; i++)
		free(t->software[i]);
	for (int i = 0; i < t->devices; i++)
		free(t->device[i]);
	free(t->entry);
	free(t->group);
	free(t->rate);
	free(t->software);
	free(t->device);
	index_free(&t->index);
	*t = operator_table_none();
}
