#include "dryruns.h"

#include <errno.h>
#include <ftw.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/place.h"
#include "lib/base/sorted.h"

#define MEGA 1048576.0
enum { OPEN_FILES = 16 };

/* What a device must have wins over what was in use. */
static const char *const keys[] = { "Actual peak memory usage (with fragments):",
    "Used peak memory usage (without fragments):" };
enum { KEYS = sizeof keys / sizeof keys[0] };

static struct measured *into;	/* nftw() has no room for it */
static regex_t named;

/* The last peak of a log, MB, or below 0. */
static double
peak_of(const char *path)
{
	FILE *f = fopen(path, "r");
	double found[KEYS] = { -1, -1 };
	char *line = NULL;
	size_t room = 0;

	if (f == NULL)
		place_die((struct place){ .source = path }, "cannot be read: %s", strerror(errno));
	while (getline(&line, &room, f) >= 0)
		for (int k = 0; k < KEYS; k++) {
			const char *at = strstr(line, keys[k]);
			char *end;

			if (at == NULL)
				continue;
			at += strlen(keys[k]);
			found[k] = strtod(at, &end);
			if (end == at || *end != 'M' || found[k] <= 0)
				place_die((struct place){ .source = path }, "a peak that is no number of MB '%.20s'",
				    at);
		}
	free(line);
	fclose(f);
	return found[0] >= 0 ? found[0] : found[1];
}

static int
number(const char *text, regmatch_t m)
{
	return m.rm_so < 0 ? 0 : atoi(text + m.rm_so);
}

ORDER_BY(compare, struct measured_peak, it->dp, it->tp, it->pp, it->ep)

void
dryruns_add(struct measured *m, const struct measured_peak *p)
{
	for (int i = 0; i < m->npeaks; i++) {
		struct measured_peak *old = &m->peak[i];

		if (old->dp == p->dp && old->tp == p->tp && old->pp == p->pp && old->ep == p->ep) {
			old->memory = old->memory > p->memory ? old->memory : p->memory;
			return;
		}
	}
	*APPEND(m->peak, m->npeaks) = *p;
	SORT(m->peak, m->npeaks, compare);
}

static void
compile_names(void)
{
	if (regcomp(&named, "DP([0-9]{1,8})_TP([0-9]{1,8})_PP([0-9]{1,8})(_EP([0-9]{1,8}))?", REG_EXTENDED) != 0)
		abort();
}

/* The degrees in a path. */
static bool
read_degrees(const char *path, struct measured_peak *p)
{
	regmatch_t m[6];

	if (regexec(&named, path, 6, m, 0) != 0)
		return false;
	p->dp = number(path, m[1]);
	p->tp = number(path, m[2]);
	p->pp = number(path, m[3]);
	p->ep = number(path, m[5]);
	return true;
}

bool
dryruns_degrees(const char *path, struct measured_peak *p)
{
	bool found;

	compile_names();
	found = read_degrees(path, p);
	regfree(&named);
	return found;
}

static int
take(const char *path, const struct stat *st, int type, struct FTW *where)
{
	struct measured_peak p = { .source = SOURCE_MEASURED };
	double peak;

	(void)st;
	(void)where;
	if (type != FTW_F || !read_degrees(path, &p) || (peak = peak_of(path)) < 0)
		return 0;
	p.memory = peak * MEGA;
	dryruns_add(into, &p);
	return 0;
}

void
dryruns_read(struct measured *m, const char *path)
{
	into = m;
	compile_names();
	if (nftw(path, take, OPEN_FILES, 0) != 0)
		place_die((struct place){ .source = path }, "cannot be read: %s", strerror(errno));
	regfree(&named);
	if (m->npeaks == 0)
		place_die((struct place){ .source = path }, "no log with a peak whose path names a configuration, "
		    "such as DP16_TP8_PP8_EP4");
}

void
dryruns_write(FILE *out, const struct measured *m, double limit, int ep_most)
{
	bool experts = m->npeaks > 0 && m->peak[m->npeaks - 1].ep > 0;

	fputs(experts ? "dp,tp,pp,ep,evaluate_mem\n" : "dp,tp,pp,evaluate_mem\n", out);
	for (int i = 0; i < m->npeaks; i++) {
		const struct measured_peak *p = &m->peak[i];
		struct configuration c = { .dp = p->dp, .tp = p->tp, .pp = p->pp };
		bool first = i == 0 || p[-1].dp != p->dp || p[-1].tp != p->tp || p[-1].pp != p->pp;
		struct measured_peak found;

		if (p->ep == 0) {
			if (p->memory <= limit)
				fprintf(out, "%d,%d,%d,%.15g\n", p->dp, p->tp, p->pp, p->memory / MEGA);
			continue;
		}
		for (c.ep = 1; first && c.ep <= ep_most && (p->dp * p->tp) % c.ep == 0; c.ep *= 2)
			if (measured_peak(m, &c, &found) && found.memory <= limit)
				fprintf(out, "%d,%d,%d,%d,%.15g\n", c.dp, c.tp, c.pp, c.ep, found.memory / MEGA);
	}
}
