#include "clusters.h"

#include <err.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/share.h"
#include "lib/base/status.h"
#include "lib/field/xjson.h"
#include "lib/strategy/inputs.h"

static const char *
purpose_of(const struct cluster *c)
{
	bool narrow = c->peak_linear > c->peak;

	return c->detailed ? narrow ? "experts, 8 bits" : "experts, 16 bits" :
	    !narrow ? "dense, 16 bits" : c->peak_linear > 3 * c->peak ? "dense, 4 bits" : "dense, 8 bits";
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
	fprintf(out, "%-16s %9s %11s  %-17s %-10s %s\n", "name", "of a node", "memory MB", "for", "trust", "fitted to");
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const struct cluster *c;

		inputs_open(&in, none, 0, found.gl_pathv[i]);
		c = inputs_cluster(&in);
		fprintf(out, "%-16s %9d %11.0f  %-17s %-10s %s\n", c->name, c->devices_per_node, c->memory_limit,
		    purpose_of(c), trust_of(c), c->fitted != NULL ? c->fitted : "");
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
	/* The figures of another cluster: an estimate by them is less certain. */
	xjson_set(record, "confidence", json_string("borrowed"));
	json_object_del(record, "fitted");
	xjson_write(out, record, JSON_COMPACT | JSON_REAL_PRECISION(15));
	fputc('\n', out);
	json_decref(record);
	inputs_close(&in);
}
