#include "tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ON(name, meaning) .name = true,
#define DEFAULT(name, value, least, meaning) .name = value,
struct tuning tuning = { TUNING_SWITCHES(ON) TUNING_VALUES(DEFAULT) };

#define SWITCH(name, meaning) { #name, meaning, 1, 0, &tuning.name, NULL },
#define VALUE(name, value, least, meaning) { #name, meaning, value, least, NULL, &tuning.name },
static const struct {
	const char *name, *meaning;
	double value, least;
	bool *on;		/* the switch; NULL: this is a value */
	double *at;		/* the value; NULL: this is a switch */
} rows[] = { TUNING_SWITCHES(SWITCH) TUNING_VALUES(VALUE) };

bool
tuning_set(const char *text)
{
	size_t n = strcspn(text, "="), i = 0;
	char *end;
	double value;

	while (i < sizeof rows / sizeof *rows && (strlen(rows[i].name) != n || strncmp(rows[i].name, text, n) != 0))
		i++;
	if (i == sizeof rows / sizeof *rows || text[n] == '\0' || text[n + 1] == '\0')
		return false;
	value = strtod(text + n + 1, &end);
	if (*end != '\0' || !isfinite(value) || value < rows[i].least ||
	    (rows[i].on != NULL && value != 0 && value != 1))
		return false;
	if (rows[i].on != NULL)
		*rows[i].on = value == 1;
	else
		*rows[i].at = value;
	return true;
}

void
tuning_list(FILE *out)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].on != NULL)
			fprintf(out, "%s\ton\t%s\n", rows[i].name, rows[i].meaning);
		else
			fprintf(out, "%s\t%g\t%s\n", rows[i].name, rows[i].value, rows[i].meaning);
}
