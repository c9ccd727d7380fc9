/* Fuzz the YAML reader, and lists of recomputation: keys stay within their maps, nodes within the file. */
#include "fuzz.h"
#include "lib/yaml/settings.h"
#include "lib/yaml/yaml.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (FUZZ_BEGIN()) {
		struct yaml *y = yaml_parse((const char *)data, size, "fuzz");
		const struct yaml *list = y->type == YAML_MAP ? yaml_get(y, "recompute") : y;
		int layers[] = { 5, 6, 7, 8, 5, 6, 7, 8 };
		struct grid all = { 2, 4, layers };

		for (int i = 0; i < y->n; i++)
			if (y->item[i]->place.line < 1 || (y->type == YAML_MAP && y->key[i] == NULL))
				abort();
		free(settings_list(list, "recompute", 2, 4, &all).at);
		yaml_release(y);
	}
	fuzz_end();
	return 0;
}
