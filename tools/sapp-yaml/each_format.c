/*
 * If a format cannot express a plan, a message ends the program, at any depth of calls. So a forked process prints each
 * format.
 */
#include "each_format.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/output.h"
#include "lib/base/status.h"
#include "sapp-yaml/plan/question.h"

static FILE *
temporary(void)
{
	FILE *f = tmpfile();

	if (f == NULL)
		err(STATUS_ERROR, "no temporary file");
	return f;
}

/* Read all text of F, and close F. Caller frees the text. */
static char *
text_of(FILE *f)
{
	char *text;
	size_t n;
	long size;

	if (fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0)
		err(STATUS_ERROR, "temporary file");
	rewind(f);
	text = xcalloc((size_t)size + 1, 1);
	n = fread(text, 1, (size_t)size, f);
	if (n != (size_t)size)
		errx(STATUS_ERROR, "temporary file: cannot be read");
	fclose(f);
	return text;
}

/* Return the reason in the last line of MESSAGES, without the name of the tool and the place of the record. */
static char *
reason(char *messages, struct place at)
{
	size_t n = strlen(messages);
	char *line, *prefix = xasprintf("%s: ", program_invocation_short_name), *why;
	char *where = xasprintf("%s:%ld: ", at.source, at.line);

	while (n > 0 && messages[n - 1] == '\n')
		messages[--n] = '\0';
	line = strrchr(messages, '\n');
	line = line != NULL ? line + 1 : messages;
	if (strncmp(line, prefix, strlen(prefix)) == 0)
		line += strlen(prefix);
	if (strncmp(line, where, strlen(where)) == 0)
		line += strlen(where);
	why = xstrdup(line);
	free(prefix);
	free(where);
	return why;
}

/*
 * Return a text such as "stage 3 needs 120 MB more", from the plan's simulation (caller frees). Return NULL if the plan
 * fits, or was not simulated.
 */
static char *
excess(const struct records *all, const char *name)
{
	for (size_t i = all->n; i-- > 0;) {
		const struct sim *s = &all->at[i].sim;
		double most = 0;
		int worst = 0;

		if (all->at[i].kind != RECORD_SIM || strcmp(s->name, name) != 0)
			continue;
		for (int k = 0; s->memory_limit.n > 0 && k < s->peak_memory.n; k++) {
			double over = s->peak_memory.at[k] - list_get(s->memory_limit, k);

			if (over > most) {
				most = over;
				worst = k;
			}
		}
		return most > 0 ? xasprintf("does not fit: stage %d needs %.0f MB more", worst, most) : NULL;
	}
	return NULL;
}

/* Print a plan in a forked process. Return whether it succeeded. */
static bool
try(struct settings_text *to, struct records *all, struct record *plan, int format,
    void (*print)(struct records *, struct record *, int))
{
	FILE *out = temporary(), *messages = temporary();
	char *said, *text;
	pid_t child;
	int status;

	if (fflush(stdout) != 0)
		err(STATUS_ERROR, "stdout");
	child = fork();
	if (child < 0)
		err(STATUS_ERROR, "fork");
	if (child == 0) {
		dup2(fileno(out), STDOUT_FILENO);
		dup2(fileno(messages), STDERR_FILENO);
		print(all, plan, format);
		stdout_close();
		exit(STATUS_ANSWERED);
	}
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			err(STATUS_ERROR, "waitpid");
	text = text_of(out);
	said = text_of(messages);
	if (!WIFEXITED(status) || (WEXITSTATUS(status) != STATUS_ANSWERED && WEXITSTATUS(status) != STATUS_ERROR))
		errx(STATUS_ERROR, "%s as %s: failed: %s", to->name, to->format, said);
	if (WEXITSTATUS(status) != STATUS_ANSWERED) {
		to->why = reason(said, plan->place);
	} else {
		for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;)
			if (rest != NULL)
				texts_add(&to->lines, line);
	}
	free(text);
	free(said);
	return to->why == NULL;
}

static void
put(struct records *all, struct record *plan, const char *name, int format,
    void (*print)(struct records *, struct record *, int))
{
	struct settings_text made = { 0 };

	GIVE(settings_text, &made, name, xstrdup(plan->plan.name));
	GIVE(settings_text, &made, format, xstrdup(name));
	made.why = excess(all, made.name);
	if (made.why == NULL && try(&made, all, plan, format, print))
		GIVE(settings_text, &made, lines, made.lines);
	else
		GIVE(settings_text, &made, why, made.why);
	record_put(stdout, RECORD_SETTINGS, &made);
	free(made.name);
	free(made.format);
	texts_free(&made.lines);
	free(made.why);
}

void
each_format(struct records *all, const char *const names[], int only, const char *plan,
    void (*print)(struct records *, struct record *, int))
{
	struct record *chosen = plan != NULL ? question_choose(all, plan) : NULL;

	for (size_t i = 0; i < all->n; i++) {
		if (all->at[i].kind != RECORD_PLAN || (chosen != NULL && chosen != &all->at[i]))
			continue;
		for (int f = 0; names[f] != NULL; f++)
			if (only < 0 || only == f)
				put(all, &all->at[i], names[f], f, print);
	}
}
