#include "formulas.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/alloc.h"
#include "lib/base/share.h"

static const char *const installed[] = { "classes/families.yaml", "classes/towers.yaml",
	"classes/frameworks.yaml", "classes/parts.yaml", "classes/names.yaml" };

struct formulas
formulas_read(const char *file)
{
	static const char *const sections[] = { "families", "parts", "names", "ignored", NULL };
	struct formulas f = { 0 };

	if (file != NULL)
		*APPEND(f.table, f.n) = yaml_read(file);
	for (size_t i = 0; i < sizeof installed / sizeof installed[0]; i++) {
		char *path = share_path(installed[i]);

		/* The path must outlive the table: nodes have places, which refer to it. */
		*APPEND(f.table, f.n) = yaml_read(path);
		free(path);
	}
	for (int i = 0; i < f.n; i++)
		yaml_known(f.table[i], sections);
	return f;
}

void
formulas_free(struct formulas *f)
{
	for (int i = 0; i < f->n; i++)
		yaml_release(f->table[i]);
	free(f->table);
	*f = (struct formulas){ 0 };
}

const struct yaml *
formulas_entry(const struct formulas *f, const char *section, const char *name)
{
	const struct yaml *found = NULL;

	for (int i = 0; i < f->n && found == NULL; i++)
		if (yaml_get(f->table[i], section) != NULL)
			found = yaml_get(yaml_get(f->table[i], section), name);
	return found;
}

static void
push(struct scope *s, const struct yaml *map)
{
	if (s->n == SCOPES_MOST)
		place_die(map->place, "a chain of more than %d parts or families that are 'like' another", SCOPES_MOST);
	s->map[s->n++] = map;
}

void
scope_push(struct scope *s, const char *section, const char *name)
{
	const struct yaml *map = formulas_entry(s->formulas, section, name), *like;
	struct place from = s->place;

	for (;;) {
		if (map == NULL)
			place_die(from, "not in the section %s of the tables '%s'", section, name);
		if (map->type != YAML_MAP)
			place_die(map->place, "not a map '%s'", name);
		push(s, map);
		like = yaml_get(map, "like");
		if (like == NULL)
			return;
		name = yaml_string(like, "like");
		from = like->place;
		map = formulas_entry(s->formulas, section, name);
	}
}

static bool
busy(const struct scope *s, const struct yaml *formula)
{
	for (int i = 0; i < s->nbusy; i++)
		if (s->busy[i] == formula)
			return true;
	return false;
}

const struct yaml *
scope_entry(const struct scope *s, const char *name)
{
	const struct yaml *found = NULL;

	for (int i = 0; i < s->n && found == NULL; i++)
		found = yaml_get(s->map[i], name);
	return found;
}

const struct yaml *
scope_formula(const struct scope *s, const char *name)
{
	const struct yaml *found = NULL;

	for (int i = 0; i < s->n && found == NULL; i++) {
		found = yaml_get(s->map[i], name);
		if (found != NULL && (found->type != YAML_SCALAR || busy(s, found)))
			found = NULL;
	}
	for (int i = 0; i < s->formulas->n && found == NULL && !s->keys; i++) {
		const struct yaml *names = yaml_get(s->formulas->table[i], "names");

		found = names != NULL ? yaml_get(names, name) : NULL;
		if (found != NULL && busy(s, found))
			found = NULL;
	}
	return found;
}

/* Return the number, truth value or text that a scalar is. */
static struct term
scalar(const char *text, const void *origin)
{
	struct term x = { .type = TERM_NUMBER, .origin = origin };
	char *end;
	double value;

	if (strcasecmp(text, "true") == 0 || strcasecmp(text, "false") == 0) {
		x.number = strcasecmp(text, "true") == 0;
		return x;
	}
	errno = 0;
	value = strtod(text, &end);
	if (end != text && *end == '\0' && errno == 0 && value == floor(value) && fabs(value) < 1e15) {
		x.number = (long)value;
		return x;
	}
	return (struct term){ .type = TERM_TEXT, .text = text, .length = strlen(text), .origin = origin };
}

/* Follow PATH into a setting: ".key" in a map, "[2]" in a list or text. */
static struct term
inside(const struct setting *set, const char *path, const char *end)
{
	const struct yaml *node = set->node;
	const char *text = set->text;

	while (path < end) {
		if (*path == '[') {
			long i = strtol(path + 1, (char **)&path, 10);

			path++;
			if (node != NULL && node->type == YAML_LIST) {
				node = i >= 0 && i < node->n ? node->item[i] : NULL;
			} else if (text != NULL && i >= 0 && (size_t)i < strlen(text) &&
			    scalar(text, NULL).type == TERM_TEXT) {
				return (struct term){ .type = TERM_TEXT, .text = text + i, .length = 1, .origin = set };
			} else {
				node = NULL;
			}
		} else {
			const char *from = path + 1;
			char *key;

			for (path = from; path < end && *path != '[' && *path != '.';)
				path++;
			key = xstrndup(from, (size_t)(path - from));
			node = node != NULL && node->type == YAML_MAP ? yaml_get(node, key) : NULL;
			free(key);
		}
		if (node == NULL || yaml_is_null(node))
			return (struct term){ 0 };
		text = node->type == YAML_SCALAR ? node->text : NULL;
	}
	if (text != NULL && node != NULL && yaml_is_bool(node))
		return (struct term){ .type = TERM_NUMBER, .number = yaml_bool(node, set->name), .origin = set };
	if (text != NULL)
		return scalar(text, set);
	return node == NULL ? (struct term){ 0 } : (struct term){ .type = TERM_LIST, .origin = set, .list = node };
}

static struct term
of_key(struct scope *s, const char *name, size_t length)
{
	size_t first = strcspn(name, ".[");
	char *key = xstrndup(name, first < length ? first : length);
	struct term x = { 0 };

	for (int i = 0; i < 2 && x.type == TERM_NONE; i++) {
		const struct setting *set = s->bag[i] != NULL ? bag_find(s->bag[i], key) : NULL;

		if (set != NULL)
			x = inside(set, name + strlen(key), name + length);
	}
	free(key);
	return x;
}

/* Get the member NAME of the network. Return false if it has none of this name. */
static bool
member(const struct architecture *net, const char *name, long *value)
{
	for (int i = 1; net != NULL && i < layer_class_fields.n; i++) {
		const struct field *f = &layer_class_fields.field[i];
		const char *at = (const char *)net + f->offset;

		if (strcmp(f->name, name) != 0 || !field_given(&architecture_fields, net, f->offset) ||
		    (f->type != FIELD_INT && f->type != FIELD_BOOL))
			continue;
		*value = f->type == FIELD_INT ? *(const int *)at : *(const bool *)at;
		return true;
	}
	return false;
}

static struct term
find(void *of, const char *name, size_t length)
{
	struct scope *s = of;
	char *key = xstrndup(name, length), *mtp = xasprintf("mtp_%s", key);
	const struct yaml *formula = s->mtp ? scope_formula(s, mtp) : NULL;
	struct term x = { .type = TERM_NUMBER };
	bool said = strcmp(key, "seq_length") == 0 && s->seq > 0;

	if (formula == NULL)
		formula = scope_formula(s, key);
	if (strcmp(key, "i") == 0)
		x.number = s->layer;
	else if (strcmp(key, "used") == 0)
		x.number = s->used;
	else if (strcmp(key, "patches") == 0 && s->patches > 0)
		x.number = s->patches;
	else if (said)
		x.number = s->seq;
	else if (member(s->net, key, &x.number))
		x.type = TERM_NUMBER;
	else
		x = formula != NULL ? scope_value(s, formula) : of_key(s, name, length);
	free(key);
	free(mtp);
	return x;
}

static bool
holds(void *of, struct term list, struct term x)
{
	const struct yaml *node = list.list;
	bool found = false;

	(void)of;
	for (int i = 0; node->type == YAML_LIST && i < node->n && !found; i++) {
		struct term item = node->item[i]->type == YAML_SCALAR ? scalar(node->item[i]->text, NULL) : list;

		found = item.type == x.type && (x.type == TERM_NUMBER ? item.number == x.number :
		    item.length == x.length && strncmp(item.text, x.text, x.length) == 0);
	}
	return found;
}

static long
count(void *of, struct term list)
{
	(void)of;
	return list.type == TERM_LIST ? ((const struct yaml *)list.list)->n : 0;
}

struct term
scope_value(struct scope *s, const struct yaml *formula)
{
	const struct names names = { find, holds, count, s };
	struct term x;

	if (formula->type != YAML_SCALAR)
		place_die(formula->place, "not a formula, but a list or a map");
	s->values = s->nbusy == 0 ? 0 : s->values + 1;
	if (s->nbusy == BUSY_MOST || s->values > VALUES_MOST)
		place_die(formula->place, "formulas that depend on each other in a cycle '%s'", formula->text);
	s->busy[s->nbusy++] = formula;
	if (!arithmetic_named(formula->text, &names, &x))
		place_die(formula->place, "not a formula '%s'", formula->text);
	s->nbusy--;
	return x;
}

bool
scope_holds(struct scope *s, const struct yaml *formula)
{
	struct term x = scope_value(s, formula);

	return x.type == TERM_NUMBER && x.number != 0;
}

/* Return the length of the plain names at the start of a formula: "a | b" in "a | b | (gated ?none :4*c)". */
static int
names_of(const char *formula)
{
	const char *end = strpbrk(formula, "(?*");

	if (end == NULL || end == formula)
		return (int)strlen(formula);
	while (end > formula && *end != '|')
		end--;
	return end == formula ? (int)strlen(formula) : (int)(end - formula - (end[-1] == ' '));
}

void
scope_bad(const struct scope *s, const struct yaml *formula, struct term x, const char *what, const char *because)
{
	const struct setting *set = x.origin;

	if (set != NULL)
		place_die(set->place, "%s: %s '%s'", set->name, x.type == TERM_NONE ? x.text : because,
		    set->text != NULL ? set->text : "a list or a map");
	if (x.type == TERM_NONE && x.text == NULL && x.name != NULL &&
	    memmem(formula->text, strlen(formula->text), x.name, x.length) == NULL)
		place_die(s->place, "no %s: its formula %s needs '%.*s', which is missing", what, formula->text,
		    (int)x.length, x.name);
	if (x.type == TERM_NONE && x.text == NULL)
		place_die(s->place, "no %s: its usual place is %.*s", what, names_of(formula->text), formula->text);
	place_die(x.type == TERM_NONE ? formula->place : s->place, "%s: %s: '%s'", what,
	    x.type == TERM_NONE ? x.text : because, formula->text);
}

long
scope_number(struct scope *s, const struct yaml *formula, const char *what, long least)
{
	struct term x = scope_value(s, formula);

	if (x.type != TERM_NUMBER)
		scope_bad(s, formula, x, what, "not a whole number");
	if (x.number < least)
		scope_bad(s, formula, x, what, least == 1 ? "not positive" : "too small");
	if (x.number > 0x7fffffff)
		scope_bad(s, formula, x, what, "out of range");
	return x.number;
}
