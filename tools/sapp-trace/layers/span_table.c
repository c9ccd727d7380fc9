#include "span_table.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"

ORDER_BY(by_thread, struct host_span, it->thread, it->start, -it->end)

/* Drop the spans that lie within earlier spans. The spans must be sorted by thread. */
static void
outermost(struct span_table *t, const struct classes *classes)
{
	size_t to = 0;

	/* First drop bodies within bodies, then ends within bodies, because a norm in a layer is not the final norm. */
	for (int pass = 0; pass < 2; pass++) {
		const struct host_span *cover = NULL;
		struct host_span last = { 0 };

		to = 0;
		for (size_t i = 0; i < t->n; i++) {
			struct host_span x = t->at[i];
			bool body = classes->at[x.class].type == LAYER_BODY, covers = pass == 1 || body;

			if (cover != NULL && last.thread == x.thread && x.start < last.end) {
				if (pass == 0 ? x.end <= last.end : !body)
					continue;
				/* Drop an end that has bodies within it. */
				if (pass == 1 && body && to > 0 && classes->at[last.class].type != LAYER_BODY)
					to--;
			}
			t->at[to++] = x;
			if (covers) {
				last = x;
				cover = &last;
			}
		}
		t->n = to;
	}
}

void
span_number(struct recording *p, const struct steps *steps, int micro)
{
	struct host_span *all[2] = { p->spans.at, p->device_spans.at };
	size_t n[2] = { p->spans.n, p->device_spans.n };

	for (int k = 0; k < 2; k++) {
		SORT(all[k], n[k], by_thread);
		for (int class = 0; class < p->classes->n; class++)
			for (int phase = 0; phase <= TIMING_WEIGHT; phase++) {
				int step = -2, layers = 0, i = 0;

				/* The number of spans per step, divided by its micro-batches. */
				for (size_t s = 0; s < n[k]; s++) {
					struct host_span *x = &all[k][s];
					int at;

					if (x->class != class || (int)x->phase != phase || x->number >= 0)
						continue;
					at = step_at(steps, x->start);
					if (at != step) {
						step = at;
						layers = 0;
						for (size_t r = s; r < n[k]; r++)
							layers += all[k][r].class == class &&
							    (int)all[k][r].phase == phase &&
							    step_at(steps, all[k][r].start) == at;
						layers /= micro > 0 ? micro : 1;
						i = 0;
					}
					/* Backwards run from the last layer to the first. */
					x->number = layers > 0 ? i % layers : 0;
					if (phase != TIMING_FORWARD && layers > 0)
						x->number = layers - 1 - x->number;
					i++;
				}
			}
	}
}

static int
instance(struct instances *all, const struct classes *classes, const struct host_span *x, struct place at)
{
	const struct class *c = &classes->at[x->class];
	char *component = c->type == LAYER_BODY ? xasprintf("%ld-%s", x->number, c->name) : xstrdup(c->name);
	int i = instance_of(all, (struct text){ component, strlen(component) }, x->class, 0, at);

	free(component);
	return i;
}

void
span_table_init(struct span_table *t, const struct recording *p, enum span_kind kind, struct instances *instances,
    struct place at)
{
	const struct host_span *from = kind == SPANS_OF_DEVICE ? p->device_spans.at : p->spans.at;
	size_t n = kind == SPANS_OF_DEVICE ? p->device_spans.n : p->spans.n;

	*t = (struct span_table){ .at = xcalloc(n + 1, sizeof *t->at), .threads = kind != SPANS_OF_PHASES };
	for (size_t i = 0; i < n; i++) {
		bool phased = from[i].phase_given && from[i].phase != TIMING_FORWARD;

		if (kind != SPANS_OF_DEVICE && phased != (kind == SPANS_OF_PHASES))
			continue;
		t->at[t->n] = from[i];
		if (!t->threads)
			t->at[t->n].thread = 0;
		t->n++;
	}
	SORT(t->at, t->n, by_thread);
	outermost(t, p->classes);
	for (size_t i = 0; i < t->n; i++)
		t->at[i].instance = instance(instances, p->classes, &t->at[i], at);
}

const struct host_span *
span_at(const struct span_table *t, uint32_t thread, int64_t ns)
{
	size_t n;

	if (!t->threads)
		thread = 0;
	n = COUNT_BEFORE(t->at, t->n, it->thread < thread || (it->thread == thread && it->start <= ns));
	if (n == 0 || t->at[n - 1].thread != thread || t->at[n - 1].end <= ns)
		return NULL;
	return &t->at[n - 1];
}

void
span_table_free(struct span_table *t)
{
	free(t->at);
	*t = (struct span_table){ 0 };
}
