#include "inputs.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/share.h"
#include "lib/base/spelling.h"

/* "h100" for "h100.json". */
static int
is_record(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return n > 5 && strcmp(e->d_name + n - 5, ".json") == 0;
}

static _Noreturn void
unknown(const char *name)
{
	char *directory = share_path("clusters");
	struct dirent **all;
	int n = scandir(directory, &all, is_record, alphasort);
	const char **names = xcalloc((size_t)(n > 0 ? n : 0) + 1, sizeof *names);

	for (int i = 0; i < n; i++)
		names[i] = xstrndup(all[i]->d_name, strlen(all[i]->d_name) - 5);
	place_die((struct place){ 0 }, "-cluster: neither a file nor known '%s'; known:%s; for another, change a copy "
	    "of a file in %s", name, spelling_known(name, names), directory);
}

/* Load the record of a cluster by name or file. */
static void
load_cluster(struct record *r, const char *name)
{
	char *installed = xasprintf("clusters/%s.json", name), *path = share_path(installed);
	char *operands[2] = { 0 };
	struct reader in;

	/* Prefer a file of that name. */
	if (strchr(name, '/') != NULL || access(path, R_OK) != 0) {
		free(path);
		path = xstrdup(name);
		if (access(path, R_OK) != 0)
			unknown(name);
	}
	operands[0] = path;
	reader_open(&in, operands, RECORDS(RECORD_CLUSTER));
	do
		if (!reader_next(&in, r))
			place_die((struct place){ .source = name }, "no cluster record in it");
	while (r->kind != RECORD_CLUSTER && (record_free(r), true));
	reader_close(&in);
	/* The path is freed here. */
	r->place = (struct place){ .source = name };
	free(installed);
	free(path);
}

void
inputs_open(struct inputs *in, char *const operands[], uint64_t kinds, const char *cluster)
{
	*in = (struct inputs){ 0 };
	reader_open(&in->reader, operands, kinds | RECORDS(RECORD_NETWORK) | RECORDS(RECORD_CLUSTER));
	if (cluster != NULL) {
		load_cluster(&in->cluster, cluster);
		in->have_cluster = in->named = true;
	}
}

/* Keep R instead of the previous one. */
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
		/* The option's cluster overrides this one. */
		if (r->kind == RECORD_CLUSTER && in->named) {
			record_free(r);
			continue;
		}
		line_text(out, r->text);
		in->changed = true;
		in->networks += r->kind == RECORD_NETWORK;
		if (r->kind == RECORD_NETWORK)
			keep(&in->network, &in->have_network, r);
		else
			keep(&in->cluster, &in->have_cluster, r);
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
		    "no network record before this; sapp-model makes one");
	return &in->network.network;
}

const struct cluster *
inputs_cluster(const struct inputs *in)
{
	if (!in->have_cluster)
		place_die((struct place){ in->reader.source, in->reader.line },
		    "no cluster record before this; -cluster names one that is known");
	return &in->cluster.cluster;
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
