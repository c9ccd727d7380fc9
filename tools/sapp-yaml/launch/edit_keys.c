#include "edit_keys.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/setup/launch_yaml.h"
#include "lib/yaml/yaml_edit.h"

void
keys_edits(struct edits *e, const struct yaml *root, const struct launch *now, const struct wanted *w)
{
	for (int i = 0; i < LAUNCH_OPTIONS; i++) {
		enum launch_option o = (enum launch_option)i;
		const char *want = w->launch.value[o], *value = now->value[o];
		const struct yaml *map;
		int entry;
		bool there = launch_yaml_find(root, o, &map, &entry);
		char *key, *text;

		/* null equals an absent key. A value of presets is written, as other releases may have others. */
		if (!w->decided[o] || (value == NULL && (want == NULL || strcmp(want, "null") == 0)) ||
		    (value != NULL && want != NULL && strcmp(value, want) == 0 && there))
			continue;
		key = launch_yaml_key(o);
		text = want != NULL ? launch_yaml_text(o, want) : xstrdup(o >= LAUNCH_SETTINGS &&
		    launch_takes(o) == 0 ? "false" : "null");
		/* A merged value is overridden. */
		if (there && map->item_span[entry].end != 0)
			yaml_edit_value(e, map, entry, text);
		else
			yaml_edit_entry(e, map, NULL, there ? map->key[entry] : key, text);
		free(key);
		free(text);
	}
}
