/* Division of a command into launcher, program and arguments. */
#include <ctype.h>
#include <stdlib.h>
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

/* Return whether a Python module starts another program. */
static bool
launches(const char *module)
{
	static const char *const modules[] = { "torch.distributed.run", "torch.distributed.launch", "deepspeed",
		"deepspeed.launcher.runner", "deepspeed.launcher.launch", "accelerate", "accelerate.commands.launch",
		"torch.distributed.elastic.launch", "paddle.distributed.launch", "coverage", NULL };

	return among(module, modules);
}

/* Return whether a launcher starts a program by a word of its own, as in "megatron sft". */
static bool
commands(const char *word)
{
	static const char *const names[] = { "megatron", "swift", "flagscale", "llamafactory-cli", "primus-cli", "nemo",
		NULL };

	return among(base_of(word), names);
}

/*
 * Launchers whose program has any name, with their options: "name" is followed by a value, "name-" is not, "name*"
 * stands for a beginning. Python's options have one dash.
 */
static const struct launcher {
	const char *const *names;
	const char *const *options;
} launchers[] = {
	{ (const char *const[]){ "torchrun", "torch.distributed.run", "torch.distributed.launch",
	    "torch.distributed.elastic.launch", NULL },
	  (const char *const[]){ "nnodes", "nproc*", "rdzv*", "standalone-", "max-restarts", "monitor-interval",
	    "start-method", "event-log-handler", "role", "m-", "module-", "no-python-", "run-path-", "log-dir",
	    "log-line-prefix-template", "r", "redirects", "t", "tee", "local-ranks-filter", "node-rank", "master-addr",
	    "master-port", "local-addr", "logs-specs", "numa-binding", "signals-to-handle", "virtual-local-rank-",
	    "use-env-", NULL } },
	{ (const char *const[]){ "deepspeed", "deepspeed.launcher.runner", NULL },
	  (const char *const[]){ "H", "hostfile", "i", "include", "e", "exclude", "num-nodes", "min-elastic-nodes",
	    "max-elastic-nodes", "num-gpus", "num-accelerators", "master-port", "master-addr", "node-rank", "launcher",
	    "launcher-args", "module-", "no-python-", "no-local-rank-", "no-ssh-", "no-ssh-check-", "force-multi-",
	    "save-pid-", "enable-each-rank-log", "autotuning", "elastic-training-", "bind-cores-to-rank-",
	    "bind-core-list", "ssh-port", "venv-script", NULL } },
	{ (const char *const[]){ "python", NULL },
	  (const char *const[]){ "u-", "O-", "OO-", "B-", "b-", "bb-", "d-", "E-", "I-", "i-", "P-", "q-", "s-", "S-",
	    "v-", "x-", "W", "X", NULL } },
};

static bool
starts_option(const char *word)
{
	return word[0] == '-' && (isalpha((unsigned char)word[1]) || word[1] == '-');
}

/* Return 1 if a value follows an option, 0 if none does, and -1 if the launcher does not have the option. */
static int
option_takes(const struct launcher *l, const char *word)
{
	char *name = xstrndup(word + strspn(word, "-"), strcspn(word + strspn(word, "-"), "="));
	bool with = strchr(word, '=') != NULL;
	int takes = -1;

	for (int i = 0; l->options[i] != NULL && takes < 0; i++) {
		const char *o = l->options[i], *c = name;

		for (; *c != '\0' && (*c == *o || (*c == '_' && *o == '-')); c++)
			o++;
		if (*o == '*' || (*c == '\0' && *o == '\0'))
			takes = !with;
		else if (*c == '\0' && strcmp(o, "-") == 0)
			takes = 0;
	}
	free(name);
	return takes;
}

/*
 * Follow the options of the launcher at W[at] to the program. *OTHER: index of the first option that the launcher does
 * not have. Return -1 if this option comes before the program, and the number of words if no program exists.
 */
static int
after_options(const struct launcher *l, const struct texts *w, int at, int *other)
{
	for (int i = at + 1; i < w->n; i++) {
		int takes;

		/* A number is a further word of an option's value. */
		if (!starts_option(w->at[i])) {
			if (w->at[i][strspn(w->at[i], "0123456789")] == '\0')
				continue;
			return i;
		}
		takes = option_takes(l, w->at[i]);
		if (takes < 0) {
			*other = i;
			return -1;
		}
		/* An unset variable leaves an option without its value. */
		i += takes && i + 1 < w->n && !starts_option(w->at[i + 1]) && !ends_with(w->at[i + 1], ".py");
	}
	return w->n;
}

/* Return the launcher of this name, or NULL. */
static const struct launcher *
launcher_of(const char *word)
{
	const char *base = base_of(word);
	char *name = strncmp(base, "python", 6) == 0 ? xstrndup(base, 6) : xstrdup(base);
	const struct launcher *of = NULL;

	for (size_t i = 0; i < sizeof launchers / sizeof launchers[0] && of == NULL; i++)
		if (among(name, launchers[i].names))
			of = &launchers[i];
	free(name);
	return of;
}

/*
 * Return the index of the word that names the program, or the number of words if none does. *OTHER: index at which its
 * arguments begin if a launcher has no program before them; otherwise unchanged.
 */
static int
program_at(const struct texts *w, int first, int *other)
{
	bool direct = first < w->n && ends_with(w->at[first], ".py");
	int without = -1;

	if (direct)
		return first;
	for (int i = first; i < w->n; i++) {
		const struct launcher *l = launcher_of(w->at[i]);

		if (commands(w->at[i]) && i + 1 < w->n && *w->at[i + 1] != '-')
			return i + 1;
		if ((strcmp(w->at[i], "-m") == 0 || strcmp(w->at[i], "--module") == 0) && i + 1 < w->n) {
			i++;
			if (!launches(w->at[i]))
				return i;
			l = launcher_of(w->at[i]);
		} else if (i > first && *w->at[i] != '-' && (ends_with(w->at[i], ".py") ||
		    ends_with(w->at[i], ".pyc"))) {
			return i;
		}
		if (l != NULL) {
			int at = after_options(l, w, i, &without);

			/* The program of one launcher may be another. */
			if (at >= 0 && at < w->n && launcher_of(w->at[at]) == NULL && !commands(w->at[at]))
				return at;
		}
	}
	if (without >= 0)
		*other = without;
	return w->n;
}

void
program_split(struct program *p, const struct texts *w, int first)
{
	int other = w->n, at = program_at(w, first, &other);
	bool there = at < w->n;

	for (int i = first; i < at && i < other; i++)
		texts_add(&p->launcher, w->at[i]);
	p->program = xstrdup(there ? w->at[at] : "");
	for (int i = there ? at + 1 : other; i < w->n; i++)
		texts_add(&p->arguments, w->at[i]);
}

/* Return the number of arguments that are about model and data. */
static int
training_arguments(const struct program *p)
{
	static const char *const names[] = { "num-layers", "hidden-size", "micro-batch-size", "global-batch-size",
		"seq-length", "tensor-model-parallel-size", "pipeline-model-parallel-size", "train-iters",
		"train-samples", "hybrid-layer-pattern", "pipeline_model_parallel_size", "tensor_model_parallel_size",
		"num_layers", "global_batch_size", "micro_batch_size", NULL };
	int n = 0;

	for (int i = 0; i < p->arguments.n; i++) {
		const char *a = p->arguments.at[i], *key = a + strspn(a, "-+");
		size_t length = strcspn(key, "=");
		char *name = xstrndup(key, length), *dot = strrchr(name, '.');

		n += (a != key || dot != NULL) && among(dot != NULL ? dot + 1 : name, names);
		free(name);
	}
	return n;
}

bool
programs_train(const struct programs *all)
{
	for (int i = 0; i < all->n; i++)
		if (training_arguments(&all->at[i]) > 0)
			return true;
	return false;
}

bool
program_converts(const struct program *p)
{
	static const char *const names[] = { "convert", "preprocess", "export", "checkpoint", "merge", "download",
		"tokeniz", "ckpt", "hf2", "2hf", "auto_config", NULL };
	int i = 0;

	while (names[i] != NULL && strstr(base_of(p->program), names[i]) == NULL)
		i++;
	return names[i] != NULL;
}

/*
 * Return 2 if the name is of a training program. Return 0 if it is of a program that uses the same arguments otherwise.
 * Return 1 for any other name.
 */
static int
trains_by_name(const struct program *p)
{
	static const char *const others[] = { "eval", "generat", "infer", "serv", "test", "check", "decode", "json",
		NULL };
	static const char *const trains[] = { "train", "sft", "finetune", "posttrain", "pt", "rlhf", "grpo", "dpo",
		"run_mindformer", "main_ppo", NULL };
	const char *base = base_of(p->program);

	if (program_converts(p))
		return 0;
	for (int i = 0; others[i] != NULL; i++)
		if (strstr(base, others[i]) != NULL)
			return 0;
	for (int i = 0; trains[i] != NULL; i++)
		if (strstr(base, trains[i]) != NULL)
			return 2;
	return 1;
}

bool
program_named_otherwise(const struct program *p)
{
	return trains_by_name(p) == 0;
}

static _Noreturn void
die_several(const struct programs *all, struct place at, const char *why)
{
	enum { MOST = 12 };
	char *list = xstrdup("");

	for (int i = 0; i < all->n && i < MOST; i++) {
		const struct program *p = &all->at[i];
		char *more = xasprintf("%s%s%d: line %d, %s with %d arguments", list, i > 0 ? "; " : "", i + 1, p->line,
		    *p->program != '\0' ? p->program : "a launcher alone", p->arguments.n);

		free(list);
		list = more;
	}
	place_die(at, "%s (%s%s)", why, list, all->n > MOST ? "; more" : "");
}

const struct program *
programs_training(const struct programs *all, int asked, struct place at)
{
	const struct program *best = NULL;
	int most = 0, alike = 0;

	if (asked > all->n)
		die_several(all, at, "-launch: the script starts no program of this number");
	if (asked > 0)
		return &all->at[asked - 1];
	for (int i = 0; i < all->n; i++) {
		const struct program *p = &all->at[i];
		int name = trains_by_name(p), n = name == 0 ? 1 : training_arguments(p) > 0 ? 2 + name : name;

		if (n > most) {
			best = p;
			most = n;
			alike = 1;
		} else if (n == most) {
			/* A script may start the same program on several nodes. */
			alike += p->arguments.n != best->arguments.n;
			for (int k = 0; p->arguments.n == best->arguments.n && k < p->arguments.n; k++)
				if (strcmp(p->arguments.at[k], best->arguments.at[k]) != 0) {
					alike++;
					break;
				}
		}
	}
	if (alike > 1)
		die_several(all, at, most > 1 ?
		    "the script starts several programs that train: choose one with -launch NUMBER" :
		    "the script starts several programs, none of which clearly trains: choose one with -launch NUMBER");
	return best;
}
