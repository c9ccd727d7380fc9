/* sapp-model: read the shape of a network from the files of its training. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/place.h"
#include "lib/base/slurp.h"
#include "lib/base/status.h"
#include "lib/draft/draft.h"
#include "lib/draft/formulas.h"
#include "lib/draft/peft.h"
#include "lib/script/meaning.h"
#include "lib/script/started.h"
#include "lib/setup/followed.h"
#include "lib/setup/foreign.h"
#include "lib/setup/launch_yaml.h"
#include "job.h"

static const char usage[] =
"usage: sapp-model [-hVv] [-name name] [-seq tokens] [-vocab words] [-patches number]\n"
"                  [-classes file] [-freeze names] [-lora rank|adapter_config.json]\n"
"                  [-modules names] [-n devices] [-gb sequences] [-lenient] file ...\n"
"       sapp-model -job job.yaml\n"
"example: sapp-model config.json\n";

enum { FILE_MOST = 256 << 20 };

/* Take the argument of -lora RANK|FILE. */
static void
take_adapters(void *into, const char *option, char *argument)
{
	struct adapted *a = into;

	if (argument[strspn(argument, "0123456789")] == '\0')
		*a = (struct adapted){ .rank = option_int(option, argument, 1, ADAPTER_RANK_MOST) };
	else
		*a = peft_read(argument);
}

/* A file that was read, with the data that its draft refers to. */
struct draft_source {
	struct draft draft;
	struct place at;
	struct yaml *root;
	char *text;
};

/* Write the draft, and free it. */
static void
write_source(struct draft_source *s, const struct additions *more, bool network)
{
	draft_write(stdout, &s->draft, more, s->at, network);
	draft_free(&s->draft);
	if (s->root != NULL)
		yaml_release(s->root);
	free(s->text);
}

static void
read_started(struct draft *d, struct started *started, const struct formulas *formulas, const struct additions *more)
{
	meaning_check(started);
	megatron_read(d, started, formulas, more);
	started_free(started);
}

static struct draft_source
read_source(const char *path, const struct formulas *formulas, const struct additions *more)
{
	struct draft_source s = { .at = { .source = slurp_name(path) } };
	size_t length;
	struct started started;

	s.text = slurp(path, FILE_MOST, &length);
	if (length == 0 || s.text[strspn(s.text, " \t\r\n")] == '\0')
		place_die(s.at, "the file is empty");
	if (started_read(&started, path, s.text, length, s.at.source)) {
		started_follow(&started, NULL);
		read_started(&s.draft, &started, formulas, more);
		return s;
	}
	if (strlen(s.text) != length)
		place_die(s.at, "not a text file");
	foreign_refuse(s.at, path, s.text);
	s.root = yaml_parse_loaded(s.text, length, s.at.source, true);
	if (s.root == NULL || s.root->type != YAML_MAP)
		place_die(s.at, "not a config.json, a training YAML or arguments of Megatron-LM");
	if (yaml_started(&started, s.root, path)) {
		read_started(&s.draft, &started, formulas, more);
		return s;
	}
	if (yaml_get(s.root, "peft_type") != NULL)
		place_die(s.at, "adapters of PEFT: give this file with -lora, in addition to the file of the network");
	if (s.text[strspn(s.text, " \t\r\n")] == '{')
		huggingface_read(&s.draft, s.root, formulas, more);
	else
		mindformers_read(&s.draft, s.root, formulas);
	return s;
}

/*
 * Write the networks and candidates of the files. A file with degrees only belongs to the network of the file before
 * it.
 */
static void
write_files(char **paths, const struct formulas *formulas, const struct additions *more)
{
	struct draft_source held, s;
	bool holds = false, have_network = false;
	int layers = 0;

	for (; *paths != NULL; paths++) {
		s = read_source(*paths, formulas, more);
		if (s.draft.elsewhere != NULL && !have_network)
			place_die(s.draft.elsewhere_place, "%s", s.draft.elsewhere);
		if (s.draft.elsewhere != NULL && s.draft.net.layers != layers)
			place_die(s.at, "%d layers, but the network before it has '%d'", s.draft.net.layers, layers);
		if ((GIVEN(architecture, &s.draft.net, layers) && s.draft.elsewhere == NULL) || !have_network) {
			if (holds)
				write_source(&held, more, true);
			held = s;
			layers = s.draft.net.layers;
			holds = have_network = true;
			continue;
		}
		if (holds) {
			draft_take(&held.draft, &s.draft);
			write_source(&held, more, true);
			holds = false;
		}
		write_source(&s, more, false);
	}
	if (holds)
		write_source(&held, more, true);
}

int
main(int argc, char *argv[])
{
	struct additions more = { 0 };
	const char *job = NULL, *classes = NULL;
	struct formulas formulas;
	const struct option_row options[] = {
		{ "name", "NAME", "name of the model", .text = &more.name },
		{ "seq", "TOKENS", "tokens of a sequence", .whole = &more.seq_length, .min = 1, .max = 1 << 30 },
		{ "vocab", "WORDS", "size of the vocabulary", .whole = &more.vocab_size, .min = 1, .max = 1 << 28 },
		{ "patches", "NUMBER", "image patches per sequence, before they are merged",
			.whole = &more.patches, .min = 1, .max = 1 << 28 },
		{ "classes", "FILE", "formulas of families and layers, which override the installed formulas",
			.text = &classes },
		{ "freeze", "NAMES", "parts that are not trained: tower, language or classes of layers",
			.text = &more.freeze },
		{ "lora", "RANK|FILE", "train only adapters, of this rank or of PEFT's adapter_config.json",
			.take = take_adapters, .into = &more.adapters },
		{ "modules", "NAMES", "with -lora: adapters only of these: attention, mlp, q_proj, linear_fc1, ...",
			.text = &more.modules },
		{ "n", "DEVICES", "devices of the job", .whole = &more.devices, .min = 1, .max = 1 << 24 },
		{ "lenient", NULL, "warn about unknown arguments instead of ending", .flag = &meaning_lenient },
		{ "gb", "SEQUENCES", "sequences of a step", .whole = &more.batch, .min = 1, .max = 1 << 26 },
		{ "job", "JOB.yaml", "print only a job of sapp-search, as one JSON object",
			.text = &job },
		{ 0 }
	};
	char **operands = options_take(argc, argv, usage, options);

	if (job != NULL && *operands == NULL) {
		job_print(job, stdout);
		stdout_close();
		return STATUS_ANSWERED;
	}
	if (job != NULL || *operands == NULL)
		option_usage(job != NULL ? "-job: not with other files" : "missing operand: a file");
	formulas = formulas_read(classes);
	write_files(operands, &formulas, &more);
	formulas_free(&formulas);
	free(more.adapters.modules);
	stdout_close();
	return STATUS_ANSWERED;
}
