#include "settings_text.h"

static const struct field settings_text_field[] = {
	REQUIRED(settings_text, name, ANY),
	REQUIRED(settings_text, format, ANY),
	OPTIONAL(settings_text, lines, ANY),
	OPTIONAL(settings_text, why, ANY),
};
const struct fields settings_text_fields = FIELDS(settings_text, "settings");
