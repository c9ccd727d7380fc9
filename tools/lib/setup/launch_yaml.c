#include "launch_yaml.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "launch_form.h"
#include "option_table.h"

enum target
launch_yaml_target(const struct yaml *root)
{
	const struct form *f = form_of(root);

	return f != NULL ? f->target : TARGETS;
}

void
launch_yaml_refuse(const struct yaml *root)
{
	const struct form *f = form_of(root);

	if (f != NULL && f->target == TARGETS && f->maps[0] != NULL)
		place_die(root->place, "not written: files like this are only read; sapp-yaml -f %s prints the "
		    "settings", f->nemo ? "nemo" : "megatron");
}

char *
launch_yaml_above(const char *path, const char *name)
{
	char *directory = realpath(path, NULL), *slash, *file = NULL;

	while (directory != NULL && file == NULL && (slash = strrchr(directory, '/')) != NULL) {
		*slash = '\0';
		file = xasprintf("%s/%s", directory, name);
		if (access(file, R_OK) == 0)
			continue;
		free(file);
		file = NULL;
	}
	free(directory);
	return file;
}

static bool
find(const struct yaml *map, enum launch_option o, bool deep, const struct yaml **in, int *at_entry)
{
	for (int i = 0; map != NULL && i < map->n; i++) {
		if (map->item[i]->type == YAML_MAP) {
			if (deep && find(map->item[i], o, deep, in, at_entry))
				return true;
		} else if (form_option_named(map->key[i]) == o && strcmp(map->key[i], form_computed) != 0) {
			*in = map;
			*at_entry = i;
			return true;
		}
	}
	return false;
}

/* Return whether an option is a key of the model's map. */
static bool
in_model(enum launch_option o)
{
	return o == LAUNCH_LAYERS || o == LAUNCH_MTP || o == LAUNCH_GLOBAL_BATCH || o == LAUNCH_MICRO_BATCH ||
	    o == LAUNCH_SEQ_LENGTH;
}

bool
launch_yaml_find(const struct yaml *root, enum launch_option o, const struct yaml **map, int *i)
{
	const struct form *f = form_of(root);
	const struct yaml *run = form_map(root, f->maps[0]), *model = form_map(root, f->maps[1]);

	*map = in_model(o) && model != NULL ? model : run;
	return find(run, o, f->deep, map, i) || find(model, o, f->deep, map, i);
}

char *
launch_yaml_key(enum launch_option o)
{
	char *key = xstrdup(launch_rows[o].flag + 2);

	for (char *c = key; *c != '\0'; c++)
		*c = *c == '-' ? '_' : *c;
	return key;
}

char *
launch_yaml_text(enum launch_option o, const char *value)
{
	char *text = NULL;
	size_t size;
	FILE *f;

	if (launch_rows[o].takes == NO_WORD)
		return xstrdup(strcmp(value, "false") == 0 ? value : "true");
	if (o == LAUNCH_LAYOUT || o == LAUNCH_HYBRID)
		return xasprintf("\"%s\"", value);
	if (launch_rows[o].takes == ONE_WORD && o != LAUNCH_SPLIT_LIST && o != LAUNCH_LAYER_IDS)
		return xstrdup(value);
	f = memstream_open(&text, &size);
	putc('[', f);
	for (const char *c = value; *c != '\0'; c++) {
		putc(*c == ' ' ? ',' : *c, f);
		if (*c == ' ' || *c == ',')
			putc(' ', f);
	}
	putc(']', f);
	memstream_close(f);
	return text;
}

void
launch_yaml_defaults(struct launch *l, enum target t)
{
	const struct form *f = form_for(t);

	for (size_t i = 0; i < sizeof f->on / sizeof f->on[0] && f->on[i] != NULL; i++)
		if (l->value[form_option_named(f->on[i])] == NULL)
			launch_set(l, form_option_named(f->on[i]), xstrdup("false"));
}

void
launch_print_yaml(const struct launch *l, enum target t, FILE *f)
{
	const struct form *form = form_for(t);

	for (int map = 0; map < 2 && form->above[map] != NULL; map++) {
		fputs(form->above[map], f);
		for (int o = 0; o < LAUNCH_OPTIONS; o++) {
			char *key, *text;

			if (l->value[o] == NULL || (form->above[1] != NULL &&
			    in_model((enum launch_option)o) != (map == 1)))
				continue;
			key = launch_yaml_key((enum launch_option)o);
			text = launch_yaml_text((enum launch_option)o, l->value[o]);
			fprintf(f, "%*s%s: %s\n", form->column, "", key, text);
			free(key);
			free(text);
		}
	}
}
