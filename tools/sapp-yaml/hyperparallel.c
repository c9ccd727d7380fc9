/* A plan as settings of HyperParallel, and as lists of its planner. */
#include "lib/setup/hyperparallel.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memstream.h"
#include "lib/yaml/yaml.h"
#include "print.h"

/* Exits unless TEXT says what the plan does. */
static void
verify(const char *text, size_t length, const struct plan *p, const struct question *q)
{
	struct yaml *root = yaml_parse(text, length, "the settings");
	struct launched x;

	hyperparallel_read(&x, root, q->layers);
	if (x.shape.kind != q->shape.kind || x.shape.chunks != q->shape.chunks || x.shape.stages != q->shape.stages)
		place_die(q->place, "'%s': not printed: the settings would not say its schedule", p->name);
	question_verify(q, p, x.kind, "the settings");
	launched_free(&x);
	yaml_release(root);
}

void
print_hyperparallel(const struct plan *p, const struct question *q)
{
	struct grid kind[RECOMPUTE_KINDS], recomputed;
	bool part = q->uniform.kind != RECOMPUTE_NONE && q->uniform.kind != RECOMPUTE_FULL;
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	plan_kinds(p, q->pieces.chunks, q->pieces.stages, kind);
	recomputed = kind[RECOMPUTE_FULL];
	hyperparallel_print(f, &q->shape, q->pieces, recomputed, part);
	memstream_close(f);
	verify(text, size, p, q);
	fputs(text, stdout);
	free(text);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(kind[k].at);
}

/* A list of lists, one a chunk, also of one chunk. */
static void
put_list(const char *key, struct grid g)
{
	char *text = settings_text(g);

	printf(g.chunks == 1 ? "  %s: [%s]\n" : "  %s: %s\n", key, text);
	free(text);
}

void
print_ppb(const struct plan *p, const struct question *q)
{
	(void)q;
	printf("%s:\n", p->name);
	put_list("offset", p->offset);
	put_list("recompute", p->recompute);
	put_list("select_recompute", p->select_recompute);
	put_list("select_comm_recompute", p->select_comm_recompute);
	printf("  interleave_num: %d\n", p->interleave);
}
