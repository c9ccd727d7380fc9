/* Observe: kernels of layers, layer by layer, as records. */
#include "observe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"
#include "lib/base/sorted.h"
#include "lib/record/record.h"

typedef const struct piece *piece_pointer;
ORDER_BY(by_start, piece_pointer, (*it)->start)

/* Return the pieces of the layout, sorted by start; caller frees the array. */
static const struct piece **
pieces_sorted(const struct layout *l)
{
	const struct piece **sorted = xcalloc(l->n + 1, sizeof *sorted);

	for (size_t i = 0; i < l->n; i++)
		sorted[i] = &l->at[i];
	SORT(sorted, l->n, by_start);
	return sorted;
}

const struct piece *
piece_at(const struct piece *const *sorted, size_t n, int64_t ns)
{
	size_t low = COUNT_BEFORE(sorted, n, (*it)->start <= ns);

	return low > 0 && ns < sorted[low - 1]->start + (int64_t)sorted[low - 1]->wall ? sorted[low - 1] : NULL;
}

struct where
where_of(const struct piece *p, const struct layout *l, int step, int64_t ns, int stage)
{
	_Static_assert((int)LAYER_HEAD == (int)PLACE_HEAD && (int)LAYER_TAIL == (int)PLACE_TAIL, "parts as types");
	stage = stage < 0 ? 0 : stage;
	if (p == NULL)
		return (struct where){ stage, PLACE_OUTSIDE, ns >= l->end[step] ? PHASE_OPTIMIZER :
			TIMING_FORWARD, -1 };
	return (struct where){ stage, (int)p->part, (int)p->phase, p->class };
}

/* Return whether piece P continues the layer of the previous piece, because recomputation may interrupt a backward. */
static bool
goes_on(const struct piece *before, const struct piece *p)
{
	return before != NULL && p != NULL && before->part == p->part && before->layer == p->layer &&
	    before->step == p->step && before->phase != p->phase && p->phase != TIMING_FORWARD &&
	    before->phase != TIMING_FORWARD;
}

struct observed_count {			/* number of kernels of a type in one layer and phase */
	uint32_t layer, n;
};

/* Add the kernels of the counted steps, numbered by type within the layer. */
static void
add_kernels(struct observations *o, const struct rank_run *run, const struct piece *const *sorted)
{
	const struct sequence *s = run->sequence;
	const struct layout *l = run->layout;
	struct observed_count (*count)[PHASE_OPTIMIZER + 1] = xcalloc(s->ntypes + 1, sizeof *count);
	const struct piece *before = NULL;
	uint32_t layer = 1, order = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct item *x = &s->at[i];
		const struct piece *p;
		struct seen k = { .value = (double)(x->end - x->start) / 1e6 };
		struct observed_count *c;

		if (!run->counted[x->step] || (s->type[x->type].roles & ROLE_COMMUNICATION))
			continue;
		p = piece_at(sorted, l->n, x->start);
		if (p != before && p != NULL) {
			layer += !goes_on(before, p);
			order = goes_on(before, p) ? order : 0;
			before = p;
		}
		k.at = where_of(p, l, x->step, x->start, run->job.stage);
		c = &count[x->type][k.at.phase];
		if (c->layer != layer)
			*c = (struct observed_count){ layer, 0 };
		k.occurrence = p != NULL ? c->n++ : 0;
		k.order = p != NULL ? order++ : (uint32_t)i;
		k.key = keys_find(&o->keys, s->keep ? s->shapes.at[x->symbol] : s->type[x->type].name);
		k.type = keys_find(&o->keys, s->type[x->type].name);
		*APPEND(o->kernel, o->nkernels) = k;
	}
	free(count);
}

void
observe(struct observations *o, const struct rank_run *run)
{
	const struct piece **sorted = pieces_sorted(run->layout);
	int steps = 0;

	for (int i = 0; i < run->sequence->steps; i++)
		steps += run->counted[i];
	*APPEND(o->ranks, o->nranks) = (struct rank_seen){ run->job.rank, run->job.stage < 0 ? 0 : run->job.stage,
		steps };
	o->micro = run->layout->micro > 0 ? run->layout->micro : o->micro;
	if (o->nranks == 1)
		o->job = run->job;
	else if (o->job.tp != run->job.tp || o->job.dp != run->job.dp || o->job.stages != run->job.stages)
		place_die((struct place){ .source = run->source }, "tp %d, dp %d, pp %d, but other files of the run "
		    "have tp %d, dp %d, pp %d: call sapp-trace for each run, or give -runs", run->job.tp, run->job.dp,
		    run->job.stages, o->job.tp, o->job.dp, o->job.stages);
	add_kernels(o, run, sorted);
	collectives_add(o, run, sorted);
	tensors_add(o, run, sorted);
	free(sorted);
}

/*
 * Order by the members that are equal for the same kernel or tensor of all layers. Outside of layers all members are
 * compared.
 */
ORDER_BY(by_kind, struct seen, where_number(it->at), it->at.part == PLACE_OUTSIDE ? it->key : it->type, it->occurrence,
    it->key, it->order)

struct observed_pool {			/* occurrences of the same kernel */
	struct where at;
	uint32_t key, type, order;
	int calls, life;
	double value, spread;
};

ORDER_BY(by_order, struct observed_pool, where_number(it->at), it->order, it->key)

/* Return the pool of N kernels: their most common key, and their median value. */
static struct observed_pool
pool_of(const struct seen *at, size_t n)
{
	struct observed_pool p = { .at = at->at, .type = at->type, .order = UINT32_MAX, .calls = (int)n };
	double *x = xcalloc(n, sizeof *x), mean = 0, squares = 0;
	size_t most = 0;

	for (size_t i = 0, j; i < n; i = j) {
		for (j = i; j < n && at[j].key == at[i].key; j++)
			;
		if (j - i > most) {
			most = j - i;
			p.key = at[i].key;
			p.life = at[i].life;
		}
	}
	for (size_t i = 0; i < n; i++) {
		x[i] = at[i].value;
		mean += x[i] / (double)n;
		p.order = at[i].order < p.order ? at[i].order : p.order;
	}
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - mean) * (x[i] - mean) / (double)n;
	p.spread = mean > 0 ? sqrt(squares) / mean : 0;
	p.value = numbers_median(x, n);
	free(x);
	return p;
}

/* Pool the N kernels or tensors at AT by kind, in order. Caller frees. */
static struct observed_pool *
pools_of(struct seen *at, size_t n, size_t *found)
{
	struct observed_pool *p = NULL;

	*found = 0;
	SORT(at, n, by_kind);
	for (size_t i = 0, j; i < n; i = j) {
		bool outside = at[i].at.part == PLACE_OUTSIDE;

		for (j = i; j < n && where_number(at[j].at) == where_number(at[i].at) && at[j].type == at[i].type &&
		    at[j].occurrence == at[i].occurrence && (!outside || at[j].key == at[i].key); j++)
			;
		*APPEND(p, *found) = pool_of(at + i, j - i);
	}
	SORT(p, *found, by_order);
	return p;
}

int
calls_a_step(const struct observations *o, int stage, int n)
{
	int steps = 0;

	for (size_t i = 0; i < o->nranks; i++)
		steps += o->ranks[i].stage == stage ? o->ranks[i].steps : 0;
	return steps > 0 ? (n + steps - 1) / steps : n;
}

/* Return part I of a key "TYPE|INPUT|..." (caller frees); NULL: empty or absent. */
static char *
part_of(const char *key, int i)
{
	size_t n;

	while (i-- > 0 && key != NULL)
		key = strchr(key, '|') != NULL ? strchr(key, '|') + 1 : NULL;
	n = key != NULL ? strcspn(key, "|") : 0;
	return n > 0 ? xstrndup(key, n) : NULL;
}

/*
 * Return shapes such as "8192,4096;1" with a semicolon at the end: "8192,4096;1;" (caller frees). Return NULL if a
 * dimension is not an integer. Takes ownership of TEXT.
 */
static char *
shapes_of(char *text)
{
	char *shapes = NULL;

	if (text != NULL && text[strspn(text, "0123456789,;")] == '\0')
		shapes = xasprintf("%s;", text);
	free(text);
	return shapes;
}

static const char *
name_of(const struct classes *c, const struct where *at)
{
	return at->class >= 0 && at->part != PLACE_OUTSIDE ? c->at[at->class].said : NULL;
}

static void
put_kernel(FILE *out, const struct observations *o, const struct observed_pool *p, int order, const struct classes *c)
{
	const char *key = o->keys.at[p->key], *layer = name_of(c, &p->at);
	struct observed_kernel k = { .run = xstrdup(o->run), .stage = p->at.stage, .part = p->at.part,
		.phase = p->at.phase, .order = order, .type = xstrdup(o->keys.at[p->type]), .time = p->value,
		.calls = calls_a_step(o, p->at.stage, p->calls) };
	char *types = part_of(key, 3), *text;

	if (layer != NULL)
		GIVE(observed_kernel, &k, layer, xstrdup(layer));
	if ((text = shapes_of(part_of(key, 1))) != NULL)
		GIVE(observed_kernel, &k, input, text);
	if ((text = shapes_of(part_of(key, 2))) != NULL)
		GIVE(observed_kernel, &k, output, text);
	for (char *rest = types, *t; rest != NULL && (t = strsep(&rest, ";")) != NULL; ) {
		texts_add(&k.dtype, t);
		field_give(&observed_kernel_fields, &k, offsetof(struct observed_kernel, dtype));
	}
	free(types);
	if ((text = part_of(key, 4)) != NULL)
		GIVE(observed_kernel, &k, core, text);
	if (p->calls > 1)
		GIVE(observed_kernel, &k, spread, p->spread);
	record_put(out, RECORD_KERNEL, &k);
	fields_free(&observed_kernel_fields, &k);
}

static void
put_tensor(FILE *out, const struct observations *o, const struct observed_pool *p, int order, const struct classes *c)
{
	const char *layer = name_of(c, &p->at);
	struct observed_tensor t = { .run = (char *)o->run, .stage = p->at.stage, .part = p->at.part,
		.phase = p->at.phase, .order = order, .bytes = p->value, .life = p->life,
		.calls = calls_a_step(o, p->at.stage, p->calls) };

	t.name = part_of(o->keys.at[p->key], 0);
	if (layer != NULL)
		GIVE(observed_tensor, &t, layer, (char *)layer);
	record_put(out, RECORD_TENSOR, &t);
	free(t.name);
}

static bool
same_degree(int said, int found)
{
	return found <= 0 || said == found;
}

/* Get the run record for this run's directory or name from the file of -runs. Exits if it is missing. */
static void
given_run(const struct observations *o, struct record *rec)
{
	char *const operands[] = { (char *)o->runs, NULL };
	const struct configuration *c = &rec->run.of;
	struct reader in;
	bool found = false;

	reader_open(&in, operands, RECORDS(RECORD_RUN));
	while (!found && reader_next(&in, rec)) {
		const char *dir = rec->kind == RECORD_RUN && rec->run.dir != NULL ? rec->run.dir : "";
		const char *slash = strrchr(dir, '/');

		found = rec->kind == RECORD_RUN && (strcmp(slash != NULL ? slash + 1 : dir, o->run) == 0 ||
		    (c->name != NULL && strcmp(c->name, o->run) == 0));
		if (!found)
			record_free(rec);
	}
	reader_close(&in);
	if (!found)
		place_die((struct place){ .source = o->runs }, "-runs: no run record has the dir or name '%s'", o->run);
	if (!same_degree(c->tp, o->job.tp) || !same_degree(c->dp, o->job.dp) || !same_degree(c->pp, o->job.stages) ||
	    !same_degree(c->cp, o->job.cp) || !same_degree(c->ep, o->job.ep) || c->micro_batches != o->micro)
		place_die(rec->place, "run: dp %d, tp %d, cp %d, ep %d, pp %d, %d micro-batches, but the profile of "
		    "'%s' has %d, %d, %d, %d, %d, %d", c->dp, c->tp, c->cp, c->ep, c->pp, c->micro_batches, o->run,
		    o->job.dp, o->job.tp, o->job.cp, o->job.ep, o->job.stages, o->micro);
}

/* Return the set of enum fused that occurs, by the operators' names in torch_npu, MindSpore and Transformer Engine. */
static int
fused_operators(const struct observations *o)
{
	static const struct { const char *word; int what; } names[] = {
		{ "matmulallreduce", FUSED_MC2 }, { "allgathermatmul", FUSED_MC2 },
		{ "matmulreducescatter", FUSED_MC2 }, { "moetokenpermute", FUSED_PERMUTE },
		{ "moetokenunpermute", FUSED_PERMUTE }, { "_permute_kernel", FUSED_PERMUTE },
		{ "_unpermute_kernel", FUSED_PERMUTE },
	};
	int fused = 0;

	for (size_t i = 0; i < o->nkernels; i++)
		for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
			if (strcasestr(o->keys.at[o->kernel[i].type], names[k].word) != NULL)
				fused |= names[k].what;
	return fused;
}

/* Set the run's fused operators from its kernels. Exits if the run record has a fused operator without kernels. */
static void
give_fused(struct training_run *r, const struct observations *o, struct place at)
{
	int fused = fused_operators(o), said = r->of.fused;

	if (said & ~fused)
		place_die(at, "run: fused: '%s' has no kernel of %s", o->run,
		    fused_names[said & ~fused & FUSED_MC2 ? 0 : 1]);
	if (fused == 0)
		return;
	r->of.fused = fused;
	field_give(&training_run_fields, r, offsetof(struct training_run, of.fused));
}

void
observations_write_run(FILE *out, struct observations *o)
{
	struct record rec = { .kind = RECORD_RUN };
	struct training_run *r = &rec.run;

	if (o->nranks == 0)
		return;
	if (o->runs != NULL) {
		given_run(o, &rec);
		free(r->of.name);
		o->job.tp = r->of.tp;
		o->job.cp = r->of.cp;
		o->job.ep = r->of.ep;
		o->job.dp = r->of.dp;
		o->job.stages = r->of.pp;
		o->job.world = r->of.dp * r->of.tp * r->of.cp * r->of.pp;
	} else if (o->job.dp > 0 && o->job.tp > 0 && o->job.stages > 0 && o->micro > 0) {
		r->of = (struct configuration){ .dp = o->job.dp, .tp = o->job.tp, .cp = o->job.cp, .pp = o->job.stages,
			.ep = o->job.ep, .micro_batches = o->micro };
		if (r->of.cp > 0)
			field_give(&training_run_fields, r, offsetof(struct training_run, of.cp));
		if (r->of.ep > 0)
			field_give(&training_run_fields, r, offsetof(struct training_run, of.ep));
	} else {
		place_warn((struct place){ .source = o->run }, "the degrees of parallelism of the run are in no file: "
		    "give them with -runs");
		return;
	}
	give_fused(r, o, rec.place.source != NULL ? rec.place : (struct place){ .source = o->run });
	r->of.name = xstrdup(o->run);
	field_give(&training_run_fields, r, offsetof(struct training_run, of.name));
	if (o->step_time > 0 && !GIVEN(training_run, r, step_time))
		GIVE(training_run, r, step_time, o->step_time);
	record_put(out, RECORD_RUN, r);
	record_free(&rec);
}

/* Warn about data that the kernels lack, such as shapes. */
static void
say_missing(const struct observations *o)
{
	struct place at = { .source = o->run };
	bool shapes = false;

	for (uint32_t i = 0; i < o->keys.n && !shapes; i++) {
		const char *bar = strchr(o->keys.at[i], '|');

		shapes = bar != NULL && strpbrk(bar, "0123456789") != NULL && o->nkernels > 0;
	}
	if (!shapes)
		place_warn(at, "kernels without shapes: profile with record_shapes=True of PyTorch, or from level 1 on "
		    "of Ascend's profiler");
	for (int stage = 0; stage < o->job.stages; stage++) {
		bool any = false;

		for (size_t i = 0; i < o->nranks; i++)
			any |= o->ranks[i].stage == stage;
		if (!any)
			place_warn(at, "stage %d of %d: no profile", stage, o->job.stages);
	}
}

void
observations_write(FILE *out, struct observations *o, const struct classes *c)
{
	size_t n;
	struct observed_pool *p;

	if (o->nranks == 0)
		return;
	say_missing(o);
	for (int what = 0; what < 2; what++) {
		p = what == 0 ? pools_of(o->kernel, o->nkernels, &n) : pools_of(o->tensor, o->ntensors, &n);
		for (size_t i = 0, order = 0; i < n; i++) {
			order = i > 0 && where_number(p[i].at) == where_number(p[i - 1].at) ? order + 1 : 0;
			if (what == 0)
				put_kernel(out, o, &p[i], (int)order, c);
			else
				put_tensor(out, o, &p[i], (int)order, c);
		}
		free(p);
	}
	collectives_write(out, o);
}

void
observations_free(struct observations *o)
{
	keys_free(&o->keys);
	free(o->kernel);
	free(o->tensor);
	free(o->call);
	free(o->ranks);
	*o = (struct observations){ 0 };
}
