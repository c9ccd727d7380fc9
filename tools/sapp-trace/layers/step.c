#include "step.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"

/* Return the number after PREFIX if the name ends after it; otherwise -1. */
static long
numbered(struct text name, const char *prefix)
{
	size_t n = strlen(prefix);
	long number = 0;

	if (name.n <= n || name.n > n + 9 || memcmp(name.at, prefix, n) != 0)
		return -1;
	for (size_t i = n; i < name.n; i++) {
		if (name.at[i] < '0' || name.at[i] > '9')
			return -1;
		number = 10 * number + (name.at[i] - '0');
	}
	return number;
}

bool
step_event(struct steps *steps, const struct event *e, int process, const struct scan *s)
{
	struct step_mark m = { .process = process };

	m.number = numbered(e->name, "Iteration ");
	if (m.number < 0)
		m.number = numbered(e->name, "ProfilerStep#");
	if (m.number < 0)
		return false;
	if (!event_span(e, &m.start, &m.end))
		scan_die(s, "step '%.*s': ts or dur is not a time", (int)e->name.n, e->name.at);
	*APPEND(steps->mark, steps->nmarks) = m;
	return true;
}

ORDER_BY(by_start, struct step_mark, it->start, -it->end)

ORDER_BY(by_time, int64_t, *it)

/* Set the steps from the marks of one process, the device's if it has any. Marks within another mark are dropped. */
static void
from_marks(struct steps *steps, const struct processes *processes)
{
	int of = steps->mark[0].process;

	for (size_t i = 0; i < steps->nmarks; i++)
		if (process_is_device(&processes->at[steps->mark[i].process])) {
			of = steps->mark[i].process;
			break;
		}
	SORT(steps->mark, steps->nmarks, by_start);
	steps->begin = xcalloc(steps->nmarks, sizeof *steps->begin);
	for (size_t i = 0; i < steps->nmarks; i++) {
		const struct step_mark *m = &steps->mark[i];

		if (m->process != of || (steps->n > 0 && m->end <= steps->end))
			continue;
		steps->begin[steps->n++] = m->start;
		steps->end = m->end;
	}
}

static void
from_operation(struct steps *steps, const struct processes *processes)
{
	const struct process *of = NULL;

	for (int i = 0; i < processes->n; i++) {
		const struct process *p = &processes->at[i];

		if (p->nmarks > 0 && (of == NULL || (process_is_device(p) && !process_is_device(of))))
			of = p;
	}
	if (of == NULL)
		return;
	steps->begin = xcalloc(of->nmarks, sizeof *steps->begin);
	memcpy(steps->begin, of->mark, of->nmarks * sizeof *steps->begin);
	SORT(steps->begin, of->nmarks, by_time);
	steps->n = (int)of->nmarks;
	steps->open = true;
}

void
steps_resolve(struct steps *steps, const struct processes *processes)
{
	steps->how = NULL;
	if (steps->nmarks > 0) {
		from_marks(steps, processes);
		steps->how = "step events";
	} else {
		from_operation(steps, processes);
		if (steps->n > 0)
			steps->how = "repeats of an operation";
	}
	if (steps->n == 0) {
		steps->begin = xcalloc(1, sizeof *steps->begin);
		steps->n = 1;
		steps->open = true;
	}
	steps->endless = steps->open;
	steps->after = xcalloc((size_t)steps->n, sizeof *steps->after);
	for (int i = 0; i < steps->n; i++)
		steps->after[i] = INT64_MIN;
}

void
steps_backward(struct steps *steps, int64_t start, int64_t end)
{
	int next = step_at(steps, start) + 1;

	if (!steps->open || next == steps->n)
		return;
	if (end > steps->begin[next])
		end = steps->begin[next];
	if (end > steps->after[next])
		steps->after[next] = end;
}

void
steps_refine(struct steps *steps)
{
	for (int i = 1; i < steps->n; i++)
		if (steps->after[i] > steps->begin[i - 1])
			steps->begin[i] = steps->after[i];
}

int
step_at(const struct steps *steps, int64_t ns)
{
	size_t begun = COUNT_BEFORE(steps->begin, steps->n, *it <= ns);

	if (!steps->endless && (ns < steps->begin[0] || ns >= steps->end))
		return -1;
	return begun > 0 ? (int)begun - 1 : 0;
}

int64_t
steps_length(const struct steps *steps, int step)
{
	static const int64_t longest = INT64_C(1) << 50;	/* ns, 13 days; the first step may begin at time 0 */
	int64_t length;

	if (steps->open || step < 0 || step >= steps->n)
		return 0;
	length = (step + 1 < steps->n ? steps->begin[step + 1] : steps->end) - steps->begin[step];
	return length < longest ? length : 0;
}

void
steps_free(struct steps *steps)
{
	free(steps->mark);
	free(steps->begin);
	free(steps->after);
	*steps = (struct steps){ 0 };
}
