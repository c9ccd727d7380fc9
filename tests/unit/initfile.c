/* The init YAML: one round and several, and refused files. */
#include <stdlib.h>

#include "lib/yaml/initfile.h"
#include "tap.h"

static char path[] = "/tmp/initfile.XXXXXX";

static void
save(const char *text)
{
	FILE *f = fopen(path, "w");

	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
		exit(1);
}

static void
load(const char *text)
{
	struct initfile f;

	save(text);
	initfile_read(&f, path);
	initfile_free(&f);
}

static void
accepted(void)
{
	struct initfile f;

	save("pipeline_config: {pipeline_num: 4, num_layer: 80, offset: [0, 1, -1, 0]}\n"
	    "recompute_config:\n  recompute: [1, 2, 1, 1]\n  select_recompute: false\n"
	    "time_config: {head: 30, body: 180, tail: 90.5}\n"
	    "memory_usage:\n  head_memory: 66502\n  tail_memory: 25599.5\n"
	    "  body_memories: {stage_id: [2, 1], memories: [35595, 52536]}\n");
	initfile_read(&f, path);
	same(4, f.stages, "stages");
	same(80, f.layers, "layers");
	same(1, f.rounds, "one round");
	same(21, f.round[0].layers.at[1], "layers of a stage");
	same(19, f.round[0].kind[RECOMPUTE_NONE].at[1], "layers kept");
	same(2, f.round[0].kind[RECOMPUTE_FULL].at[1], "layers recomputed");
	near(90.5, f.time[LAYER_TAIL], 0, "time of the tail");
	same(4, f.memories, "memories");
	same(1, f.memory[1].stage, "in the order of stages");
	near(52536, f.memory[1].memory, 0, "with their figures");
	same(9, f.memory[1].place.line, "and lines");
	initfile_free(&f);

	save("pipeline_config: {pipeline_num: 4, num_layer: 80, offset: [[0, 1, -1, 0], 0]}\n"
	    "recompute_config: {recompute: [true, [1, 3, 4, 1]], select_recompute: [false, false]}\n"
	    "memory_usage: {head_memory: [66502, 60000], tail_memory: 25599, body_memories: "
	    "{stage_id: [[1, 2], [2]], memories: [[52536, 35595], [35700]]}}\n");
	initfile_read(&f, path);
	same(2, f.rounds, "two rounds");
	same(21, f.round[0].kind[RECOMPUTE_FULL].at[1], "true is every layer of a stage, offset included");
	same(3, f.round[1].kind[RECOMPUTE_FULL].at[1], "the second round's list");
	same(6, f.memories, "memories of both");
	same(0, f.memory[4].stage, "the head of the second round");
	initfile_free(&f);

	save("profiling_config: {micro_batch_num: 16, folder_path: timeline, head_layers: LlamaEmbedding,\n"
	    "  body_layers: [LLamaDecodeLayer], tail_layers: [lm_head-Linear, LlamaRMSNorm]}\n");
	initfile_read(&f, path);
	ok(f.has_profiling && f.stages == 0, "a profile alone");
	same(16, f.micro_batches, "micro-batches");
	same(2, f.names[LAYER_TAIL].n, "names of layers");
	ok(strcmp(f.names[LAYER_HEAD].at[0], "LlamaEmbedding") == 0, "one name without a list");
	initfile_free(&f);
}

#define PIPE "pipeline_config: {pipeline_num: 4, num_layer: 80, offset: 0}\n"

static void
refused(void)
{
	static const struct { const char *text, *message, *name; } bad[] = {
		{ "pipeline_config: {pipeline_num: 4, num_layers: 80}\n", ":1: unknown key 'num_layers'",
		    "an unknown key" },
		{ "pipline_config: 1\n", ":1: unknown key 'pipline_config'; known: pipeline_config", "at the top" },
		{ "pipeline_config: {pipeline_num: 4}\n", ":1: missing key 'num_layer'", "a missing key" },
		{ "recompute_config: {recompute: 0}\n", "missing key 'pipeline_config'", "no pipeline" },
		{ "pipeline_config: {pipeline_num: 1, num_layer: 80}\n", "pipeline_num: not between 2", "one stage" },
		{ "pipeline_config: {pipeline_num: 8, num_layer: 80}\nrecompute_config:\n"
		  "  recompute: [1,1,1,1,1,1,1,1,1,1]\n", ":3: recompute: 10 numbers, but the pipeline has 8 stages",
		  "10 for 8 stages" },
		{ "pipeline_config: {pipeline_num: 4, num_layer: 80, offset: [1, 0, 0, 0]}\n",
		  ":1: offsets have the sum 1, not 0", "offsets that do not sum up" },
		{ PIPE "recompute_config:\n  recompute: [21, 0, 0, 0]\n",
		  ":3: 21 layers are recomputed on stage 0, which has only 20", "more recomputed than there are" },
		{ PIPE "memory_usage: {body_memories: {stage_id: [1, 2], memories: [5]}}\n",
		  ":2: memories: expected a list of 2 numbers", "fewer memories than stages" },
		{ PIPE "memory_usage: {body_memories: {stage_id: [1, 1], memories: [5, 6]}}\n",
		  "stage 1 of round 0 a second time", "a stage twice" },
		{ PIPE "memory_usage: {body_memories: {stage_id: [4], memories: [5]}}\n",
		  "stage_id: not between 0 and 3 '4'", "a stage that is not there" },
		{ PIPE "memory_usage: {head_memory: -5}\n", "head_memory: not between", "a negative memory" },
		{ PIPE "memory_usage: {head_memory: x}\n", "head_memory: expected a number 'x'", "a word" },
		{ "pipeline_config: {pipeline_num: 4, num_layer: 80, offset: [[0,0,0,0],[0,0,0,0]]}\n"
		  "recompute_config: {recompute: [[0,0,0,0],[0,0,0,0],[1,1,1,1]]}\n",
		  ":2: recompute: 3 entries, but there are 2 rounds", "three rounds and two" },
		{ "time_config: {head: 1, body: 2}\n", "missing key 'tail'", "no time of the tail" },
		{ "time_config: {head: 1, body: 2, tail: 1}\nprofiling_config: {micro_batch_num: 1}\n",
		  ":2: time_config and profiling_config", "two sources of times" },
		{ "profiling_config: {micro_batch_num: 0}\n", "micro_batch_num: not between 1", "no micro-batch" },
		{ "[1, 2]\n", "expected a map with 'pipeline_config'", "a list" },
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		DIES(bad[i].message, load(bad[i].text), bad[i].name);
}

int
main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	accepted();
	refused();
	unlink(path);
	return tap_done();
}
