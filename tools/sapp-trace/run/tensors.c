/* Tensors: allocations by operators and how long they live, from the operator_memory.csv next to a profile. */
#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clipped.h"
#include "observe.h"

/*
 * Return the life of a tensor: kept from a forward to its backward, static if it is never released, otherwise passing.
 */
static int
life_of(const struct where *made, const struct piece *released, bool ever)
{
	if (!ever)
		return LIFE_STATIC;
	return made->phase == TIMING_FORWARD && released != NULL && released->phase != TIMING_FORWARD ? LIFE_KEPT :
	    LIFE_PASSING;
}

static int
step_of(const struct rank_run *run, int64_t ns)
{
	for (int i = 0; i < run->sequence->steps; i++)
		if (run->counted[i] && ns >= run->layout->begin[i] && ns < run->layout->end[i])
			return i;
	return -1;
}

static void
take_row(struct observations *o, const struct rank_run *run, const struct piece *const *sorted, struct csv *c,
    const struct text field[4])
{
	const struct layout *l = run->layout;
	char digits[40], *end;
	struct clipped size = CLIPPED(digits);
	int64_t from, to;
	struct seen t = { 0 };
	bool ever;
	int step;

	clipped_add(&size, field[1].at, field[1].n);
	t.value = 1024 * strtod(digits, &end);
	if (size.cut || end == digits || *end != '\0' || !(fabs(t.value) < 1e15))
		place_die(c->place, "Size(KB): not a size '%.*s'", (int)(field[1].n < 40 ? field[1].n : 40),
		    field[1].at);
	/* Skip the release of a tensor that was allocated before the profile began. */
	if (field[2].n == 0 || t.value <= 0)
		return;
	if (!text_time(field[2], &from))
		place_die(c->place, "Allocation Time(us): not a time '%.*s'", (int)field[2].n, field[2].at);
	ever = text_time(field[3], &to);
	step = step_of(run, from);
	if (step < 0)
		return;
	t.at = where_of(piece_at(sorted, l->n, from), l, step, from, run->job.stage);
	t.life = life_of(&t.at, ever ? piece_at(sorted, l->n, to) : NULL, ever);
	t.key = t.type = keys_take(&o->keys, xasprintf("%.*s|%.0f|%d", (int)field[0].n, field[0].at, t.value, t.life));
	t.order = (uint32_t)c->place.line;
	*APPEND(o->tensor, o->ntensors) = t;
}

void
tensors_table(struct observations *o, const struct rank_run *run, const struct piece *const *sorted, struct csv *c)
{
	static const char *const names[] = { "Name", "Size(KB)", "Allocation Time(us)", "Release Time(us)" };
	struct text field[CSV_COLUMNS_MAX], of[4];
	int column[4], fields = csv_columns(c, names, 4, column);

	while (csv_next(c, field, fields)) {
		for (int i = 0; i < 4; i++)
			of[i] = field[column[i]];
		take_row(o, run, sorted, c, of);
	}
}

void
tensors_add(struct observations *o, const struct rank_run *run, const struct piece *const *sorted)
{
	char *path = job_beside(run->source, "operator_memory.csv");
	struct csv c;

	if (path == NULL)
		return;
	csv_open(&c, path);
	tensors_table(o, run, sorted, &c);
	csv_close(&c);
	free(path);
}
