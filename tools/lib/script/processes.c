#include "processes.h"

#include <string.h>

#include "lib/base/alloc.h"
#include "spelled.h"

/* Names of options, separated by '|', by launcher. */
static const struct launcher {
	const char *program, *names[PROCESSES_OPTIONS];
} launchers[] = {
	{ "srun", { "nodes|N", "ntasks-per-node", "ntasks|n" } },
	{ "mpirun", { "", "npernode|N", "np|n" } },
	{ "mpiexec", { "", "npernode|N|ppn", "np|n" } },
	{ "msrun", { "", "local_worker_num", "worker_num" } },
	{ "accelerate", { "num_machines", "", "num_processes" } },
	{ "deepspeed", { "num_nodes", "num_gpus", "" } },
	{ "numactl", { "", "", "" } },
	/* torchrun, and launchers that are not here */
	{ NULL, { "nnodes|num_nodes|num_machines|nodes", "nproc_per_node|num_gpus|ntasks-per-node|local_worker_num",
	    "" } },
};

/* Return whether TEXT is a whole number above 0. Numbers from files that only the run has are 0. */
static bool
whole(const char *text)
{
	return text[strspn(text, "0")] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/*
 * If word I is one of NAMES, separated by '|', return its value from the same word, as in "--nodes=2" and "-N2", or
 * from the next one. Otherwise return NULL.
 */
static const char *
value_at(const struct texts *w, int i, const char *names)
{
	const char *word = w->at[i] + strspn(w->at[i], "-"), *value = NULL;
	size_t n = strcspn(word, "=");
	bool named = false;

	if (word == w->at[i] && (word = started_override(word, &n, &value)) == NULL)
		return NULL;
	for (const char *end; *names != '\0' && !named; names = *end == '|' ? end + 1 : end) {
		char *name, *key = xstrndup(word, n);

		end = strchrnul(names, '|');
		name = xstrndup(names, (size_t)(end - names));
		named = spelled_alike(key, name);
		free(name);
		if (w->at[i][0] == '-' && end - names == 1 && *word == *names && whole(word + 1)) {
			free(key);
			return word + 1;
		}
		free(key);
	}
	if (!named)
		return NULL;
	return word[n] == '=' ? word + n + 1 : i + 1 < w->n ? w->at[i + 1] : NULL;
}

/* Return the launcher that word I belongs to: the last one whose name precedes the word. */
static const struct launcher *
launcher_of(const struct texts *w, int i)
{
	const struct launcher *l = launchers;

	for (; i >= 0; i--) {
		const char *slash = strrchr(w->at[i], '/'), *name = slash != NULL ? slash + 1 : w->at[i];

		if (strncmp(name, "torch", 5) == 0 || strncmp(name, "python", 6) == 0)
			break;
		for (l = launchers; l->program != NULL && strcmp(name, l->program) != 0; l++)
			continue;
		if (l->program != NULL)
			return l;
	}
	while (l->program != NULL)
		l++;
	return l;
}

/* Return the index of the last word of the launchers with a number, and this number; -1: none. */
static int
last(const struct texts *w, enum processes_option o, const char **value)
{
	for (int i = w->n - 1; i >= 0; i--) {
		*value = value_at(w, i, launcher_of(w, i)->names[o]);
		if (*value != NULL && **value != '-' && **value != '\0')
			return i;
	}
	*value = NULL;
	return -1;
}

static const char *
exported(const struct texts *env, const char *names)
{
	for (int i = 0; i < env->n; i++) {
		size_t n = strcspn(env->at[i], "=");

		for (const char *v = names, *end; *v != '\0'; v = *end == '|' ? end + 1 : end) {
			end = strchrnul(v, '|');
			if ((size_t)(end - v) == n && strncmp(v, env->at[i], n) == 0)
				return env->at[i][n] == '=' && env->at[i][n + 1] != '\0' ? env->at[i] + n + 1 : NULL;
		}
	}
	return NULL;
}

/*
 * Return the value of an option of the program (OWN) or of its overrides, as with launchers that start the program on
 * other nodes. If neither has a value, use an option of the launcher, or an exported variable.
 */
static const char *
either(const struct started *s, enum processes_option o, const char *variables, const char *own, const char *overrides)
{
	const struct texts *a = &s->program.arguments, *w = s->program.launcher.n > 0 ? &s->program.launcher : a;
	const char *value = NULL;

	for (int i = 0; i < a->n && value == NULL; i++)
		value = value_at(a, i, *a->at[i] == '-' ? own : overrides);
	if (value == NULL)
		last(w, o, &value);
	return value != NULL ? value : exported(&s->program.environment, variables);
}

/* Return whether Slurm starts the tasks. If it does not, Slurm's variables do not determine the number of processes. */
static bool
by_slurm(const struct started *s)
{
	for (int i = 0; i < s->program.launcher.n; i++)
		if (strcmp(s->program.launcher.at[i], "srun") == 0)
			return true;
	return false;
}

static bool
unknown(const struct started *s, const char *const *names)
{
	for (; *names != NULL; names++)
		if (started_unknown(s, *names) != NULL)
			return true;
	return false;
}

const char *
processes_nodes(const struct started *s)
{
	static const char *const names[] = { "nnodes", "actor-num-nodes", NULL };

	return unknown(s, names) ? NULL : either(s, PROCESSES_NODES, by_slurm(s) ? "NNODES|SLURM_NNODES" : "NNODES",
	    "actor-num-nodes", "nnodes|num_nodes");
}

const char *
processes_allocated(const struct started *s)
{
	const struct texts *w = &s->program.launcher;
	const char *value;

	for (int i = last(w, PROCESSES_NODES, &value) - 1; i >= 0; i--)
		if ((value = value_at(w, i, launcher_of(w, i)->names[PROCESSES_NODES])) != NULL)
			return value;
	return exported(&s->program.environment, "SLURM_NNODES");
}

/* Names of options whose value may be the number of all processes. */
static const char *const names_of_all[] = { "worker_num", "num_processes", "np", "ntasks", "n", NULL };

const char *
processes_each(const struct started *s)
{
	static const char *const names[] = { "nproc_per_node", "nnodes", "actor-num-gpus-per-node", NULL };
	const char *nodes = processes_nodes(s), *all;

	/* If the number of nodes or of all processes is unknown, so is the number of processes per node. */
	last(&s->program.launcher, PROCESSES_ALL, &all);
	return unknown(s, names) || unknown(s, names_of_all) || (nodes != NULL && !whole(nodes)) ||
	    (all != NULL && !whole(all)) ? NULL :
	    either(s, PROCESSES_EACH, by_slurm(s) ? "NPROC_PER_NODE|SLURM_NTASKS_PER_NODE" : "NPROC_PER_NODE",
	    "actor-num-gpus-per-node", "n_gpus_per_node|gpus_per_node|devices");
}

const char *
processes_all(const struct started *s)
{
	const struct texts *w = &s->program.launcher;
	const char *all, *each;
	int at = last(w, PROCESSES_ALL, &all), each_at = last(w, PROCESSES_EACH, &each);

	/* A launcher that another one starts has the processes. */
	return at < 0 || unknown(s, names_of_all) || !whole(all) ||
	    (each_at > at && launcher_of(w, each_at) != launcher_of(w, at)) ? NULL : all;
}

enum processes_option
processes_option(const struct texts *w, int i)
{
	const char *value;
	int o = 0;

	while (o < PROCESSES_OPTIONS && last(w, (enum processes_option)o, &value) != i)
		o++;
	return (enum processes_option)o;
}

char *
processes_name(const struct texts *w, int i, enum processes_option o)
{
	const char *names = launcher_of(w, i)->names[o];

	return *names != '\0' ? xasprintf("--%.*s", (int)strcspn(names, "|"), names) : NULL;
}
