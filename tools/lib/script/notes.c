#include "notes.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/place.h"
#include "lib/base/slurp.h"
#include "lib/base/whole.h"

enum { FILE_MOST = 64 << 20 };

static const char *const kind_names[NOTES] = { "launch", "stand-in", "missing", "exit" };

/* Return the next word of the file, which ends with a NUL, or NULL at the end. */
static const char *
next(const char **at, const char *end)
{
	const char *word = *at, *nul = word < end ? memchr(word, '\0', (size_t)(end - word)) : NULL;

	if (nul == NULL)
		return NULL;
	*at = nul + 1;
	return word;
}

/* Ignore an incomplete note at the end, since the script may have been killed. */
static void
parse(struct notes *all, const char *text, size_t length)
{
	const char *at = text, *end = text + length, *kind;

	while ((kind = next(&at, end)) != NULL) {
		const char *source = next(&at, end), *line = next(&at, end), *count = next(&at, end), *word;
		struct note x = { .kind = NOTE_LAUNCH };
		int n = count != NULL ? whole_of(count, INT_MAX) : 0;

		while (x.kind < NOTES && strcmp(kind_names[x.kind], kind) != 0)
			x.kind++;
		if (count == NULL || x.kind == NOTES)
			return;
		while (x.words.n < n && (word = next(&at, end)) != NULL)
			texts_add(&x.words, word);
		if (x.words.n < n) {
			texts_free(&x.words);
			return;
		}
		x.source = xstrdup(source);
		x.line = whole_of(line, INT_MAX);
		*APPEND(all->at, all->n) = x;
	}
}

struct notes
notes_take(const char *directory)
{
	struct notes all = { .n = 0 };
	struct dirent **file = NULL;
	int n = scandir(directory, &file, NULL, alphasort);

	if (n < 0)
		place_die((struct place){ directory, 0 }, "cannot be read: %s", strerror(errno));
	for (int i = 0; i < n; i++) {
		if (file[i]->d_name[0] != '.') {
			char *path = xasprintf("%s/%s", directory, file[i]->d_name), *text;
			size_t length;

			text = slurp(path, FILE_MOST, &length);
			parse(&all, text, length);
			unlink(path);
			free(text);
			free(path);
		}
		free(file[i]);
	}
	free(file);
	return all;
}

void
notes_free(struct notes *all)
{
	for (int i = 0; i < all->n; i++) {
		free(all->at[i].source);
		texts_free(&all->at[i].words);
	}
	free(all->at);
	*all = (struct notes){ 0 };
}
