/*
 * Known kernels: the file has opcost records, sorted by their key, which is their text up to "calls". So a merge takes
 * one pass, and memory only for new records. All numbers are integers, so the order of merges does not matter.
 */
#include "known.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"
#include "lib/base/output.h"
#include "lib/base/sorted.h"
#include "lib/base/whole.h"
#include "lib/record/line.h"
#include "lib/record/opcost.h"

#define NS 1e6			/* ns per ms */
static const double step = 1.05;	/* ratio of the bounds of a bin */
static const char behind[] = ",\"calls\":";
enum { BIN_LAST = 10000 };		/* above the index of any bin: 1e18 ns is in bin 849 */

struct cost {
	char *key;
	struct opcost of;
};

static int
by_key(const void *a, const void *b)
{
	return strcmp(((const struct cost *)a)->key, ((const struct cost *)b)->key);
}
ORDER_BY(by_number, uint64_t, *it)

static char *
text_of(const struct opcost *o)
{
	struct line l = { 0 };
	char *text;

	line_print(&l, "opcost", &opcost_fields, o);
	text = xstrndup(l.at, l.length);
	line_free(&l);
	return text;
}

/* Return the key of a line (caller frees); NULL: it has none. */
static char *
key_in(const char *line)
{
	const char *end = strstr(line, behind);

	return end != NULL ? xstrndup(line, (size_t)(end - line)) : NULL;
}

static struct opcost
cost_of(const struct observed_kernel *k, const char *device)
{
	struct opcost o = { .type = k->type };

	if (k->input != NULL)
		GIVE(opcost, &o, input, k->input);
	if (k->output != NULL)
		GIVE(opcost, &o, output, k->output);
	if (k->dtype.n > 0)
		GIVE(opcost, &o, dtype, k->dtype);
	if (k->core != NULL)
		GIVE(opcost, &o, core, k->core);
	if (device != NULL)
		GIVE(opcost, &o, device, (char *)device);
	return o;
}

static char *
key_of(const struct observed_kernel *k, const char *device)
{
	struct opcost o = cost_of(k, device);
	char *text = text_of(&o), *key = key_in(text);

	free(text);
	return key;
}

/* Add the numbers of FROM to TO. */
static void
add(struct opcost *to, const struct opcost *from)
{
	struct amounts bins = { 0 };

	to->min = to->calls > 0 ? fmin(to->min, from->min) : from->min;
	to->max = fmax(to->max, from->max);
	to->calls += from->calls;
	to->sum += from->sum;
	for (int i = 0, k = 0; i < to->bins.n || k < from->bins.n;) {
		int a = i < to->bins.n ? whole_of(to->bins.name[i], BIN_LAST) : BIN_LAST;
		int b = k < from->bins.n ? whole_of(from->bins.name[k], BIN_LAST) : BIN_LAST;
		double calls = (a <= b ? to->bins.at[i] : 0) + (b <= a ? from->bins.at[k] : 0);

		amounts_add(&bins, a <= b ? to->bins.name[i] : from->bins.name[k], calls);
		i += a <= b;
		k += b <= a;
	}
	amounts_free(&to->bins);
	to->bins = bins;
}

/* Return the kernels of the sample, each kind once, sorted by key. */
static struct cost *
costs_of(const struct fit_sample *s, size_t *n)
{
	struct cost *all = NULL;
	size_t m = 0;

	*n = 0;
	for (size_t r = 0; r < s->n; r++)
		for (size_t i = 0; i < s->at[r].nkernels; i++) {
			const struct observed_kernel *k = &s->at[r].kernel[i].kernel;
			double ns = fmax(1, round(NS * k->time));
			char *bin = xasprintf("%d", (int)floor(log(ns) / log(step)));
			struct cost *c = APPEND(all, *n);

			*c = (struct cost){ key_of(k, s->at[r].run.run.device), cost_of(k, s->at[r].run.run.device) };
			c->of.calls = k->calls;
			c->of.sum = ns * k->calls;
			c->of.min = c->of.max = ns;
			amounts_add(&c->of.bins, bin, k->calls);
			free(bin);
		}
	SORT(all, *n, by_key);
	for (size_t i = 0; i < *n; i++)
		if (m > 0 && strcmp(all[i].key, all[m - 1].key) == 0) {
			add(&all[m - 1].of, &all[i].of);
			amounts_free(&all[i].of.bins);
			free(all[i].key);
		} else {
			all[m++] = all[i];
		}
	*n = m;
	return all;
}

static void
write_cost(FILE *out, const struct opcost *o)
{
	char *text = text_of(o);

	fputs(text, out);
	free(text);
}

/* Add the numbers in LINE to C, and write a line with the key and the numbers of C. */
static void
write_sum(FILE *out, const char *line, struct cost *c, struct place at)
{
	struct opcost old = { 0 };
	json_error_t error;
	json_t *object = json_loads(line, 0, &error);

	if (object == NULL)
		place_die(at, "not JSON: %s", error.text);
	fields_get(&opcost_fields, &old, object, at);
	json_decref(object);
	add(&c->of, &old);
	write_cost(out, &c->of);
	fields_free(&opcost_fields, &old);
}

/* Check that the bins in a line are short numbers in ascending order. */
static void
check_bins(const char *line, struct place at)
{
	const char *s = strstr(line, "\"bins\":{");
	int before = -1;

	if (s == NULL || strchr(s, '}') == NULL)	/* a truncated line, which is reported as invalid JSON */
		return;
	for (s += strlen("\"bins\":{"); *s != '}'; s++) {
		int digits = *s == '"' ? (int)strspn(s + 1, "0123456789") : 0;
		int bin = digits > 0 && digits < 5 && s[1 + digits] == '"' ? whole_of(s + 1, BIN_LAST) : -1;

		if (bin <= before)
			place_die(at, "bins: not a number above the number before it '%.*s'", (int)strcspn(s, ":,}\n"),
			    s);
		before = bin;
		s += strcspn(s, ",}\n");
		if (*s != ',')
			break;
	}
}

static void
take_key(struct known *k, const char *key)
{
	*APPEND(k->at, k->n) = hash_text(key, strlen(key), 0);
}

/* Merge new records into the file PATH. The file is created if needed. */
static void
merge(struct known *k, struct cost *new, size_t n, const char *path)
{
	struct output out;
	struct place at = { path, 0 };
	FILE *in = fopen(path, "r");
	char *line = NULL, *key = NULL, *before = NULL;
	size_t room = 0, i = 0;

	if (in == NULL && errno != ENOENT)
		place_die(at, "cannot be read: %s", strerror(errno));
	output_open(&out, path);
	while (in != NULL && getline(&line, &room, in) >= 0) {
		at.line++;
		key = key_in(line);
		if (key == NULL || strncmp(line, "{\"kind\":\"opcost\"", 16) != 0)
			place_die(at, "not a line written by sapp-fit -db '%.40s'", line);
		if (before != NULL && strcmp(before, key) >= 0)
			place_die(at, "not in order after the line before it '%.40s'", line);
		check_bins(line, at);
		for (; i < n && strcmp(new[i].key, key) < 0; i++)
			write_cost(out.file, &new[i].of);
		if (i < n && strcmp(new[i].key, key) == 0)
			write_sum(out.file, line, &new[i++], at);
		else
			fputs(line, out.file);
		take_key(k, key);
		free(before);
		before = key;
	}
	for (; i < n; i++)
		write_cost(out.file, &new[i].of);
	free(before);
	free(line);
	if (in != NULL)
		fclose(in);
	output_commit(&out);
}

/*
 * Wait for other sapp-fit processes that write to this directory, because updates would be lost otherwise. Return a
 * file descriptor; closing it ends the lock.
 */
static int
lock_directory(const char *path)
{
	char *full = realpath(path, NULL), *directory = xstrdup(full != NULL ? full : path);
	char *slash = strrchr(directory, '/');
	int fd;

	if (slash != NULL)
		slash[slash == directory] = '\0';
	fd = open(slash != NULL ? directory : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX) != 0)
		warn("%s: its directory cannot be locked: do not use the file in two programs at once", path);
	free(directory);
	free(full);
	return fd;
}

struct known
fit_known_read(const struct fit_sample *s, const char *path)
{
	struct known k = { 0 };
	size_t n;
	struct cost *new = costs_of(s, &n);

	for (size_t i = 0; i < n; i++)
		take_key(&k, new[i].key);
	if (path != NULL) {
		int lock = lock_directory(path);

		merge(&k, new, n, path);
		close(lock);
	}
	SORT(k.at, k.n, by_number);
	for (size_t i = 0; i < n; i++) {
		amounts_free(&new[i].of.bins);
		free(new[i].key);
	}
	free(new);
	return k;
}

bool
known_has(const struct known *k, const struct observed_kernel *kernel, const char *device)
{
	char *key = key_of(kernel, device);
	uint64_t hash = hash_text(key, strlen(key), 0);

	free(key);
	return bsearch(&hash, k->at, k->n, sizeof hash, by_number) != NULL;
}

void
known_free(struct known *k)
{
	free(k->at);
}
