#include "profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/place.h"
#include "lib/base/slurp.h"

enum { FILE_MOST = 64 << 20 };
enum column { C_DP, C_TP, C_PP, C_EP, C_CP, C_MBS, C_SHARD, C_DENSE, C_BACKWARD, C_AGAIN, C_HEAD, C_FORWARD, COLUMNS };

static const struct {
	const char *name;
	enum column is;
} names[] = {
	{ "dp", C_DP }, { "tp", C_TP }, { "pp", C_PP }, { "ep", C_EP }, { "cp", C_CP }, { "op", C_SHARD },
	{ "fsdp", C_SHARD }, { "mbs", C_MBS },
	{ "dmratio", C_DENSE }, { "bfratio", C_BACKWARD }, { "re_grow_ration", C_AGAIN }, { "hratio", C_HEAD },
	{ "moe_fw", C_FORWARD }, { "moe_bw", C_FORWARD },
};

static char *
cell(char **rest)
{
	char *c = strsep(rest, ","), *end;

	while (*c == ' ' || *c == '\t')
		c++;
	end = c + strlen(c);
	while (end > c && strchr(" \t\r", end[-1]) != NULL)
		*--end = '\0';
	return c;
}

static int
read_header(char *line, enum column order[COLUMNS], struct place at)
{
	bool have[COLUMNS] = { false };
	int n = 0;

	while (line != NULL) {
		const char *name = cell(&line);
		size_t i = 0;

		while (i < sizeof names / sizeof names[0] && strcmp(names[i].name, name) != 0)
			i++;
		if (i == sizeof names / sizeof names[0] || have[names[i].is])
			place_die(at, "not a column of a profile, or a duplicate column '%s'", name);
		have[names[i].is] = true;
		order[n++] = names[i].is;
	}
	for (int c = 0; c < COLUMNS; c++)
		if (!have[c] && c != C_EP && c != C_CP && c != C_MBS && c != C_SHARD)
			place_die(at, "a column is missing; a profile has dp, tp, pp, dmratio, bfratio, "
			    "re_grow_ration, hratio and moe_fw");
	return n;
}

static void
read_row(struct measured *m, char *line, const enum column order[], int n, struct place at)
{
	double value[COLUMNS] = { [C_EP] = 1, [C_CP] = 1 };
	struct measured_profile p;

	for (int i = 0; i < n; i++) {
		char *text = line != NULL ? cell(&line) : NULL, *end;

		if (text == NULL)
			place_die(at, "%d cells, but the first line has '%d'", i, n);
		value[order[i]] = strtod(text, &end);
		if (end == text || *end != '\0' || !isfinite(value[order[i]]) || value[order[i]] < 0)
			place_die(at, "not a number '%s'", text);
		if (order[i] <= C_SHARD && (value[order[i]] != floor(value[order[i]]) || value[order[i]] < 1 ||
		    value[order[i]] > 1e7))
			place_die(at, "not a degree '%s'", text);
	}
	if (line != NULL)
		place_die(at, "more cells than the first line has '%s'", line);
	if (value[C_FORWARD] <= 0 || value[C_BACKWARD] <= 0)
		place_die(at, "a layer without time '%g'", value[C_FORWARD]);
	p = (struct measured_profile){ .dp = (int)value[C_DP], .tp = (int)value[C_TP], .pp = (int)value[C_PP],
	    .ep = (int)value[C_EP], .cp = (int)value[C_CP], .mbs = (int)value[C_MBS], .dense = value[C_DENSE],
	    .backward = value[C_BACKWARD], .again = value[C_AGAIN],
	    .head = value[C_HEAD], .forward = value[C_FORWARD] / 1e3 };
	*APPEND(m->profile, m->nprofiles) = p;
}

bool
profile_settle(struct measured *m, int mbs)
{
	bool unset = false;

	for (int i = 0; i < m->nprofiles; i++) {
		unset |= m->profile[i].mbs == 0;
		m->profile[i].mbs = m->profile[i].mbs == 0 ? mbs : m->profile[i].mbs;
	}
	return unset;
}

void
profile_read(struct measured *m, const char *path)
{
	size_t length;
	char *text = slurp(path, FILE_MOST, &length), *rest = text + byte_order_mark(text, length), *line;
	enum column order[COLUMNS];
	struct place at = { slurp_name(path), 0 };
	int n = 0;

	while ((line = strsep(&rest, "\n")) != NULL) {
		at.line++;
		if (line[strspn(line, " \t\r")] == '\0')
			continue;
		if (n == 0)
			n = read_header(line, order, at);
		else
			read_row(m, line, order, n, at);
	}
	if (m->nprofiles == 0)
		place_die(at, "no configuration in it");
	free(text);
}
