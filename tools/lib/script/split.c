/* The words of a command: launcher, program, arguments. */
#include <string.h>

#include "lib/base/alloc.h"
#include "programs.h"

static const char *
base_of(const char *word)
{
	const char *slash = strrchr(word, '/');

	return slash != NULL ? slash + 1 : word;
}

static bool
among(const char *word, const char *const *list)
{
	while (*list != NULL && strcmp(word, *list) != 0)
		list++;
	return *list != NULL;
}

static bool
ends_with(const char *word, const char *end)
{
	size_t n = strlen(word), k = strlen(end);

	return n > k && strcmp(word + n - k, end) == 0;
}

/* Modules that start another program. */
static bool
launches(const char *module)
{
	static const char *const modules[] = { "torch.distributed.run", "torch.distributed.launch", "deepspeed",
		"deepspeed.launcher.runner", "deepspeed.launcher.launch", "accelerate", "accelerate.commands.launch",
		"torch.distributed.elastic.launch", "paddle.distributed.launch", NULL };

	return among(module, modules);
}

/* Launchers whose program is a word of theirs: megatron sft. */
static bool
commands(const char *word)
{
	static const char *const names[] = { "megatron", "swift", "flagscale", "llamafactory-cli", "primus-cli", "nemo",
		NULL };

	return among(base_of(word), names);
}

/* The index of the program's word; the number of words: there is none. */
static int
program_at(const struct texts *w, int first)
{
	bool direct = first < w->n && ends_with(w->at[first], ".py");

	if (direct)
		return first;
	for (int i = first; i < w->n; i++) {
		if (commands(w->at[i]) && i + 1 < w->n && *w->at[i + 1] != '-')
			return i + 1;
		if ((strcmp(w->at[i], "-m") == 0 || strcmp(w->at[i], "--module") == 0) && i + 1 < w->n) {
			i++;
			if (!launches(w->at[i]))
				return i;
		} else if (i > first && *w->at[i] != '-' && (ends_with(w->at[i], ".py") ||
		    ends_with(w->at[i], ".pyc"))) {
			return i;
		}
	}
	return w->n;
}

void
program_split(struct program *p, const struct texts *w, int first)
{
	int at = program_at(w, first);

	for (int i = first; i < at; i++)
		texts_add(&p->launcher, w->at[i]);
	p->program = xstrdup(at < w->n ? w->at[at] : "");
	for (int i = at + 1; i < w->n; i++)
		texts_add(&p->arguments, w->at[i]);
}
