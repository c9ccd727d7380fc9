#include "communication.h"

#include <limits.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"
#include "lib/base/slurp.h"
#include "lib/base/sorted.h"
#include "lib/base/whole.h"
#include "job.h"

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

/* Return the bytes on links of one kind; the file's unit is 10^6 bytes. */
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

	/* This entry is the sum over all operations. */
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
		long number = strncmp(key, "step", 4) == 0 && key[4] >= '0' && key[4] <= '9' ?
		    whole_of(key + 4, INT_MAX) : -1;

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

static int
by_name(const void *a, const void *b)
{
	const struct communication *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c != 0 ? c : (x->step > y->step) - (x->step < y->step);
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

void
calls_open(struct calls *c, const struct sequence *types, const char *source)
{
	*c = (struct calls){ .types = types, .step = -1 };
	communications_beside(&c->said, source);
	SORT(c->said.at, c->said.n, by_name);
	c->seen = xcalloc(types->ntypes + 1, sizeof *c->seen);
}

struct call_said
calls_next(struct calls *c, uint32_t type, int step, long number)
{
	const struct kernel_type *t = &c->types->type[type];
	const struct communication key = { .name = t->name, .step = number };
	const char *size = strstr(t->name, "] ");
	struct call_said x = { .bytes = size != NULL ? strtod(size + 2, NULL) : 0 };

	if (step != c->step)
		memset(c->seen, 0, c->types->ntypes * sizeof *c->seen);
	c->step = step;
	x.earlier = c->seen[t->family]++;
	if (c->said.n > 0)
		x.said = bsearch(&key, c->said.at, c->said.n, sizeof *c->said.at, by_name);
	return x;
}

void
calls_close(struct calls *c)
{
	communications_free(&c->said);
	free(c->seen);
	*c = (struct calls){ 0 };
}

size_t
call_kind_length(const char *name)
{
	size_t n = strlen(name);

	if (strchr(name, ']') != NULL)
		return (size_t)(strchr(name, ']') + 1 - name);
	/* Remove the last two numbers of names such as "hcom_allReduce__170_1_1". */
	for (int numbers = 0; numbers < 2 && n > 0; numbers++) {
		size_t digits = n;

		while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
			digits--;
		if (digits == n || digits == 0 || name[digits - 1] != '_')
			break;
		n = digits - 1;
	}
	return n;
}

ORDER_BY(by_item, struct wait, it->item)

void
calls_tell(struct waits *w, const struct sequence *types, const struct call_item *at, size_t n, const char *source)
{
	struct calls calls;
	size_t next = 0;

	if (w->n == 0)
		return;
	calls_open(&calls, types, source);
	SORT(w->at, w->n, by_item);
	for (size_t i = 0; i < n && next < w->n; i++) {
		const struct kernel_type *t = &types->type[types->type[at[i].type].family];
		struct call_said said = calls_next(&calls, at[i].type, at[i].step, at[i].number);
		struct wait *x = &w->at[next];

		if (x->item != at[i].item)
			continue;
		x->time = at[i].time;
		x->bytes = said.said != NULL ? said.said->bytes : said.bytes;
		x->work = said.said != NULL ? 1e6 * said.said->transit : 0;
		x->call = hash_end(hash_add(hash_text(t->name, t->length, (uint64_t)at[i].number),
		    (uint64_t)said.earlier));
		x->like = hash_text(t->name, call_kind_length(t->name), 0);
		if (x->bytes <= 0)
			x->like = hash_end(hash_add(hash_add(hash_add(x->like, (uint64_t)x->place),
			    (uint64_t)x->phase), (uint64_t)x->class));
		next++;
	}
	calls_close(&calls);
}
