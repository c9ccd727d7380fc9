#include "clusters.h"

#include <err.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/share.h"
#include "lib/base/status.h"
#include "lib/estimate/inputs.h"
#include "lib/field/xjson.h"
#include "lib/record/device_operator.h"

/*
 * Return the number types, in bits, of matrix products for which the cluster has figures, as "16, 8, 4". Caller frees.
 */
static char *
bits_of(const struct cluster *c)
{
	static const struct { int type; const char *bits; } types[] = { { TYPE_BF16, "16" }, { TYPE_FP8, "8" },
		{ TYPE_FP4, "4" } };
	char *all = xstrdup("");

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		struct cluster flat;
		char *longer;

		if (!cluster_of_type(&flat, c, types[i].type))
			continue;
		longer = xasprintf("%s%s%s", all, *all != '\0' ? ", " : "", types[i].bits);
		free(all);
		all = longer;
	}
	return all;
}

static const char *
trust_of(const struct cluster *c)
{
	return c->confidence == CONFIDENCE_BORROWED ? "borrowed" : c->fitted != NULL ? "fitted" : "a few runs";
}

void
clusters_list(FILE *out)
{
	char *directory = share_path("clusters"), *pattern = xasprintf("%s/*.json", directory);
	glob_t found = { 0 };
	struct inputs in;
	char *none[] = { (char *)"/dev/null", NULL };

	glob(pattern, 0, NULL, &found);
	fprintf(out, "%-16s %9s %11s  %-8s %-10s %s\n", "name", "of a node", "memory MB", "bits", "trust", "fitted to");
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const struct cluster *c;
		char *bits;

		inputs_open(&in, none, 0, found.gl_pathv[i]);
		c = &in.cluster.cluster;
		bits = bits_of(c);
		fprintf(out, "%-16s %9d %11.0f  %-8s %-10s %s\n", c->name, c->devices_per_node, c->memory_limit,
		    bits, trust_of(c), c->fitted != NULL ? c->fitted : "");
		free(bits);
		inputs_close(&in);
	}
	globfree(&found);
	free(pattern);
	free(directory);
}

void
clusters_template(FILE *out, const char *name)
{
	char *none[] = { (char *)"/dev/null", NULL };
	struct inputs in;
	json_t *record;

	inputs_open(&in, none, 0, name);
	record = json_loads(in.cluster.text, 0, NULL);
	if (record == NULL)
		errx(STATUS_ERROR, "%s: the record cannot be read again", name);
	xjson_set(record, "name", json_string("mine"));
	/* Figures of another cluster make estimates less certain. */
	xjson_set(record, "confidence", json_string("borrowed"));
	json_object_del(record, "fitted");
	json_object_del(record, "source");
	xjson_write(out, record, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	fputc('\n', out);
	json_decref(record);
	inputs_close(&in);
}
