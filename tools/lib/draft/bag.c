#include "bag.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/alloc.h"

static struct setting *
find(const struct bag *b, const char *name, size_t length)
{
	for (int i = 0; i < b->n; i++)
		if (strncmp(b->at[i].name, name, length) == 0 && b->at[i].name[length] == '\0')
			return &b->at[i];
	return NULL;
}

static struct setting *
add(struct bag *b, const char *name)
{
	struct setting *s = find(b, name, strlen(name));

	if (s == NULL) {
		s = APPEND(b->at, b->n);
		*s = (struct setting){ .name = xstrdup(name) };
	}
	free(s->text);
	free(s->why);
	s->text = s->why = NULL;
	s->node = NULL;
	return s;
}

void
bag_put(struct bag *b, const char *name, const char *text, struct place at)
{
	struct setting *s = add(b, name);

	s->text = xstrdup(text);
	s->place = at;
}

void
bag_put_unknown(struct bag *b, const char *name, char *why, struct place at)
{
	struct setting *s = add(b, name);

	s->why = why;
	s->place = at;
}

void
bag_put_map(struct bag *b, const struct yaml *map)
{
	for (int i = 0; map != NULL && map->type == YAML_MAP && i < map->n; i++) {
		struct setting *s;

		if (yaml_is_null(map->item[i]))
			continue;
		s = add(b, map->key[i]);
		s->node = map->item[i];
		s->place = map->key_place[i];
		if (s->node->type == YAML_SCALAR)
			s->text = xstrdup(s->node->text);
	}
}

void
bag_free(struct bag *b)
{
	for (int i = 0; i < b->n; i++) {
		free(b->at[i].name);
		free(b->at[i].text);
		free(b->at[i].why);
	}
	free(b->at);
	*b = (struct bag){ 0 };
}

const struct setting *
bag_find(struct bag *b, const char *names)
{
	const struct setting *first = NULL;

	for (const char *end; *names != '\0'; names = *end == '|' ? end + 1 : end) {
		struct setting *s;

		end = strchrnul(names, '|');
		s = find(b, names, (size_t)(end - names));
		if (s == NULL)
			continue;
		s->used = true;
		if (first == NULL)
			first = s;
	}
	if (first != NULL && first->why != NULL)
		place_die(first->place, "%s", first->why);
	return first;
}

static _Noreturn void
bad(const struct setting *s, const char *what)
{
	place_die(s->place, "%s: %s '%s'", s->name, what, s->text != NULL ? s->text : "a list or a map");
}

bool
bag_int(struct bag *b, const char *names, int min, int *value)
{
	const struct setting *s = bag_find(b, names);
	char *end;
	long x;

	if (s == NULL)
		return false;
	errno = 0;
	x = s->text != NULL ? strtol(s->text, &end, 10) : 0;
	/* In YAML a number with a leading zero, such as 08, is in base 8 or a text. */
	if (s->text == NULL || end == s->text || *end != '\0' || strchr("+-0123456789", *s->text) == NULL ||
	    (s->node != NULL && *s->text == '0' && x != 0))
		bad(s, "not a whole number");
	if (errno != 0 || x > INT_MAX)
		bad(s, "out of range");
	if (x < min)
		bad(s, min == 1 ? "not positive" : "too small");
	*value = (int)x;
	return true;
}

bool
bag_real(struct bag *b, const char *names, double *value)
{
	const struct setting *s = bag_find(b, names);
	char *end;

	if (s == NULL)
		return false;
	*value = s->text != NULL ? strtod(s->text, &end) : 0;
	if (s->text == NULL || end == s->text || *end != '\0' || !isfinite(*value))
		bad(s, "not a number");
	return true;
}

bool
bag_bool(struct bag *b, const char *names, bool *value)
{
	const struct setting *s = bag_find(b, names);

	if (s == NULL)
		return false;
	if (s->text != NULL && (strcasecmp(s->text, "true") == 0 || strcasecmp(s->text, "yes") == 0 ||
	    strcasecmp(s->text,
	    "on") == 0))
		*value = true;
	else if (s->text != NULL && (strcasecmp(s->text, "false") == 0 || strcasecmp(s->text, "no") == 0 ||
	    strcasecmp(s->text, "off") == 0))
		*value = false;
	else
		bad(s, "neither true nor false");
	return true;
}

const char *
bag_text(struct bag *b, const char *names)
{
	const struct setting *s = bag_find(b, names);

	return s != NULL ? s->text : NULL;
}

bool
bag_flag(struct bag *b, const char *names)
{
	const struct setting *s = bag_find(b, names);

	return s != NULL && (s->text == NULL || (strcasecmp(s->text, "false") != 0 && strcmp(s->text, "0") != 0));
}
