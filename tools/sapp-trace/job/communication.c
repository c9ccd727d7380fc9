#include "communication.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "lib/base/alloc.h"
#include "lib/base/slurp.h"

enum { COMMUNICATION_MAX = 512 << 20 };

static double
member(const json_t *info, const char *key, const char *name, struct place at)
{
	const json_t *v = json_object_get(info, key);

	if (v == NULL)
		return 0;
	if (!json_is_number(v) || !isfinite(json_number_value(v)) || json_number_value(v) < 0)
		place_die(at, "%s of '%.60s': not a time", key, name);
	return json_number_value(v);
}

/* Bytes over links of one kind; they are given in 10^6. */
static double
over(const json_t *operation, const char *kind, const char *name, struct place at)
{
	const json_t *all = json_object_get(operation, "Communication Bandwidth Info");

	return 1e6 * member(json_object_get(all, kind), "Transit Size(MB)", name, at);
}

static void
take(struct communications *c, const char *name, const json_t *operation, bool transfer, long step, struct place at)
{
	const json_t *info = json_object_get(operation, "Communication Time Info");
	const char *group = strchr(name, '@');

	/* The sum of all of them is no operation. */
	if (strcmp(name, "Total Op Info") == 0)
		return;
	if (!json_is_object(info))
		place_die(at, "no 'Communication Time Info' of '%.60s'", name);
	*APPEND(c->at, c->n) = (struct communication){
		.name = group != NULL ? xstrndup(name, (size_t)(group - name)) : xstrdup(name), .step = step,
		.group = xstrdup(group != NULL ? group + 1 : ""), .transfer = transfer,
		.bytes = round(over(operation, "SDMA", name, at) + over(operation, "RDMA", name, at)),
		.between_nodes = over(operation, "RDMA", name, at) > 0,
		.elapse = member(info, "Elapse Time(ms)", name, at),
		.transit = member(info, "Transit Time(ms)", name, at),
		.wait = member(info, "Wait Time(ms)", name, at),
	};
}

void
communications_parse(struct communications *c, const char *text, size_t n, struct place at)
{
	json_error_t error;
	json_t *root = json_loadb(text, n, 0, &error), *step, *some, *operation;
	const char *key, *name;

	if (root == NULL)
		place_die((struct place){ at.source, error.line }, "%s", error.text);
	if (!json_is_object(root))
		place_die(at, "expected an object of steps");
	json_object_foreach(root, key, step) {
		long number = strncmp(key, "step", 4) == 0 && key[4] >= '0' && key[4] <= '9' ? atol(key + 4) : -1;

		if (!json_is_object(step))
			place_die(at, "%.40s: expected an object with 'p2p' and 'collective'", key);
		for (int i = 0; i < 2; i++) {
			some = json_object_get(step, i == 0 ? "p2p" : "collective");
			if (some != NULL && !json_is_object(some))
				place_die(at, "%.40s: %s: expected an object", key, i == 0 ? "p2p" : "collective");
			json_object_foreach(some, name, operation)
				take(c, name, operation, i == 0, number, at);
		}
	}
	json_decref(root);
}

void
communications_beside(struct communications *c, const char *file)
{
	char *path = job_beside(file, "communication.json"), *text;
	size_t n;

	if (path == NULL)
		return;
	text = slurp(path, COMMUNICATION_MAX, &n);
	communications_parse(c, text, n, (struct place){ .source = path });
	free(text);
	free(path);
}

void
communications_free(struct communications *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->at[i].name);
		free(c->at[i].group);
	}
	free(c->at);
	*c = (struct communications){ 0 };
}
