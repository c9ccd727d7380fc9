#include "listed.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/place.h"
#include "lib/base/slurp.h"

enum { FILE_MOST = 64 << 20, COLUMNS_MOST = 256, DEGREE_MOST = 1 << 24 };

static const struct {
	const char *name;
	enum dimension is;
} others[] = { { "op", DIM_SHARD }, { "fsdp", DIM_SHARD }, { "op/fsdp", DIM_SHARD }, { "micro", DIM_MB } };

/* Return the dimension that a column is for, or DIMENSIONS. */
static int
dimension_of(const char *name)
{
	for (int d = 0; d < DIMENSIONS; d++)
		if (strcmp(dimension_names[d], name) == 0)
			return d;
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (strcmp(others[i].name, name) == 0)
			return others[i].is;
	return DIMENSIONS;
}

/* Cut the next cell off *REST, and return it without blanks around it. Commas may be within quotes. */
static char *
cell(char **rest)
{
	char *at = *rest + strspn(*rest, " \t"), *end;

	if (*at == '"') {
		end = strchr(++at, '"');
		end = end != NULL ? end : at + strlen(at);
		*rest = strchr(end, ',');
		*rest = *rest != NULL ? *rest + 1 : NULL;
	} else {
		*rest = at;
		at = strsep(rest, ",");
		end = at + strlen(at);
		while (end > at && strchr(" \t\r", end[-1]) != NULL)
			end--;
	}
	*end = '\0';
	return at;
}

static int
read_head(char *line, int column[COLUMNS_MOST], struct place at)
{
	bool have[DIMENSIONS + 1] = { false };
	int n = 0;

	while (line != NULL && n < COLUMNS_MOST) {
		const char *name = cell(&line);
		int d = dimension_of(name);

		if (d < DIMENSIONS && have[d])
			place_die(at, "-only: two columns for the same degree '%s'", name);
		have[d] = true;
		column[n++] = d;
	}
	if (!have[DIM_DP] || !have[DIM_TP] || !have[DIM_PP])
		place_die(at, "-only: a table of configurations needs columns dp, tp and pp");
	return n;
}

static void
read_row(struct space *s, char *line, const int column[], int n, struct place at)
{
	struct listed_row row = { .place = at };

	for (int d = 0; d < DIMENSIONS; d++)
		row.value[d] = d == DIM_CP ? 1 : -1;
	for (int i = 0; i < n && line != NULL; i++) {
		char *text = cell(&line), *end;
		long value;

		if (column[i] == DIMENSIONS || *text == '\0')
			continue;
		value = strtol(text, &end, 10);
		if (*end != '\0' || value < (column[i] == DIM_ZERO ? 0 : 1) || value > DEGREE_MOST)
			place_die(at, "-only: %s: not a degree '%s'", dimension_names[column[i]], text);
		row.value[column[i]] = (int)value;
	}
	if (row.value[DIM_DP] < 0 || row.value[DIM_TP] < 0 || row.value[DIM_PP] < 0)
		place_die(at, "-only: dp, tp or pp is missing");
	*APPEND(s->listed, s->nlisted) = row;
}

/* Let a dimension have the values in its column, unless an option has set its values. */
static void
choose(struct space *s, int d)
{
	struct choice *c = &s->choice[d];

	for (int i = 0; i < s->nlisted; i++)
		if (c->given || s->listed[i].value[d] < 0)
			return;
	for (int i = 0; i < s->nlisted; i++)
		c->most = s->listed[i].value[d] > c->most ? s->listed[i].value[d] : c->most;
	c->given = true;
	c->at = xcalloc((size_t)c->most + 1, sizeof *c->at);
	for (int i = 0; i < s->nlisted; i++)
		c->at[s->listed[i].value[d]] = true;
}

void
listed_take(void *space, const char *option, char *path)
{
	struct space *s = space;
	size_t length;
	char *text = slurp(path, FILE_MOST, &length), *rest = text + byte_order_mark(text, length), *line;
	struct place at = { slurp_name(path), 0 };
	int column[COLUMNS_MOST], n = 0;

	(void)option;
	while ((line = strsep(&rest, "\n")) != NULL) {
		at.line++;
		if (line[strspn(line, " \t\r")] == '\0')
			continue;
		if (n == 0)
			n = read_head(line, column, at);
		else
			read_row(s, line, column, n, at);
	}
	if (s->nlisted == 0)
		place_die(at, "-only: no configuration in it");
	for (int d = 0; d < DIMENSIONS; d++)
		choose(s, d);
	free(text);
}

bool
listed_has(const struct space *s, const struct configuration *c)
{
	const int value[DIMENSIONS] = { [DIM_DP] = c->dp, [DIM_TP] = c->tp, [DIM_CP] = c->cp, [DIM_PP] = c->pp,
		[DIM_EP] = c->ep, [DIM_ETP] = c->etp, [DIM_ZERO] = c->zero, [DIM_SHARD] = c->shard, [DIM_VP] = c->vp,
		[DIM_MBS] = c->mbs, [DIM_MB] = c->micro_batches };
	bool any = s->nlisted == 0;

	for (int i = 0; i < s->nlisted; i++) {
		int d = 0;

		while (d < DIMENSIONS && (s->listed[i].value[d] < 0 || s->listed[i].value[d] == value[d]))
			d++;
		any |= d == DIMENSIONS;
		s->listed[i].met |= d == DIMENSIONS;
	}
	return any;
}

void
listed_tell(const struct space *s)
{
	for (int i = 0; i < s->nlisted; i++) {
		const int *v = s->listed[i].value;

		if (!s->listed[i].met)
			place_warn(s->listed[i].place, "dp %d, tp %d, pp %d, ep %d: not a configuration of %d devices "
			    "and %d sequences within the values of the options", v[DIM_DP], v[DIM_TP], v[DIM_PP],
			    v[DIM_EP] > 0 ? v[DIM_EP] : 1, s->devices, s->batch);
	}
}
