/* sapp-trace: layer times out of profiler timelines. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sapp-trace/read/files.h"
#include "lib/base/alloc.h"
#include "lib/base/cost.h"
#include "lib/yaml/initfile.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/slurp.h"
#include "lib/base/status.h"
#include "timeline.h"

static const char usage[] =
    "usage: sapp-trace [-v] [-c INIT.yaml] [-mb N] [-head NAME]... [-body NAME]... [-tail NAME]...\n"
    "                  [-steps A-B|all] [DIR|FILE...]\n";

static const char *const defaults[][3] = {
	[LAYER_HEAD] = { "LlamaEmbedding" },
	[LAYER_BODY] = { "LLamaDecodeLayer" },
	[LAYER_TAIL] = { "lm_head-Linear", "LlamaRMSNorm" },
};

static struct step_range
option_steps(const char *text)
{
	struct step_range r = { .given = true, .all = strcmp(text, "all") == 0 };
	struct grid g;

	if (r.all)
		return r;
	g = option_ranges("-steps", text, 0, MAX_STEPS);
	if (strchr(text, ',') != NULL)
		option_usage(usage, "-steps: not a range '%s'", text);
	r.from = g.at[0];
	r.to = g.at[g.stages - 1];
	free(g.at);
	return r;
}

/* Names of each type: from the command line, else the init file, else the defaults. */
static void
fill_classes(struct classes *classes, const struct initfile *init)
{
	bool given[LAYER_TAIL + 1] = { false };

	for (int i = 0; i < classes->n; i++)
		given[classes->at[i].type] = true;
	for (int type = LAYER_HEAD; type <= LAYER_TAIL; type++) {
		if (given[type])
			continue;
		for (int i = 0; i < init->names[type].n; i++)
			class_add(classes, init->names[type].at[i], (enum layer_type)type, init->place);
		for (int i = 0; i < 3 && init->names[type].n == 0 && defaults[type][i] != NULL; i++)
			class_add(classes, defaults[type][i], (enum layer_type)type, (struct place){ 0 });
	}
}

/* folder_path is meant from where one stands, or from where the init file stands. */
static char *
init_folder(const char *init, const char *folder)
{
	const char *slash = strrchr(init, '/');

	if (folder[0] == '/' || access(folder, F_OK) == 0 || slash == NULL)
		return xstrdup(folder);
	return xasprintf("%.*s/%s", (int)(slash - init), init, folder);
}

static void
list_files(struct files *files, char *operands[], const char *init_path, const struct initfile *init)
{
	if (*operands == NULL && init->folder != NULL) {
		char *folder = init_folder(init_path, init->folder);

		files_add(files, folder);
		free(folder);
	} else if (*operands == NULL)
		files_add(files, "-");
	for (; *operands != NULL; operands++)
		files_add(files, *operands);
}

/* One timeline without layers among others is worth a warning; when none has any, that is the end. */
static void
read_all(const struct files *files, const struct classes *classes, struct step_range steps,
    struct timings *timings)
{
	struct place at = { 0 };
	char *why = NULL, *first = NULL;
	int good = 0;

	for (int i = 0; i < files->n; i++) {
		struct timeline t = { .classes = classes };
		bool any;

		scan_open(&t.scan, files->at[i]);
		any = timeline_read(&t, steps, timings, &why);
		timeline_free(&t);
		good += any;
		if (any)
			continue;
		at.source = slurp_name(files->at[i]);
		if (files->n > 1)
			place_warn(at, "%s", why);
		free(first);
		first = why;
	}
	if (good == 0 && files->n == 1)
		place_die(at, "%s", first);
	if (good == 0)
		place_die((struct place){ 0 }, "no layer in any of %d timelines", files->n);
	free(first);
}

int
main(int argc, char *argv[])
{
	static const struct option options[] = {
		{ "c", required_argument, NULL, 'c' },
		{ "mb", required_argument, NULL, 'm' },
		{ "head", required_argument, NULL, 'h' },
		{ "body", required_argument, NULL, 'b' },
		{ "tail", required_argument, NULL, 't' },
		{ "steps", required_argument, NULL, 's' },
		OPTION_COMMON,
		{ 0 },
	};
	struct initfile init = { 0 };
	struct classes classes = { 0 };
	struct step_range steps = { 0 };
	struct files files = { 0 };
	struct timings timings;
	const char *init_path = NULL;
	int ch, micro = 0;

	while ((ch = option_next(argc, argv, usage, options)) != -1)
		switch (ch) {
		case 'c':
			init_path = optarg;
			break;
		case 'm':
			micro = option_int("-mb", optarg, 1, 1000000);
			break;
		case 'h':
			class_add(&classes, optarg, LAYER_HEAD, (struct place){ .source = "-head" });
			break;
		case 'b':
			class_add(&classes, optarg, LAYER_BODY, (struct place){ .source = "-body" });
			break;
		case 't':
			class_add(&classes, optarg, LAYER_TAIL, (struct place){ .source = "-tail" });
			break;
		case 's':
			steps = option_steps(optarg);
			break;
		}
	if (init_path != NULL) {
		initfile_read(&init, init_path);
		if (!init.has_profiling)
			place_die((struct place){ .source = init_path }, "no profiling_config, which says "
			    "what to look for");
	}
	if (micro == 0)
		micro = init.micro_batches;
	fill_classes(&classes, &init);
	list_files(&files, argv + optind, init_path, &init);
	timings_init(&timings, &classes);
	read_all(&files, &classes, steps, &timings);
	timings_check(&timings);
	timings_write(stdout, &timings);
	if (micro > 0)
		timings_write_layers(stdout, &timings, micro, init.bodies, init.body_layers);
	if (option_verbose)
		cost_say();
	timings_free(&timings);
	files_free(&files);
	classes_free(&classes);
	initfile_free(&init);
	stdout_close();
	return STATUS_ANSWERED;
}
