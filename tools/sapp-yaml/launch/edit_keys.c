#include "edit_keys.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/setup/launch_yaml.h"
#include "lib/yaml/yaml_edit.h"

void
keys_edit(char **text, size_t *length, const char *path, const struct launch *now, const struct wanted *w)
{
	for (int i = 0; i < LAUNCH_OPTIONS; i++) {
		enum launch_option o = (enum launch_option)i;
		const char *want = w->launch.value[o], *value = now->value[o];
		const struct yaml *map;
		int entry;
		struct yaml *root;
		char *key, *new;

		/* A null equals an absent key. */
		if (!w->decided[o] || (value == NULL && (want == NULL || strcmp(want, "null") == 0)))
			continue;
		root = yaml_parse_loaded(*text, *length, path, false);
		if (!launch_yaml_find(root, o, &map, &entry))
			entry = -1;
		/* Write the value even if it is that of the presets, because these may differ in other releases. */
		if (entry < 0 || value == NULL || want == NULL || strcmp(value, want) != 0) {
			key = entry >= 0 ? xstrdup(map->key[entry]) : launch_yaml_key(o);
			new = want != NULL ? launch_yaml_text(o, want) : xstrdup(o >= LAUNCH_SETTINGS &&
			    launch_takes(o) == 0 ? "false" : "null");
			yaml_edit_entry(text, length, map, entry, key, new);
			free(key);
			free(new);
		}
		yaml_release(root);
	}
}
