#include "class.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

void
class_add(struct classes *c, const char *name, enum layer_type type, struct place at)
{
	for (const char *p = name; p == name || *p != '\0'; p++)
		if (!isgraph((unsigned char)*p) || *p == '/')
			place_die(at, "not the name of a scope '%s'", name);
	for (int i = 0; i < c->n; i++)
		if (strcmp(c->at[i].name, name) == 0)
			place_die(at, "layer name given twice '%s'", name);
	*APPEND(c->at, c->n) = (struct class){ name, strlen(name), type, at.source == NULL, name };
	c->last[(unsigned char)name[strlen(name) - 1]] = true;
}

int
class_match(const struct classes *c, struct text component)
{
	int best = -1;

	if (component.n == 0 || !c->last[(unsigned char)component.at[component.n - 1]])
		return -1;
	for (int i = 0; i < c->n; i++) {
		size_t n = c->at[i].length;
		const char *tail;

		if (n > component.n)
			continue;
		tail = component.at + component.n - n;
		if (memcmp(tail, c->at[i].name, n) != 0 ||
		    (n < component.n && isalnum((unsigned char)tail[-1])))
			continue;
		if (best < 0 || n > c->at[best].length)
			best = i;
	}
	return best;
}

int
class_of_path(const struct classes *c, struct text path, struct text *component)
{
	const char *p = path.at, *end = path.at + path.n, *slash;

	for (; (slash = memchr(p, '/', (size_t)(end - p))) != NULL; p = slash + 1) {
		int i;

		if (slash == p || !c->last[(unsigned char)slash[-1]])
			continue;
		*component = (struct text){ p, (size_t)(slash - p) };
		i = class_match(c, *component);
		if (i >= 0)
			return i;
	}
	return -1;
}

int
class_first(const struct classes *c, enum layer_type type)
{
	for (int i = 0; i < c->n; i++)
		if (c->at[i].type == type)
			return i;
	return -1;
}

const char *
class_first_name(const struct classes *c, enum layer_type type)
{
	int i = class_first(c, type);

	return i >= 0 ? c->at[i].name : "";
}

void
classes_nameless(struct classes *c)
{
	static const char *const names[] = { [LAYER_HEAD] = "embedding", [LAYER_BODY] = "layer",
		[LAYER_TAIL] = "loss" };

	for (int type = LAYER_HEAD; type <= LAYER_TAIL; type++) {
		int first = class_first(c, (enum layer_type)type);

		if (first >= 0)
			c->at[first].said = names[type];
	}
}

char *
class_names(const struct classes *c, int type)
{
	char *all = xstrdup("");
	bool given = false;

	for (int i = 0; i < c->n; i++)
		given |= !c->at[i].usual;
	for (int i = 0; i < c->n; i++) {
		char *longer;

		if (type >= 0 ? (int)c->at[i].type != type : given && c->at[i].usual)
			continue;
		longer = xasprintf("%s%s%s", all, *all ? ", " : "", c->at[i].name);
		free(all);
		all = longer;
	}
	return all;
}

void
classes_free(struct classes *c)
{
	free(c->at);
	*c = (struct classes){ 0 };
}
