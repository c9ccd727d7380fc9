#include "job.h"

#include <ctype.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/slurp.h"
#include "lib/base/whole.h"

enum { METADATA_MAX = 64 << 20, MAX_RANK = 10000000 };

char *
job_beside(const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');
	char *path = xasprintf("%.*s%s", slash ? (int)(slash + 1 - file) : 0, file, name);

	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

/* Return the integer in an object's member, or -1. */
static int
number(const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);

	if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > MAX_RANK)
		return -1;
	return (int)json_integer_value(v);
}

/* Set the job's stage to the position of its rank in RANKS, a group. Return false if the rank is not in it. */
static bool
place_in(struct trace_job *job, json_t *ranks)
{
	json_t *rank;
	size_t i;

	json_array_foreach(ranks, i, rank)
		if (json_is_integer(rank) && json_integer_value(rank) == job->rank) {
			job->stage = (int)i;
			job->stages = (int)json_array_size(ranks);
			return true;
		}
	return false;
}

static bool
from_groups(struct trace_job *job, json_t *groups)
{
	const char *key;
	json_t *group;

	json_object_foreach(groups, key, group) {
		const char *name = json_string_value(json_object_get(group, "group_name"));

		if (name != NULL && strcmp(name, "pp") == 0 && place_in(job, json_object_get(group, "global_ranks")))
			return true;
	}
	return false;
}

/* Return whether a group is a pipeline: one of Megatron-LM, or the dimension "pp" of a device mesh. */
static bool
is_pipeline(const char *description)
{
	size_t n = description != NULL ? strlen(description) : 0;

	return n > 0 && (strcmp(description, "PIPELINE_MODEL_PARALLEL_GROUP") == 0 || strcmp(description, "pp") == 0 ||
	    (n > 3 && strcmp(description + n - 3, "_pp") == 0));
}

void
job_distributed(struct trace_job *job, const char *text)
{
	json_t *root = json_loads(text, 0, NULL), *group;
	size_t i;

	if (root == NULL)
		return;
	if (number(root, "rank") >= 0)
		job->rank = number(root, "rank");
	json_array_foreach(json_object_get(root, "pg_config"), i, group)
		if (job->stage < 0 && is_pipeline(json_string_value(json_object_get(group, "pg_desc"))))
			place_in(job, json_object_get(group, "ranks"));
	json_decref(root);
}

void
job_parse(struct trace_job *job, const char *text, unsigned long n, struct place at)
{
	json_error_t error;
	json_t *root = json_loadb(text, n, 0, &error);
	json_t *args;
	const struct { const char *name; int *to; } sizes[] = {
		{ "tensor_model_parallel_size", &job->tp }, { "context_parallel_size", &job->cp },
		{ "expert_model_parallel_size", &job->ep }, { "data_parallel_size", &job->dp },
		{ "world_size", &job->world },
	};
	int stages;

	if (root == NULL)
		place_die((struct place){ at.source, error.line }, "%s", error.text);
	args = json_object_get(root, "distributed_args");
	if (number(args, "rank") >= 0)
		job->rank = number(args, "rank");
	stages = number(args, "pipeline_model_parallel_size");
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		if (number(args, sizes[i].name) > 0)
			*sizes[i].to = number(args, sizes[i].name);
	if (job->rank >= 0 && !from_groups(job, json_object_get(root, "parallel_group_info")) && stages > 0) {
		job->stages = stages;
		/* Pipelines are the outermost dimension. */
		if (job->world >= stages && job->world % stages == 0 && job->rank < job->world)
			job->stage = job->rank / (job->world / stages);
	}
	json_decref(root);
}

/* Return the last number after "rank", "rank_" or "rank-" in a path; -1: none. */
static int
rank_of_name(const char *path)
{
	int rank = -1;

	for (const char *p = path; (p = strstr(p, "rank")) != NULL; p += 4) {
		const char *digits = p + 4 + (p[4] == '_' || p[4] == '-');

		if (isdigit((unsigned char)*digits) && whole_of(digits, MAX_RANK + 1) <= MAX_RANK)
			rank = whole_of(digits, MAX_RANK);
	}
	return rank;
}

struct trace_job
job_of(const char *file)
{
	static const char *const places[] = { "profiler_metadata.json", "../profiler_metadata.json" };
	struct trace_job job = { .rank = rank_of_name(file), .stage = -1, .stages = -1 };

	for (int i = 0; i < 2; i++) {
		char *path = job_beside(file, places[i]), *text;
		size_t n;

		if (path == NULL)
			continue;
		text = slurp(path, METADATA_MAX, &n);
		job_parse(&job, text, n, (struct place){ .source = path });
		free(text);
		free(path);
		break;
	}
	return job;
}
