/*
 * Edits need no knowledge of the shell. Each edit is tried at every position of an option, or of a variable with its
 * value. It stays if the edited script starts its program as wanted.
 */
#include "edit_script.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/script/processes.h"
#include "editing.h"
#include "text_places.h"

enum { ANCHORS = 8, DEPTH = 3, FORMS = 5 };

/*
 * Return the I-th form in which a script can have WANT: bare, or quoted in one of four ways; caller frees. Return NULL
 * if no more forms exist.
 */
static char *
form(const char *want, bool words, int i)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_,.-";
	bool plain = words || want[strspn(want, letters)] == '\0';
	static const char *const quotes[FORMS][2] = { { "\"", "\"" }, { "", "" }, { "\\\"", "\\\"" }, { "'", "'" },
		{ "'\"", "\"'" } };

	if (i >= FORMS || (plain && i > 0))
		return NULL;
	return plain ? xstrdup(want) : xasprintf("%s%s%s", quotes[i][0], want, quotes[i][1]);
}

static bool
attempt_forms(struct editing *e, size_t start, size_t end, const char *before, enum launch_option o)
{
	const char *want = e->w->launch.value[o];
	char *value;

	for (int i = 0; (value = form(want, launch_takes(o) < 0, i)) != NULL; i++) {
		bool good = editing_attempt(e, start, end, xasprintf("%s%s", before, value), o);

		free(value);
		if (good)
			return true;
	}
	return false;
}

/* After "=" only one word is possible. */
static bool
several_words(const struct editing *e, enum launch_option o)
{
	return launch_takes(o) < 0 && strchr(e->w->launch.value[o], ' ') != NULL;
}

/* Change OLD where the variable [NAME, NAME + N) is assigned. The last assignment is tried first. */
static bool
change_variable(struct editing *e, size_t name, size_t n, const char *old, enum launch_option o, int depth)
{
	const char *want = e->w->launch.value[o];
	size_t at = strlen(e->text);

	while (depth < DEPTH && text_before(e->text, &at, e->text + name, n)) {
		struct text_token t;

		if (!text_assigned(e->text, at + n, &t))
			continue;
		if (text_place_is(e->text, &t, old) && editing_attempt(e, t.inner, t.inner_end, xstrdup(want), o))
			return true;
		if (text_default(e->text, &t, old) && editing_attempt(e, t.inner, t.inner_end, xstrdup(want), o))
			return true;
		if (t.variable_length > 0 && t.variable != at &&
		    change_variable(e, t.variable, t.variable_length, old, o, depth + 1))
			return true;
	}
	return false;
}

/* Change the value OLD of option O, which the script spells NAME. */
static bool
change(struct editing *e, const char *name, const char *old, enum launch_option o)
{
	size_t at = strlen(e->text), n = strlen(name);

	while (text_before(e->text, &at, name, n)) {
		struct text_token t;

		if (!text_value(e->text, at + n, old, &t))
			continue;
		if (e->text[at + n] == '=' && several_words(e, o) && attempt_forms(e, at + n, t.end, " ", o))
			return true;
		if (text_place_is(e->text, &t, old)) {
			if (t.inner > t.start ? editing_attempt(e, t.inner, t.inner_end,
			    xstrdup(e->w->launch.value[o]), o) : attempt_forms(e, t.start, t.end, "", o))
				return true;
			continue;
		}
		if (text_default(e->text, &t, old) && editing_attempt(e, t.inner, t.inner_end,
		    xstrdup(e->w->launch.value[o]), o))
			return true;
		if (t.variable_length > 0 && change_variable(e, t.variable, t.variable_length, old, o, 0))
			return true;
		if (attempt_forms(e, t.start, t.end, "", o))
			return true;
	}
	return false;
}

/* Remove the option that the script spells NAME, with its values. */
static bool
take_out(struct editing *e, const char *name, const char *old, enum launch_option o)
{
	size_t at = strlen(e->text), n = strlen(name);

	while (text_before(e->text, &at, name, n)) {
		struct text_token t;
		size_t end = text_value(e->text, at + n, old, &t) && old != NULL ? t.end : at + n, from, to;

		size_t above = at;

		/* Find the end of the last line above that remains. */
		while (above > 0 && e->text[above - 1] != '\n')
			above--;
		for (size_t i = e->edits->n; i > 0; i--)
			if (*e->edits->at[i - 1].text == '\0' && e->edits->at[i - 1].end == above &&
			    (e->edits->at[i - 1].start == 0 || e->text[e->edits->at[i - 1].start - 1] == '\n'))
				above = e->edits->at[i - 1].start;
		for (int way = 0; text_line_out(e->text, at, end, above, way, &from, &to); way++)
			if (editing_attempt(e, from, to, xstrdup(""), o))
				return true;
	}
	return false;
}

/* Add option O after the option that the script spells NAME. */
static bool
add_after(struct editing *e, const char *name, const char *old, const char *new, enum launch_option o)
{
	size_t at = strlen(e->text), n = strlen(name);
	bool value = launch_takes(o) != 0;

	while (text_before(e->text, &at, name, n)) {
		struct text_token t;
		bool has = old != NULL && text_value(e->text, at + n, old, &t);
		bool joined = e->text[at + n] == '=' && !several_words(e, o);
		size_t end = has ? t.end : at + n, to;
		char *between, *before;

		for (int way = 0; (between = text_between(e->text, at, end, way, &to)) != NULL; way++) {
			char *behind = strchr(between, '\a');
			bool good = false;

			/* The text that must follow the new option. */
			if (behind != NULL)
				*behind++ = '\0';
			before = xasprintf("%s%s%s", between, new, !value ? "" : joined ? "=" : " ");
			for (int i = 0; !good && (i == 0 || value); i++) {
				char *form_of = value ? form(e->w->launch.value[o], launch_takes(o) < 0, i) :
				    xstrdup("");

				if (form_of == NULL)
					break;
				good = editing_attempt(e, to, to, xasprintf("%s%s%s", before, form_of, behind != NULL ?
				    behind : ""), o);
				free(form_of);
			}
			free(before);
			free(between);
			if (good)
				return true;
		}
	}
	return false;
}

/* Return the values of the option at argument I, joined by blanks, or NULL; caller frees. */
static char *
value_at(const struct editing *e, int i)
{
	return started_value(&e->now, &i);
}

static bool
counts_processes(enum launch_option o)
{
	return o == LAUNCH_NODES || o == LAUNCH_NODE_DEVICES || o == LAUNCH_WORLD;
}

/* Add an option of the launcher to the launcher's words. */
static bool
add_to_launcher(struct editing *e, enum launch_option o)
{
	static const char *const starts[] = { "torchrun", "torch.distributed.run", "torch.distributed.launch" };
	enum processes_option number = o == LAUNCH_NODES ? PROCESSES_NODES : PROCESSES_EACH;
	const struct texts *l = &e->now.program.launcher;

	for (int i = 0; i < l->n; i++)
		if (processes_option(l, i) != PROCESSES_OPTIONS) {
			char *name = xstrndup(l->at[i], strcspn(l->at[i], "=")), *new = processes_name(l, i, number);
			const char *equal = strchr(l->at[i], '='), *value = equal != NULL ? equal + 1 : i + 1 < l->n ?
			    l->at[i + 1] : NULL;
			bool good = new != NULL && add_after(e, name, value, new, o);

			free(name);
			free(new);
			if (good)
				return true;
		}
	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
		if (add_after(e, starts[i], NULL, launch_name(o), o))
			return true;
	return false;
}

static bool
add(struct editing *e, enum launch_option o)
{
	const struct texts *a = &e->now.program.arguments;
	struct texts names = { 0 }, values = { 0 };
	bool good = false;

	if (counts_processes(o) && e->now.program.launcher.n > 0)
		return add_to_launcher(e, o);
	/* The best position is after the number of stages. */
	for (int first = 1; first >= 0; first--)
		for (int i = 0; i < a->n && names.n < ANCHORS; i++)
			if (started_is_option(a->at[i]) &&
			    (editing_option(a, i, false) == LAUNCH_STAGES) == first) {
				char *name = xstrndup(a->at[i], strcspn(a->at[i], "=")), *value = value_at(e, i);

				texts_add(&names, name);
				texts_add(&values, value != NULL ? value : "");
				free(name);
				free(value);
			}
	for (int i = 0; i < names.n && !good; i++)
		good = add_after(e, names.at[i], *values.at[i] != '\0' ? values.at[i] : NULL,
		    launch_name_in(o, started_of_deepspeed(&e->now)), o);
	texts_free(&names);
	texts_free(&values);
	return good;
}

/* Return the index of an option among the words of the arguments or the launcher; -1: none. */
static int
index_of(const struct texts *w, enum launch_option o, bool launcher)
{
	for (int i = 0; i < w->n; i++)
		if (editing_is_option(w->at[i], launcher) && editing_option(w, i, launcher) == o)
			return i;
	return -1;
}

/* Return the index of another name of a decided option among the arguments; -1: none. */
static int
index_of_earlier(const struct editing *e)
{
	const struct texts *a = &e->now.program.arguments;

	for (int i = 0; i < a->n; i++)
		if (started_is_option(a->at[i]) && editing_option(a, i, false) == LAUNCH_OPTIONS &&
		    editing_earlier(e->w, a->at[i]))
			return i;
	return -1;
}

/* Edit the script until option O is as wanted. Return false if no edit works. */
static bool
settle(struct editing *e, enum launch_option o)
{
	bool of_launcher = counts_processes(o) && e->now.program.launcher.n > 0;
	const struct texts *words = of_launcher ? &e->now.program.launcher : &e->now.program.arguments;
	int i = index_of(words, o, of_launcher);
	char *name, *value;
	bool good;

	if (editing_as_wanted(e, &e->launch, &e->now, o)) {
		e->settled[o] = true;
		return true;
	}
	if (i < 0)
		return e->w->launch.value[o] == NULL || add(e, o);
	name = xstrndup(words->at[i], strcspn(words->at[i], "="));
	if (!of_launcher)
		value = value_at(e, i);
	else if (words->at[i][strlen(name)] == '=')
		value = xstrdup(words->at[i] + strlen(name) + 1);
	else
		value = i + 1 < words->n ? xstrdup(words->at[i + 1]) : NULL;
	good = e->w->launch.value[o] == NULL || editing_times(&e->now, o) > 1 ? take_out(e, name, value,
	    editing_times(&e->now, o) > 1 ? LAUNCH_OPTIONS : o) : change(e, name, value != NULL ? value : "", o);
	if (good && !editing_as_wanted(e, &e->launch, &e->now, o))
		good = settle(e, o);
	free(name);
	free(value);
	return good;
}

/* Remove options that have names of earlier releases. Their current names are added later, if wanted. */
static bool
drop_earlier(struct editing *e)
{
	for (int tries = 0; tries < LAUNCH_OPTIONS; tries++) {
		const struct texts *a = &e->now.program.arguments;
		int i = index_of_earlier(e);
		char *name, *value;
		bool good;

		if (i < 0)
			return true;
		name = xstrndup(a->at[i], strcspn(a->at[i], "="));
		value = value_at(e, i);
		good = take_out(e, name, value, LAUNCH_OPTIONS);
		free(name);
		free(value);
		if (!good)
			return false;
	}
	return false;
}

static _Noreturn void
refuse(const struct editing *e, const char *what)
{
	struct launch all = { 0 };

	for (int o = 0; o < LAUNCH_OPTIONS; o++)
		if (e->w->decided[o] && e->w->launch.value[o] != NULL)
			launch_set(&all, (enum launch_option)o, xstrdup(e->w->launch.value[o]));
	launch_print(&all, LAUNCH_ARGUMENTS, stderr);
	place_die(e->was->place, "not written: no edit of one place changes only %s; the plan's arguments are printed "
	    "above", what);
}

char *
script_edited(const char *path, const char *old, size_t *length, const struct started *now, struct started *then,
    const struct wanted *w)
{
	struct edits edits = { .text = old, .length = *length };
	struct editing e = { .edits = &edits, .path = path, .text = old, .was = now, .w = w };
	char *text;

	if (!started_again(&e.now, path, old, *length, now))
		place_die(now->place, "the script does not start the same program each time");
	launch_of_started(&e.launch, &e.now);
	if (!drop_earlier(&e))
		refuse(&e, "an argument of an earlier release");
	/* Other options may be computed from the devices, so these come early. Removals come first, additions last. */
	for (int step = 0; step < 4; step++)
		for (int i = 0; i < LAUNCH_OPTIONS; i++) {
			enum launch_option o = (enum launch_option)i;
			bool there = e.launch.value[o] != NULL, stays = w->launch.value[o] != NULL;
			int of = counts_processes(o) ? 0 : !stays ? 1 : there ? 2 : 3;

			if (w->decided[o] && !e.settled[o] && of == step && !settle(&e, o))
				refuse(&e, launch_name(o));
		}
	text = edits_apply(&edits, length);
	if (!started_read(then, path, text, *length, now->place.source))
		place_die(now->place, "not written: the edited script cannot be read");
	for (int o = 0; o < LAUNCH_OPTIONS; o++) {
		const struct unknown_argument *x = w->decided[o] ? started_unknown(then,
		    launch_name((enum launch_option)o)) : NULL;

		if (x != NULL)
			place_die(now->place, "not written: %s", started_why(then, x));
	}
	edits_free(&edits);
	started_free(&e.now);
	launch_free(&e.launch);
	return text;
}
