/*
 * make-timeline: write profiler timelines of a pipeline with known layer times. A device runs 1F1B. Every forward,
 * backward and recomputation of a layer is a sequence of kernels with the requested times, and the scope track is
 * derived from the kernels as in a profiler.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/place.h"
#include "lib/record/recompute.h"
#include "lib/base/status.h"
#include "kineto.h"
#include "profile.h"
#include "run.h"

static const char usage[] =
    "usage: make-timeline [-P STAGES] [-L LAYERS] [-mb N] [-steps N] [-stages LIST]\n"
    "                     [-head MS] [-body MS] [-tail MS] [-ratio R] [-recompute KIND,...]\n"
    "                     [-spread SHARE] [-idle MS] [-format NAME] [-gz] [-overhang] [-nosteps] [-sp] [-short]\n"
    "                     [-size MB] [-o DIR]\n"
    "       make-timeline -draw SEED -o DIR\n"
"example: make-timeline -P 4 -L 16 -mb 8 -o timeline\n";

static const char *const format_names[] = { "trace_view", "msprof", "display", "older", "kineto", NULL };
static void
make(const struct asked *a, int stage)
{
	static const char *const stem[] = { [TRACE_VIEW] = "trace_view", [MSPROF] = "msprof",
	    [DISPLAY] = "timeline_display", [OLDER] = "trace_view", [KINETO] = "rank" };
	struct writer w = { .asked = a, .stage = stage, .now = INT64_C(1736408883688177930), .slow = 1 };
	char *path = xasprintf("%s/%s_%d.%sjson%s", a->dir, stem[a->format], stage * RANKS_PER_STAGE,
	    a->format == KINETO ? "pt.trace." : "", a->gz ? ".gz" : "");

	w.begin = w.now;
	w.path = path;
	w.file = gzopen(path, a->gz ? "wb1" : "wbT");
	if (w.file == NULL)
		place_die((struct place){ .source = path }, "cannot be written: %s", strerror(errno));
	gzbuffer(w.file, 1 << 18);
	if (a->format == KINETO)
		kineto_open(&w);
	else
		writer_open(&w);
	while (w.step < a->steps || w.bytes < (uint64_t)a->size << 20)
		run_step(&w);
	if (a->format == KINETO)
		kineto_close(&w);
	else
		writer_close(&w);
	if (gzclose(w.file) != Z_OK)
		place_die((struct place){ .source = path }, "cannot be written: %s", strerror(errno));
	printf("%s\n", path);
	free(path);
}

static void
take_kinds(void *asked, const char *option, char *text)
{
	struct asked *a = asked;
	char *word;

	a->kinds = 0;
	while ((word = strsep(&text, ",")) != NULL && a->kinds < 64)
		a->kind[a->kinds++] = option_choice(option, word, recompute_names);
}

int
main(int argc, char *argv[])
{
	struct asked a = { .stages = 16, .layers = 96, .micro = 16, .steps = 5, .head = 30, .body = 180,
	    .tail = 90, .ratio = 2, .kind = { RECOMPUTE_NONE }, .kinds = 1, .idle = 20, .dir = "." };
	int draw = 0;
	const struct option_row options[] = {
		{ "P", "STAGES", "stages of the pipeline (16)", .whole = &a.stages, .min = 2, .max = 1000 },
		{ "L", "LAYERS", "body layers (96)", .whole = &a.layers, .min = 2, .max = 10000 },
		{ "mb", "N", "micro-batches of a step (16)", .whole = &a.micro, .min = 1, .max = 10000 },
		{ "steps", "N", "steps (5)", .whole = &a.steps, .min = 1, .max = 100000 },
		{ "stages", "LIST", "whose timelines are made (first, middle, last)", .ranges = &a.make, .max = 999 },
		{ "head", "MS", "forward of the head (30)", .real = &a.head, .min = 0.01, .max = 1e5 },
		{ "body", "MS", "forward of a body layer (180)", .real = &a.body, .min = 0.01, .max = 1e5 },
		{ "tail", "MS", "forward of the tail (90)", .real = &a.tail, .min = 0.01, .max = 1e5 },
		{ "ratio", "R", "backward over forward (2)", .real = &a.ratio, .min = 0.1, .max = 10 },
		{ "recompute", "KIND[,...]", "recomputation of layers, in turn", .take = take_kinds, .into = &a },
		{ "spread", "SHARE", "how much times differ (0)", .real = &a.spread, .max = 0.5 },
		{ "idle", "MS", "waiting between kernels (20)", .real = &a.idle, .max = 1e5 },
		{ "format", "NAME", "trace_view, msprof, display, older or kineto", .choice = &a.format,
			.names = format_names },
		{ "gz", NULL, "compressed", .flag = &a.gz },
		{ "overhang", NULL, "kernels that end after their scope", .flag = &a.overhang },
		{ "nosteps", NULL, "without the steps' track", .flag = &a.nosteps },
		{ "sp", NULL, "with -format kineto: sequence parallel", .flag = &a.sequence_parallel },
		{ "short", NULL, "names cut short", .flag = &a.plain },
		{ "size", "MB", "as many steps as make so large a file", .whole = &a.size, .min = 1, .max = 100000 },
		{ "o", "DIR", "where to", .text = &a.dir },
		{ "draw", "SEED", "profiles without names of layers, of a model drawn by chance", .whole = &draw,
			.min = 1, .max = 1000000000 },
		{ 0 },
	};
	char **operands = options_take(argc, argv, usage, options);

	if (*operands != NULL)
		option_usage("no operand expected '%s'", *operands);
	/* The time of the loss is part of it. */
	if (a.format == KINETO && a.tail < 1)
		option_usage("-format kineto: the tail takes 1 ms at least, not '%g'", a.tail);
	if (a.layers < a.stages)
		option_usage("fewer layers than stages");
	if (a.make.stages == 0) {
		a.make = grid_new(1, 3);
		a.make.at[1] = a.stages / 2;
		a.make.at[2] = a.stages - 1;
	}
	for (int i = 0; i < a.make.stages; i++)
		if (a.make.at[i] >= a.stages)
			option_usage("-stages: there are only %d", a.stages);
	if (mkdir(a.dir, 0777) != 0 && errno != EEXIST)
		place_die((struct place){ .source = a.dir }, "cannot be made: %s", strerror(errno));
	if (draw > 0) {
		profile_draw(a.dir, (uint64_t)draw);
		free(a.make.at);
		stdout_close();
		return STATUS_ANSWERED;
	}
	for (int i = 0; i < a.make.stages; i++)
		if (a.stages > 2 || i == 0 || a.make.at[i] != a.make.at[i - 1])
			make(&a, a.make.at[i]);
	free(a.make.at);
	stdout_close();
	return STATUS_ANSWERED;
}
