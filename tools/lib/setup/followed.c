#include "followed.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/slurp.h"
#include "lib/script/meaning.h"
#include "lib/script/spelled.h"
#include "foreign.h"
#include "launch_yaml.h"

enum { FILE_MOST = 256 << 20 };

/* Return the path of NAME, or NULL if it does not exist. Caller frees. */
static char *
found(const char *name, const char *script)
{
	return access(name, R_OK) == 0 ? xstrdup(name) : *name != '/' ? launch_yaml_above(script, name) : NULL;
}

/* Return whether only options and their values follow argument I. */
static bool
only_options(const struct texts *a, int i)
{
	bool any = i + 1 == a->n || started_is_option(a->at[i + 1]);

	for (i++; i < a->n; i++)
		any &= started_is_option(a->at[i]) || strchr(a->at[i], '=') == NULL;
	return any;
}

/* Remove the option of the name NAME, with its values. */
static void
drop(struct started *s, const char *name)
{
	struct texts *a = &s->program.arguments;

	for (int i = 0; i < a->n;) {
		char *its = xstrndup(a->at[i], strcspn(a->at[i], "="));
		int end = i + 1;

		while (end < a->n && !started_is_option(a->at[end]))
			end++;
		if (started_is_option(its) && spelled_alike(its, name + strspn(name, "-"))) {
			for (int k = i; k < end; k++)
				free(a->at[k]);
			memmove(&a->at[i], &a->at[end], (size_t)(a->n - end) * sizeof *a->at);
			memmove(&s->line[i], &s->line[end], (size_t)(a->n - end) * sizeof *s->line);
			a->n -= end - i;
			s->defaults -= i < s->defaults ? end - i : 0;
		} else {
			i = end;
		}
		free(its);
	}
}

/* Append the options of FROM after argument I. They have no lines in the file. */
static void
append(struct started *s, const struct texts *from, int i)
{
	int room;

	for (int k = i + 1; k < from->n; k++)
		if (started_is_option(from->at[k])) {
			char *name = xstrndup(from->at[k], strcspn(from->at[k], "="));

			drop(s, name);
			free(name);
		}
	room = s->program.arguments.n;
	for (int k = i + 1; k < from->n; k++) {
		*APPEND(s->line, room) = 0;
		texts_add(&s->program.arguments, from->at[k]);
	}
}

/* Exit if the file is of a framework that is not read. */
static void
refuse_file(const char *path)
{
	size_t length;
	char *text = slurp(path, FILE_MOST, &length);

	foreign_refuse((struct place){ path, 0 }, path, text);
	free(text);
}

void
started_follow(struct started *s, enum target *target)
{
	struct texts *a = &s->program.arguments;
	int i = meaning_file(s);
	const char *equal = i >= 0 ? strchr(a->at[i], '=') : NULL;
	/* A launch record has its script's path. */
	const char *script = s->program.source != NULL ? s->program.source : s->place.source;
	char *path = i >= 0 && only_options(a, i) ? found(equal != NULL ? equal + 1 : a->at[i], script) : NULL;
	struct yaml *root = path != NULL ? yaml_read(path) : NULL;
	struct started file;

	if (root == NULL || root->type != YAML_MAP || !yaml_started_in(&file, root, path, &s->program.environment)) {
		if (root != NULL)
			refuse_file(path);
		free(path);
		if (root != NULL)
			yaml_release(root);
		return;
	}
	append(&file, a, i);
	if (target != NULL)
		*target = launch_yaml_target(root);
	/* The launcher and the unknown values are the script's. */
	texts_free(&s->program.arguments);
	s->program.arguments = file.program.arguments;
	file.program.arguments = (struct texts){ 0 };
	free(s->program.program);
	s->program.program = xstrdup("");
	free(s->line);
	s->line = file.line;
	file.line = NULL;
	s->file = path;
	s->place = (struct place){ path, 0 };
	s->keys = true;
	s->defaults = file.defaults;
	started_free(&file);
	yaml_release(root);
}
