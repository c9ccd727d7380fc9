/* sapp-ir: check the effect of recomputation in graphs that MindSpore dumped. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clipped.h"
#include "lib/base/cost.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/status.h"
#include "lib/yaml/yaml.h"
#include "kinds.h"
#include "report.h"

static const char usage[] =
    "usage: sapp-ir [-hVv] [-p PATTERN]... [-c TRAIN.yaml] [FILE.ir...]\n"
    "       sapp-ir -kinds N [-p PATTERN]... [-c TRAIN.yaml] FILE.ir...\n"
"example: sapp-ir -c train.yaml graph.ir\n";

struct ir_patterns {
	int n;
	struct ir_pattern *at;
};

static void
add(struct ir_patterns *all, const char *text, struct place at)
{
	char message[200];
	struct clipped why = CLIPPED(message);

	all->at = xreallocarray(all->at, (size_t)all->n + 1, sizeof *all->at);
	if (!pattern_read(&all->at[all->n], text, &why))
		place_die(at, "not a pattern of names divided by '\\.': %s '%s'", message, text);
	all->n++;
}

/* Add the patterns of select_recompute in recompute_config. Exits if the file has none. */
static void
add_configured(struct ir_patterns *all, const char *path)
{
	size_t length;
	char *text = yaml_slurp(path, &length);
	struct yaml *file = yaml_parse_loaded(text, length, path, true);
	const struct yaml *config = yaml_get(file, "recompute_config");
	const struct yaml *list = config != NULL &&
	    config->type == YAML_MAP ? yaml_get(config, "select_recompute") : NULL;
	int before = all->n;

	for (int i = 0; list != NULL && i < list->n; i++)
		if (list->type == YAML_MAP)
			add(all, list->key[i], list->key_place[i]);
		else if (list->item[i]->type == YAML_SCALAR && strspn(list->item[i]->text, "+-0123456789") == 0)
			add(all, list->item[i]->text, list->item[i]->place);
	if (all->n == before)
		place_die((struct place){ path, 0 }, "recompute_config: select_recompute has no patterns");
	yaml_release(file);
	free(text);
}

/* Add the graphs of PATH to the dump G, or to the tally if G is NULL. */
static void
read_graphs(struct ir_tally *t, struct dump *g, const char *path)
{
	struct node_reader reader;
	struct ir_node node;
	long nodes = 0;

	node_open(&reader, path);
	for (; node_next(&reader, &node); nodes++)
		if (g != NULL)
			dump_add(g, &node);
		else
			ir_tally_add(t, &node);
	if (nodes == 0)
		place_die((struct place){ path, 0 },
		    "not a dumped graph: no line like '%%1(name) = PrimFunc_Cast(%%0)'");
	node_close(&reader);
}

int
main(int argc, char *argv[])
{
	struct ir_patterns patterns = { 0 };
	struct ir_tally tally = { 0 };
	struct dump graph = { 0 };
	bool all = true;
	int kinds = 0;
	struct texts given = { 0 };
	const char *config = NULL;
	const struct option_row options[] = {
		{ "p", "PATTERN", "pattern of names of layers, divided by \\\\.; may be repeated", .texts = &given },
		{ "c", "TRAIN.yaml", "read the patterns of recompute_config in this YAML", .text = &config },
		{ "kinds", "N", "add up to N kinds of recomputation to the layers on standard input",
			.whole = &kinds, .min = 1, .max = CHAIN_MOST },
		{ 0 }
	};
	char **operands = options_take(argc, argv, usage, options);

	for (int i = 0; i < given.n; i++)
		add(&patterns, given.at[i], (struct place){ "-p", 0 });
	if (config != NULL)
		add_configured(&patterns, config);
	if (*operands == NULL && kinds > 0)
		option_usage("-kinds: missing operand: a graph; layers are on standard input");
	if (*operands == NULL)
		read_graphs(&tally, NULL, "-");
	for (; *operands != NULL; operands++)
		read_graphs(&tally, kinds > 0 ? &graph : NULL, *operands);
	if (kinds > 0)
		kinds_write(&graph, patterns.at, patterns.n, kinds);
	else
		all = report_effect(&tally, patterns.at, patterns.n);
	for (int i = 0; i < patterns.n; i++)
		ir_pattern_free(&patterns.at[i]);
	free(patterns.at);
	texts_free(&given);
	ir_tally_free(&tally);
	dump_free(&graph);
	stdout_close();
	if (option_verbose)
		cost_say();
	return all ? STATUS_ANSWERED : STATUS_NO_ANSWER;
}
