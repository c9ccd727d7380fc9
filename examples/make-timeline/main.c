/*
 * make-timeline: write profiler timelines of a pipeline whose layer times are known.
 * A device runs 1F1B; every forward, backward and recomputation of a layer is a row of kernels that take as
 * long as was asked, and the scope track is derived from the kernels in the way a profiler does it.
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
#include "run.h"

static const char usage[] =
    "usage: make-timeline [-P STAGES] [-L LAYERS] [-mb N] [-steps N] [-stages LIST]\n"
    "                     [-head MS] [-body MS] [-tail MS] [-ratio R] [-recompute KIND,...]\n"
    "                     [-spread SHARE] [-idle MS] [-format NAME] [-gz] [-overhang] [-nosteps] [-short]\n"
    "                     [-size MB] [-o DIR]\n"
"example: make-timeline -P 4 -L 16 -mb 8 -o timeline\n";

static const char *const format_names[] = { "trace_view", "msprof", "display", "older", "kineto", NULL };
static void
make(const struct asked *a, int stage)
{
	static const char *const stem[] = { [TRACE_VIEW] = "trace_view", [MSPROF] = "msprof",
	    [DISPLAY] = "timeline_display", [OLDER] = "trace_view", [KINETO] = "trace_view" };
	struct writer w = { .asked = a, .stage = stage, .now = INT64_C(1736408883688177930), .slow = 1 };
	char *path = xasprintf("%s/%s_%d.json%s", a->dir, stem[a->format], stage * RANKS_PER_STAGE, a->gz
	    ? ".gz" : "");

	w.begin = w.now;
	w.path = path;
	w.file = gzopen(path, a->gz ? "wb1" : "wbT");
	if (w.file == NULL)
		place_die((struct place){ .source = path }, "cannot be written: %s", strerror(errno));
	gzbuffer(w.file, 1 << 18);
	if (a->format == KINETO)
		writer_put(&w, "{\"schemaVersion\": 1, \"baseTimeNanoseconds\": 1724000000000000000, "
		    "\"displayTimeUnit\": \"ns\", \"deviceProperties\": [{\"id\": 0, \"name\": \"Ascend\"}], "
		    "\"traceEvents\": ");
	writer_put(&w, "[");
	if (a->format != DISPLAY) {
		writer_process(&w, 3096504, "MindSpore", "CPU", 0);
		writer_process(&w, 3170820320, "CANN", "CPU", 7);
	}
	while (w.step < a->steps || w.bytes < (uint64_t)a->size << 20)
		run_step(&w);
	for (int i = 0; i < DEPTH; i++)
		if (w.open[i].name[0] != '\0')
			writer_scope(&w, i);
	if (a->format != DISPLAY)
		writer_names(&w);
	writer_put(&w, a->format == KINETO ? "], \"traceName\": \"trace.json\"}\n" : "]");
	if (gzclose(w.file) != Z_OK)
		place_die((struct place){ .source = path }, "cannot be written: %s", strerror(errno));
	printf("%s\n", path);
	free(path);
}

static void
read_kinds(struct asked *a, const char *text)
{
	char *copy = xstrdup(text), *save = NULL;

	a->kinds = 0;
	for (char *t = strtok_r(copy, ",", &save); t != NULL && a->kinds < 64; t = strtok_r(NULL, ",", &save))
		a->kind[a->kinds++] = option_choice("-recompute", t, recompute_names);
	if (a->kinds == 0)
		option_usage(usage, "-recompute: no kind '%s'", text);
	free(copy);
}

int
main(int argc, char *argv[])
{
	enum { P, L, MB, STEPS, MAKE, HEAD, BODY, TAIL, RATIO, RECOMPUTE, SPREAD, IDLE, FORMAT, GZ, OVERHANG,
	    NOSTEPS, SHORT, SIZE, OUT };
	static const struct option_row options[] = {
		{ "P", "STAGES", P, "stages of the pipeline (16)" },
		{ "L", "LAYERS", L, "body layers (96)" },
		{ "mb", "N", MB, "micro-batches of a step (16)" },
		{ "steps", "N", STEPS, "steps (5)" },
		{ "stages", "LIST", MAKE, "whose timelines are made (first, middle, last)" },
		{ "head", "MS", HEAD, "forward of the head (30)" },
		{ "body", "MS", BODY, "forward of a body layer (180)" },
		{ "tail", "MS", TAIL, "forward of the tail (90)" },
		{ "ratio", "R", RATIO, "backward over forward (2)" },
		{ "recompute", "KIND[,...]", RECOMPUTE, "recomputation of layers, in turn" },
		{ "spread", "SHARE", SPREAD, "how much times differ" },
		{ "idle", "MS", IDLE, "waiting between kernels" },
		{ "format", "NAME", FORMAT, "trace_view, msprof, display, older or kineto" },
		{ "gz", NULL, GZ, "compressed" },
		{ "overhang", NULL, OVERHANG, "kernels that end after their scope" },
		{ "nosteps", NULL, NOSTEPS, "without the steps' track" },
		{ "short", NULL, SHORT, "names cut short" },
		{ "size", "MB", SIZE, "as many steps as make so large a file" },
		{ "o", "DIR", OUT, "where to" },
		OPTION_COMMON,
		{ 0 },
	};
	struct asked a = { .stages = 16, .layers = 96, .micro = 16, .steps = 5, .head = 30, .body = 180,
	    .tail = 90, .ratio = 2, .kind = { RECOMPUTE_NONE }, .kinds = 1, .idle = 20, .dir = "." };
	int ch;

	while ((ch = option_next(argc, argv, usage, options)) != -1)
		switch (ch) {
		case P:
			a.stages = option_int("-P", optarg, 2, 1000);
			break;
		case L:
			a.layers = option_int("-L", optarg, 2, 10000);
			break;
		case MB:
			a.micro = option_int("-mb", optarg, 1, 10000);
			break;
		case STEPS:
			a.steps = option_int("-steps", optarg, 1, 100000);
			break;
		case MAKE:
			free(a.make.at);
			a.make = option_ranges("-stages", optarg, 0, 999);
			break;
		case HEAD:
			a.head = option_real("-head", optarg, 0.01, 1e5);
			break;
		case BODY:
			a.body = option_real("-body", optarg, 0.01, 1e5);
			break;
		case TAIL:
			a.tail = option_real("-tail", optarg, 0.01, 1e5);
			break;
		case RATIO:
			a.ratio = option_real("-ratio", optarg, 0.1, 10);
			break;
		case RECOMPUTE:
			read_kinds(&a, optarg);
			break;
		case SPREAD:
			a.spread = option_real("-spread", optarg, 0, 0.5);
			break;
		case IDLE:
			a.idle = option_real("-idle", optarg, 0, 1e5);
			break;
		case FORMAT:
			a.format = (enum format)option_choice("-format", optarg, format_names);
			break;
		case GZ:
			a.gz = true;
			break;
		case OVERHANG:
			a.overhang = true;
			break;
		case NOSTEPS:
			a.nosteps = true;
			break;
		case SHORT:
			a.plain = true;
			break;
		case SIZE:
			a.size = option_int("-size", optarg, 1, 100000);
			break;
		case OUT:
			a.dir = optarg;
			break;
		}
	if (argc > optind)
		option_usage(usage, "no operand expected '%s'", argv[optind]);
	if (a.layers < a.stages)
		option_usage(usage, "fewer layers than stages");
	if (a.make.stages == 0) {
		a.make = grid_new(1, 3);
		a.make.at[1] = a.stages / 2;
		a.make.at[2] = a.stages - 1;
	}
	for (int i = 0; i < a.make.stages; i++)
		if (a.make.at[i] >= a.stages)
			option_usage(usage, "-stages: there are only %d", a.stages);
	if (mkdir(a.dir, 0777) != 0 && errno != EEXIST)
		place_die((struct place){ .source = a.dir }, "cannot be made: %s", strerror(errno));
	for (int i = 0; i < a.make.stages; i++)
		if (a.stages > 2 || i == 0 || a.make.at[i] != a.make.at[i - 1])
			make(&a, a.make.at[i]);
	free(a.make.at);
	stdout_close();
	return STATUS_ANSWERED;
}
