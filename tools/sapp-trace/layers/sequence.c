#include "sequence.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"
#include "lib/base/sorted.h"

enum { MAX_STREAMS = 10000 };
static const int64_t clock_grain = 1000;	/* ns: smaller overlaps are clock noise */
static const double few = 0.35;		/* maximum fraction of kernels on minor streams */

uint32_t
sequence_type(struct sequence *s, struct text name, unsigned also, struct place at)
{
	uint64_t hash = hash_text(name.at, name.n, 0);
	size_t tries = 0;
	uint32_t new = s->ntypes, family = new;
	const char *size;

	for (int i; (i = index_next(&s->names, hash, &tries)) >= 0;) {
		struct kernel_type *t = &s->type[i];

		if (t->length == name.n && memcmp(t->name, name.at, name.n) == 0) {
			t->roles |= also;
			return (uint32_t)i;
		}
	}
	if (s->ntypes == MAX_KERNEL_TYPES)
		place_die(at, "more than %d different kernels", MAX_KERNEL_TYPES);
	index_add(&s->names, hash, (int)s->ntypes);
	*APPEND(s->type, s->ntypes) = (struct kernel_type){ .name = xstrndup(name.at, name.n), .length = name.n,
	    .roles = also | roles_of(name.at, name.n) };
	size = s->type[new].roles & ROLE_COMMUNICATION ? strstr(s->type[new].name, "] ") : NULL;
	if (size != NULL)
		family = sequence_type(s, (struct text){ name.at, (size_t)(size + 1 - s->type[new].name) }, also, at);
	s->type[new].family = family;
	return new;
}

uint32_t
sequence_symbol(uint32_t type, struct text shapes)
{
	uint64_t h = hash_text(shapes.n > 0 ? shapes.at : "", shapes.n, type * UINT64_C(0x9e3779b97f4a7c15));

	return (uint32_t)(h ^ h >> 32);
}

uint32_t
keys_find(struct keys *k, const char *text)
{
	uint64_t hash = hash_text(text, strlen(text), 0);
	size_t tries = 0;

	for (int i; (i = index_next(&k->index, hash, &tries)) >= 0;)
		if (strcmp(k->at[i], text) == 0)
			return (uint32_t)i;
	index_add(&k->index, hash, (int)k->n);
	*APPEND(k->at, k->n) = xstrdup(text);
	return k->n - 1;
}

uint32_t
keys_take(struct keys *k, char *text)
{
	uint32_t key = keys_find(k, text);

	free(text);
	return key;
}

void
keys_free(struct keys *k)
{
	for (uint32_t i = 0; i < k->n; i++)
		free(k->at[i]);
	free(k->at);
	index_free(&k->index);
	*k = (struct keys){ 0 };
}

void
sequence_add(struct sequence *s, struct item x)
{
	s->type[x.type].count++;
	s->type[x.type].time += (double)(x.end - x.start);
	*APPEND(s->at, s->n) = x;
}

int
sequence_step(struct sequence *s, long number)
{
	for (int i = s->steps; i-- > 0;)
		if (s->number[i] == number)
			return i;
	*APPEND(s->number, s->steps) = number;
	return s->steps - 1;
}

unsigned
sequence_stream(struct sequence *s, uint64_t name)
{
	for (uint32_t i = s->nstreams; i-- > 0;)
		if (s->stream[i] == name)
			return i * ITEM_STREAM;
	if (s->nstreams == MAX_STREAMS)
		return 0;
	*APPEND(s->stream, s->nstreams) = name;
	return (s->nstreams - 1) * ITEM_STREAM;
}

/* Mark the kernels on streams other than the busiest, if these are few. They run at any time. */
static void
set_aside(struct sequence *s)
{
	size_t *n = xcalloc((size_t)s->nstreams + 1, sizeof *n), all = 0;
	uint32_t most = 0;

	for (size_t i = 0; i < s->n; i++)
		if (!(s->type[s->at[i].type].roles & ROLE_COMMUNICATION)) {
			n[s->at[i].flags / ITEM_STREAM]++;
			all++;
		}
	for (uint32_t i = 1; i < s->nstreams; i++)
		if (n[i] > n[most])
			most = i;
	if ((double)(all - n[most]) <= few * (double)all)
		for (size_t i = 0; i < s->n; i++)
			if (s->at[i].flags / ITEM_STREAM != most)
				s->at[i].flags |= ITEM_ASIDE;
	free(n);
}

ORDER_BY(item_order, struct item, it->step, it->start, it->end)

void
sequence_cut(const int64_t *start, int64_t *end, int64_t next, size_t *n, int64_t *most)
{
	if (*end <= next || *start >= next)
		return;
	*n += *end - next > clock_grain;
	*most = *end - next > *most ? *end - next : *most;
	*end = next;
}

void
sequence_tell_cut(size_t n, int64_t most, struct place at)
{
	if (n > 0)
		place_warn(at, "%zu kernel%s past the start of the next kernel on %s stream, by at most %.6g ms: cut "
		    "at that start", n, n == 1 ? " runs" : "s run", n == 1 ? "its" : "their", (double)most / 1e6);
}

/* Cut each kernel at the start of the next kernel on its stream, because a stream runs one kernel at a time. */
static void
cut_overlaps(struct sequence *s, struct place at)
{
	struct item **last = xcalloc((size_t)s->nstreams + 1, sizeof *last);
	size_t n = 0;
	int64_t most = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct item *x = &s->at[i], *before = last[x->flags / ITEM_STREAM];

		if (s->type[x->type].roles & ROLE_COMMUNICATION)
			continue;
		if (before != NULL)
			sequence_cut(&before->start, &before->end, x->start, &n, &most);
		last[x->flags / ITEM_STREAM] = x;
	}
	sequence_tell_cut(n, most, at);
	free(last);
}

enum { STEP_WORK = ROLE_MATMUL | ROLE_ATTENTION | ROLE_EMBEDDING, MAX_SPLITS = 1000 };

/*
 * Divide a sequence without step numbers into steps, each of which ends with its optimizer's kernels. All steps must
 * have equally many kernels of the model, including gradients; otherwise the sequence counts as one step.
 */
static void
split_steps(struct sequence *s)
{
	size_t work[MAX_SPLITS] = { 0 }, gradients[MAX_SPLITS] = { 0 };
	bool ends = false, alike = true;
	int steps = 0;

	for (size_t i = 0; i < s->n && steps < MAX_SPLITS; i++) {
		unsigned roles = s->type[s->at[i].type].roles;

		if (ends && (roles & STEP_WORK) && !(roles & ROLE_GRADIENT)) {
			steps++;
			ends = false;
		}
		ends |= (roles & ROLE_OPTIMIZER) != 0;
		if (steps < MAX_SPLITS) {
			work[steps] += (roles & STEP_WORK) != 0;
			gradients[steps] += (roles & ROLE_GRADIENT) != 0;
		}
		s->at[i].step = steps;
	}
	for (int i = 0; i <= steps && steps < MAX_SPLITS; i++)
		alike &= work[i] == work[0] && gradients[i] > 0;
	alike &= steps < MAX_SPLITS;
	for (size_t i = 0; i < s->n && !alike; i++)
		s->at[i].step = 0;
	for (int i = 1; i <= steps && alike; i++)
		sequence_step(s, i);
	if (steps > 0 && alike)
		s->number[0] = 0;
}

void
sequence_sort(struct sequence *s, struct place at)
{
	bool sorted = true;

	for (size_t i = 1; i < s->n && sorted; i++)
		sorted = item_order(&s->at[i - 1], &s->at[i]) <= 0;
	if (!sorted)
		SORT(s->at, s->n, item_order);
	if (s->steps == 1 && s->number[0] < 0)
		split_steps(s);
	if (s->nstreams > 0)
		cut_overlaps(s, at);
	if (s->nstreams > 1)
		set_aside(s);
}

void
sequence_free(struct sequence *s)
{
	for (uint32_t i = 0; i < s->ntypes; i++)
		free(s->type[i].name);
	free(s->type);
	index_free(&s->names);
	free(s->at);
	free(s->number);
	free(s->stream);
	free(s->length);
	free(s->device);
	free(s->module);
	keys_free(&s->shapes);
	*s = (struct sequence){ 0 };
}
