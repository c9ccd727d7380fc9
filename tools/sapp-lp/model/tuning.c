/* Tuning: switches of the planner's mechanisms. */
#include "tuning.h"

#include <string.h>

#define ON(name, meaning) .name = true,
struct tuning tuning = { TUNING_SWITCHES(ON) };

#define ROW(name, meaning) { #name, meaning, &tuning.name },
static const struct {
	const char *name, *meaning;
	bool *at;
} rows[] = { TUNING_SWITCHES(ROW) };

bool
tuning_set(const char *text)
{
	const char *value = strchr(text, '=');
	size_t n;

	if (value == NULL || (strcmp(value, "=0") != 0 && strcmp(value, "=1") != 0))
		return false;
	n = (size_t)(value - text);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strlen(rows[i].name) == n && strncmp(rows[i].name, text, n) == 0) {
			*rows[i].at = value[1] == '1';
			return true;
		}
	return false;
}

void
tuning_list(FILE *out)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		fprintf(out, "%s\t%s\n", rows[i].name, rows[i].meaning);
}
