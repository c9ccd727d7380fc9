#include "dryruns.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/place.h"
#include "lib/base/sorted.h"
#include "lib/base/whole.h"

#define MEGA 1048576.0
enum { OPEN_FILES = 16 };

/* Device peaks come first, because they override memory in use. */
static const char *const keys[] = { "Actual peak memory usage (with fragments):",
    "Used peak memory usage (without fragments):" };
enum { KEYS = sizeof keys / sizeof keys[0] };

static struct measured *into;	/* argument for the callback of nftw(), which has none of its own */
static regex_t named;

/* Return the last peak in a log, MB; below 0: none. */
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
				place_die((struct place){ .source = path }, "a peak that is not a number of MB '%.20s'",
				    at);
		}
	free(line);
	fclose(f);
	return found[0] >= 0 ? found[0] : found[1];
}

#define WIDE(a, b) ((int64_t)(a) << 32 | (b))
ORDER_BY(compare, struct measured_peak, WIDE(it->dp, it->tp), WIDE(it->cp, it->pp), it->vp, it->mbs, it->ep)

void
dryruns_add(struct measured *m, const struct measured_peak *p)
{
	for (int i = 0; i < m->npeaks; i++) {
		struct measured_peak *old = &m->peak[i];

		if (measured_peak_alike(old, p) && old->ep == p->ep) {
			old->memory = old->memory > p->memory ? old->memory : p->memory;
			return;
		}
	}
	*APPEND(m->peak, m->npeaks) = *p;
	SORT(m->peak, m->npeaks, compare);
}

bool
dryruns_settle(struct measured *m, int vp, int mbs)
{
	struct measured_peak *was = m->peak;
	int n = m->npeaks;
	bool unset = false;

	m->peak = NULL;
	m->npeaks = 0;
	for (int i = 0; i < n; i++) {
		unset |= was[i].mbs == 0;
		was[i].vp = was[i].vp == 0 ? vp : was[i].vp;
		was[i].mbs = was[i].mbs == 0 ? mbs : was[i].mbs;
		dryruns_add(m, &was[i]);
	}
	free(was);
	return unset;
}

static void
compile_names(void)
{
	if (regcomp(&named, "DP([0-9]{1,8})_TP([0-9]{1,8})_PP([0-9]{1,8})((_[A-Z]+[0-9]{0,8})*)", REG_EXTENDED) != 0)
		abort();
}

/* Return the number after a name such as _EP in TEXT; NONE if the name is absent. */
static int
degree(const char *text, const char *name, int none)
{
	const char *at = strstr(text, name);

	return at != NULL ? whole_of(at + strlen(name), INT_MAX) : none;
}

/* Get the degrees in a path. Return false if it has none. */
static bool
read_degrees(const char *path, struct measured_peak *p)
{
	regmatch_t m[6];
	char *more;

	if (regexec(&named, path, 6, m, 0) != 0)
		return false;
	more = xasprintf("%.*s", (int)(m[4].rm_eo - m[4].rm_so), path + m[4].rm_so);
	p->dp = whole_of(path + m[1].rm_so, INT_MAX);
	p->tp = whole_of(path + m[2].rm_so, INT_MAX);
	p->pp = whole_of(path + m[3].rm_so, INT_MAX);
	p->ep = degree(more, "_EP", 0);
	p->cp = degree(more, "_CP", 1);
	p->mbs = degree(more, "_MBS", 0);
	/* Names with a micro-batch size omit a vp of 1. */
	p->vp = degree(more, "_VP", p->mbs > 0);
	free(more);
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
		place_die((struct place){ .source = path }, "no log with a peak and a path that names a configuration, "
		    "such as DP16_TP8_PP8_EP4");
}

/* Write the row of a peak, unless the peak is above LIMIT bytes. VARIED: with cp, vp and mbs. */
static void
write_row(FILE *out, const struct measured_peak *p, bool varied, double limit)
{
	if (p->memory > limit)
		return;
	fprintf(out, "%d,%d,%d,", p->dp, p->tp, p->pp);
	if (p->ep > 0)
		fprintf(out, "%d,", p->ep);
	fprintf(out, "%.15g", p->memory / MEGA);
	if (varied)
		fprintf(out, ",%d,%d,%d", p->cp, p->vp, p->mbs);
	putc('\n', out);
}

void
dryruns_write(FILE *out, const struct measured *m, double limit, int ep_most)
{
	bool experts = false, varied = false;

	for (int i = 0; i < m->npeaks; i++) {
		experts |= m->peak[i].ep > 0;
		varied |= m->peak[i].cp != m->peak[0].cp || m->peak[i].vp != m->peak[0].vp ||
		    m->peak[i].mbs != m->peak[0].mbs;
	}
	fprintf(out, "dp,tp,pp,%sevaluate_mem%s\n", experts ? "ep," : "", varied ? ",cp,vp,mbs" : "");
	for (int i = 0; i < m->npeaks; i++) {
		const struct measured_peak *p = &m->peak[i];
		struct configuration c = { .dp = p->dp, .tp = p->tp, .cp = p->cp, .pp = p->pp, .vp = p->vp,
			.mbs = p->mbs };
		struct measured_peak found;

		if (p->ep == 0)
			write_row(out, p, varied, limit);
		if (p->ep == 0 || (i > 0 && measured_peak_alike(p - 1, p)))
			continue;
		for (c.ep = 1; c.ep <= ep_most && (p->dp * p->tp) % c.ep == 0; c.ep *= 2)
			if (measured_peak(m, &c, &found))
				write_row(out, &found, varied, limit);
	}
}
