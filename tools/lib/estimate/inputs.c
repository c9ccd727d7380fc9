#include "inputs.h"

#include <dirent.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/base/share.h"
#include "lib/base/spelling.h"

/* Return whether a file is a record of a cluster: "NAME.json". */
static int
is_record(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return n > 5 && strcmp(e->d_name + n - 5, ".json") == 0;
}

static bool
same_digits(const char *a, const char *b)
{
	static const char digits[] = "0123456789";

	for (;; a++, b++) {
		a += strcspn(a, digits);
		b += strcspn(b, digits);
		if (*a != *b || *a == '\0')
			return *a == *b;
	}
}

static _Noreturn void
unknown(const char *name)
{
	char *directory = share_path("clusters");
	struct dirent **all;
	int n = scandir(directory, &all, is_record, alphasort);
	const char **names = xcalloc((size_t)(n > 0 ? n : 0) + 1, sizeof *names), *near;

	for (int i = 0; i < n; i++)
		names[i] = xstrndup(all[i]->d_name, strlen(all[i]->d_name) - 5);
	/* Suggest no name with other digits, since it is another device: h20 is not h200. */
	near = spelling_nearest(name, names);
	if (near != NULL && !same_digits(near, name))
		near = NULL;
	place_die((struct place){ 0 }, "-cluster: not a file or a listed cluster '%s'%s%s%s; listed:%s; for another "
	    "device, edit the output of 'sapp-est -cluster-template NAME', or in a job name a similar cluster and set "
	    "'hardware' and 'memory'", name, near != NULL ? "; the nearest is '" : "",
	    near != NULL ? near : "", near != NULL ? "'" : "", spelling_known("", names));
}

static void
read_cluster(struct record *r, char *path, const char *name)
{
	char *operands[] = { path, NULL };
	struct reader in;

	reader_open(&in, operands, RECORDS(RECORD_CLUSTER));
	do
		if (!reader_next(&in, r))
			place_die((struct place){ .source = name }, "no cluster record in it");
	while (r->kind != RECORD_CLUSTER && (record_free(r), true));
	reader_close(&in);
	/* The caller frees the path, so the place must not point to it. */
	r->place = (struct place){ .source = name };
}

static char *
installed_path(const char *name)
{
	char *installed = xasprintf("clusters/%s.json", name), *path = share_path(installed);

	free(installed);
	return path;
}

/* Replace the record's cluster by FLAT, called NAME, and set the record's text accordingly. */
static void
take_flat(struct record *r, const struct cluster *flat, const char *name)
{
	char *text;
	size_t size;
	FILE *out = memstream_open(&text, &size);

	r->cluster = *flat;
	r->cluster.name = xstrdup(name);
	record_put(out, RECORD_CLUSTER, &r->cluster);
	memstream_close(out);
	text[strcspn(text, "\n")] = '\0';
	r->text = text;
}

/*
 * Load a cluster by its name with a number type or a software appended: h100-fp8, h100-fp8-moe, gb200-fp4, h100-mpt.
 * Return false if the name is not of this form.
 */
static bool
load_word(struct record *r, const char *name)
{
	static const struct { const char *word; int type; } types[] = { { "bf16", TYPE_BF16 }, { "fp8", TYPE_FP8 },
		{ "fp4", TYPE_FP4 } };

	for (const char *dash = strchr(name, '-'); dash != NULL; dash = strchr(dash + 1, '-')) {
		char *device = xstrndup(name, (size_t)(dash - name)), *path = installed_path(device), *words;
		struct cluster flat;
		size_t length;
		bool found;

		if (access(path, R_OK) != 0) {
			free(path);
			free(device);
			continue;
		}
		read_cluster(r, path, name);
		words = xstrdup(dash + 1);
		length = strlen(words);
		if (length > 4 && strcmp(words + length - 4, "-moe") == 0)
			words[length - 4] = '\0';
		found = cluster_of_software(&flat, &r->cluster, words);
		for (size_t i = 0; i < sizeof types / sizeof types[0] && !found; i++)
			found = strcmp(words, types[i].word) == 0 &&
			    cluster_of_type(&flat, &r->cluster, types[i].type);
		if (found) {
			warnx("-cluster %s: the device %s, with given figures of %s", name, device, words);
			take_flat(r, &flat, name);
		}
		free(words);
		free(path);
		free(device);
		return found;
	}
	return false;
}

/* Load the record of a cluster by its name or file. */
static void
load_cluster(struct record *r, const char *name)
{
	char *path = installed_path(name);

	/* A name with a slash, or one that no installed cluster has, is a file. */
	if (strchr(name, '/') != NULL || access(path, R_OK) != 0) {
		free(path);
		path = xstrdup(name);
		if (access(path, R_OK) != 0) {
			if (!load_word(r, name))
				unknown(name);
			free(path);
			return;
		}
	}
	read_cluster(r, path, name);
	free(path);
}

/* Return the enum number_type of the candidate's products on the cluster. */
static int
type_on(const struct cluster *whole, const struct configuration *c)
{
	return !GIVEN(configuration, c, compute) && whole->peak_linear > whole->peak ? TYPE_FP8 :
	    configuration_compute(c);
}

/* Warn once that the time of an optimizer on the host is unknown. */
static void
tell_host(struct inputs *in, const struct configuration *c)
{
	if (in->told || !(c->optimizer_host > 0) || in->cluster.cluster.host_link > 0)
		return;
	warnx("%s: no host_link: an optimizer on the host is estimated like one on the device",
	    in->cluster.cluster.name);
	in->told = true;
}

void
inputs_choose(struct inputs *in, const struct configuration *c, struct place at)
{
	const struct cluster *whole = &in->cluster.cluster;
	bool eight = whole->peak_linear > whole->peak;
	int type = type_on(whole, c);

	if (!in->have_cluster)
		return;
	tell_host(in, c);
	if (type == in->compute)
		return;
	in->compute = type;
	in->changed = true;
	if (cluster_of_type(&in->flat, whole, type))
		return;
	if (eight)
		place_die(at, "candidate: compute: '%s', but the peak of the cluster '%s' is for narrower numbers",
		    number_types[type], whole->name);
	warnx("%s: no figures for %s: the cluster's own are used, and intervals are wide", whole->name,
	    number_types[type]);
	in->flat.confidence = CONFIDENCE_NONE;
}

/* Begin with the cluster's figures for 16 bits. They apply until a candidate has another type. */
static void
begin_cluster(struct inputs *in)
{
	const struct cluster *c = &in->cluster.cluster;

	in->compute = c->peak_linear > c->peak ? TYPE_FP8 : TYPE_BF16;
	cluster_of_type(&in->flat, c, in->compute);
}

void
inputs_open(struct inputs *in, char *const operands[], uint64_t kinds, const char *cluster)
{
	*in = (struct inputs){ 0 };
	reader_open(&in->reader, operands, kinds | RECORDS(RECORD_NETWORK) | RECORDS(RECORD_CLUSTER));
	if (cluster != NULL) {
		load_cluster(&in->cluster, cluster);
		in->have_cluster = in->named = true;
		begin_cluster(in);
	}
}

/* Replace the kept record, if any, by R. */
static void
keep(struct record *kept, bool *have, const struct record *r)
{
	if (*have)
		record_free(kept);
	*kept = *r;
	*have = true;
}

bool
inputs_next(struct inputs *in, struct record *r, struct line *out)
{
	while (reader_next(&in->reader, r)) {
		if (r->kind != RECORD_NETWORK && r->kind != RECORD_CLUSTER)
			return true;
		/* The cluster of the option replaces this one. */
		if (r->kind == RECORD_CLUSTER && in->named) {
			record_free(r);
			continue;
		}
		line_text(out, r->text);
		in->changed = true;
		in->networks += r->kind == RECORD_NETWORK;
		if (r->kind == RECORD_NETWORK) {
			keep(&in->network, &in->have_network, r);
		} else {
			keep(&in->cluster, &in->have_cluster, r);
			begin_cluster(in);
		}
	}
	return false;
}

void
inputs_tell(const struct inputs *in, struct line *out)
{
	line_text(out, in->cluster.text);
}

const struct architecture *
inputs_network(const struct inputs *in)
{
	if (!in->have_network)
		place_die((struct place){ in->reader.source, in->reader.line },
		    "no network record before this one; sapp-model writes it");
	return &in->network.network;
}

const struct cluster *
inputs_cluster(const struct inputs *in)
{
	if (!in->have_cluster)
		place_die((struct place){ in->reader.source, in->reader.line },
		    "no cluster record before this one; choose a cluster with -cluster");
	return &in->flat;
}

void
inputs_close(struct inputs *in)
{
	reader_close(&in->reader);
	if (in->have_network)
		record_free(&in->network);
	if (in->have_cluster)
		record_free(&in->cluster);
}
