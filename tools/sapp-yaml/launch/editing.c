#include "editing.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/script/processes.h"
#include "lib/script/spelled.h"

enum launch_option
editing_option(const struct texts *words, int i, bool launcher)
{
	static const enum launch_option of[] = { [PROCESSES_NODES] = LAUNCH_NODES,
		[PROCESSES_EACH] = LAUNCH_NODE_DEVICES, [PROCESSES_ALL] = LAUNCH_WORLD,
		[PROCESSES_OPTIONS] = LAUNCH_OPTIONS };
	char *name;
	enum launch_option o;

	if (launcher)
		return of[processes_option(words, i)];
	name = xstrndup(words->at[i], strcspn(words->at[i], "="));
	o = launch_named(name);
	free(name);
	return o;
}

bool
editing_earlier(const struct wanted *w, const char *word)
{
	char *name = xstrndup(word, strcspn(word, "="));
	bool found = false;

	for (const struct spelled *x = spelled_before; x->was != NULL; x++) {
		enum launch_option o = launch_of_spelled(x);

		found |= o != LAUNCH_OPTIONS && w->decided[o] && spelled_alike(name, x->was);
	}
	free(name);
	return found;
}

static bool
decided(const struct wanted *w, const struct texts *words, int i, bool launcher)
{
	enum launch_option o = editing_option(words, i, launcher);

	return o != LAUNCH_OPTIONS ? w->decided[o] : !launcher && editing_earlier(w, words->at[i]);
}

bool
editing_is_option(const char *word, bool launcher)
{
	return launcher ? word[0] == '-' && word[1] != '\0' : started_is_option(word);
}

/* Return the words except the decided options and their values. */
static struct texts
others(const struct texts *words, const struct wanted *w, bool launcher)
{
	struct texts kept = { 0 };
	int left = 0;

	for (int i = 0; i < words->n;) {
		bool drop = editing_is_option(words->at[i], launcher) && decided(w, words, i, launcher);
		bool more = drop && strchr(words->at[i], '=') == NULL;

		if (!drop)
			texts_add(&kept, words->at[i]);
		if (more)
			left = launcher || editing_option(words, i, false) == LAUNCH_OPTIONS ? 1 :
			    launch_takes(editing_option(words, i, false));
		for (i++; more && left != 0 && i < words->n && !editing_is_option(words->at[i], launcher); i++)
			left--;
	}
	return kept;
}

static bool
same_others(const struct texts *a, const struct texts *b, const struct wanted *w, bool launcher)
{
	struct texts x = others(a, w, launcher), y = others(b, w, launcher);
	bool same = x.n == y.n;

	for (int i = 0; same && i < x.n; i++)
		same = strcmp(x.at[i], y.at[i]) == 0;
	texts_free(&x);
	texts_free(&y);
	return same;
}

int
editing_times(const struct started *s, enum launch_option o)
{
	const struct texts *a = &s->program.arguments;
	int n = 0;

	for (int i = 0; i < a->n; i++)
		n += started_is_option(a->at[i]) && editing_option(a, i, false) == o;
	return n;
}

bool
editing_as_wanted(const struct editing *e, const struct launch *l, const struct started *s, enum launch_option o)
{
	const char *want = e->w->launch.value[o], *value = l->value[o];

	return (value == NULL) == (want == NULL) && (want == NULL || strcmp(value, want) == 0) &&
	    editing_times(s, o) <= 1;
}

/*
 * Return whether the command differs from the old command only in decided options, and the settled options are as
 * wanted.
 */
static bool
right(const struct editing *e, const struct launch *l, const struct started *s)
{
	const struct program *p = &s->program, *was = &e->was->program;
	bool same = strcmp(p->program, was->program) == 0 && p->environment.n == was->environment.n &&
	    same_others(&p->launcher, &was->launcher, e->w, true) &&
	    same_others(&p->arguments, &was->arguments, e->w, false);

	for (int i = 0; same && i < p->environment.n; i++)
		same = strcmp(p->environment.at[i], was->environment.at[i]) == 0;
	for (int o = 0; same && o < LAUNCH_OPTIONS; o++)
		same = !e->settled[o] || editing_as_wanted(e, l, s, (enum launch_option)o);
	return same;
}

static bool
overlaps(const struct edits *e, size_t start, size_t end)
{
	for (size_t i = 0; i < e->n; i++)
		if (start < e->at[i].end && end > e->at[i].start)
			return true;
	return false;
}

/* Move the deletions within [START, END) from E to WITHIN. */
static void
absorb(struct edits *e, size_t start, size_t end, struct edits *within)
{
	size_t n = 0;

	for (size_t i = 0; i < e->n; i++)
		if (*e->at[i].text == '\0' && e->at[i].start >= start && e->at[i].end <= end)
			edits_add(within, e->at[i].start, e->at[i].end, e->at[i].text);
		else
			e->at[n++] = e->at[i];
	e->n = n;
}

static void
give_back(struct edits *e, struct edits *within)
{
	for (size_t i = 0; i < within->n; i++) {
		edits_add(e, within->at[i].start, within->at[i].end, within->at[i].text);
		within->at[i].text = NULL;
	}
	edits_free(within);
}

/* Undo the edit that has this text. */
static void
undo(struct edits *e, char *text)
{
	size_t i = 0;

	while (e->at[i].text != text)
		i++;
	free(text);
	memmove(&e->at[i], &e->at[i + 1], (--e->n - i) * sizeof *e->at);
}

bool
editing_attempt(struct editing *e, size_t start, size_t end, char *new, enum launch_option o)
{
	struct started s;
	struct launch l;
	struct edits within = { .n = 0 };
	size_t length;
	char *text;
	bool good = false;

	/* A deletion may contain smaller deletions. */
	if (*new == '\0')
		absorb(e->edits, start, end, &within);
	if (overlaps(e->edits, start, end)) {
		give_back(e->edits, &within);
		free(new);
		return false;
	}
	edits_add(e->edits, start, end, new);
	text = edits_apply(e->edits, &length);
	if (started_again(&s, e->path, text, length, e->was)) {
		bool before = o != LAUNCH_OPTIONS && e->settled[o];

		launch_of_started(&l, &s);
		if (o != LAUNCH_OPTIONS)
			e->settled[o] = true;
		good = right(e, &l, &s);
		if (good) {
			started_free(&e->now);
			launch_free(&e->launch);
			e->now = s;
			e->launch = l;
		} else {
			if (o != LAUNCH_OPTIONS)
				e->settled[o] = before;
			started_free(&s);
			launch_free(&l);
		}
	}
	free(text);
	if (!good)
		undo(e->edits, new);
	if (!good)
		give_back(e->edits, &within);
	edits_free(&within);
	return good;
}
