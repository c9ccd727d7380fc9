/* Conversion of the values in a YAML tree to types. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "yaml.h"

#include "lib/base/spelling.h"

int
yaml_find(const struct yaml *map, const char *key)
{
	if (map == NULL)
		return -1;
	if (map->type != YAML_MAP)
		place_die(map->place, "expected a map with '%s' in it", key);
	for (int i = 0; i < map->n; i++)
		if (strcmp(map->key[i], key) == 0)
			return i;
	return -1;
}

const struct yaml *
yaml_get(const struct yaml *map, const char *key)
{
	int i = yaml_find(map, key);

	return i < 0 ? NULL : map->item[i];
}

const struct yaml *
yaml_need(const struct yaml *map, const char *key)
{
	const struct yaml *node = yaml_get(map, key);

	if (node == NULL)
		place_die(map->place, "missing key '%s'", key);
	return node;
}

void
yaml_known(const struct yaml *map, const char *const keys[])
{
	if (map->type != YAML_MAP)
		place_die(map->place, "expected a map with '%s' in it", keys[0]);
	for (int i = 0; i < map->n; i++) {
		int k = 0;

		while (keys[k] != NULL && strcmp(keys[k], map->key[i]) != 0)
			k++;
		if (keys[k] != NULL)
			continue;
		place_die(map->key_place[i], "unknown key '%s'; known:%s", map->key[i],
		    spelling_known(map->key[i], keys));
	}
}

/* Return the text of an unquoted scalar. Exit with the words EXPECTED if the value is anything else. */
static const char *
plain(const struct yaml *node, const char *key, const char *expected)
{
	if (node->type != YAML_SCALAR)
		place_die(node->place, "%s: expected %s, not a %s", key, expected,
		    node->type == YAML_LIST ? "list" : "map");
	if (node->quoted)
		place_die(node->place, "%s: expected %s, not text in quotes '%s'", key, expected, node->text);
	return node->text;
}

int
yaml_int(const struct yaml *node, const char *key, int min, int max)
{
	const char *text = plain(node, key, "a whole number");
	char *end;
	long x;

	errno = 0;
	x = strtol(text, &end, 10);
	/* Reject numbers such as 08: a leading zero means base 8 or a text. */
	if (end == text || *end != '\0' || (text[*text == '-' || *text == '+'] == '0' && labs(x) > 0))
		place_die(node->place, "%s: expected a whole number '%s'", key, text);
	if (errno != 0 || x < min || x > max)
		place_die(node->place, "%s: not between %d and %d '%s'", key, min, max, text);
	return (int)x;
}

double
yaml_real(const struct yaml *node, const char *key, double min, double max)
{
	const char *text = plain(node, key, "a number");
	char *end;
	double x = strtod(text, &end);

	/* strtod() also accepts hexadecimal numbers, infinity and NaN. */
	if (end == text || *end != '\0' || text[strspn(text, "+-.0123456789eE")] != '\0')
		place_die(node->place, "%s: expected a number '%s'", key, text);
	if (!isfinite(x) || x < min || x > max)
		place_die(node->place, "%s: not between %g and %g '%s'", key, min, max, text);
	return x;
}

/* Return 1 for an unquoted true, 0 for an unquoted false, -1 for anything else. */
static int
truth(const struct yaml *node)
{
	static const char *const words[] = { "false", "true", "no", "yes", "off", "on", NULL };

	if (node->type == YAML_SCALAR && !node->quoted)
		for (int i = 0; words[i] != NULL; i++)
			if (strcasecmp(node->text, words[i]) == 0)
				return i % 2;
	return -1;
}

bool
yaml_is_bool(const struct yaml *node)
{
	return truth(node) >= 0;
}

bool
yaml_bool(const struct yaml *node, const char *key)
{
	if (truth(node) < 0)
		place_die(node->place, "%s: expected true or false '%s'", key,
		    plain(node, key, "true or false"));
	return truth(node);
}

bool
yaml_is_null(const struct yaml *node)
{
	return node->type == YAML_SCALAR && !node->quoted && (node->text[0] == '\0' ||
	    strcmp(node->text, "~") == 0 || strcasecmp(node->text, "null") == 0);
}

const char *
yaml_string(const struct yaml *node, const char *key)
{
	if (node->type != YAML_SCALAR || yaml_is_null(node))
		place_die(node->place, "%s: expected text", key);
	return node->text;
}
