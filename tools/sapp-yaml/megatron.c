/* A plan as arguments of Megatron-LM, as near as it can express it. */
#include <stdlib.h>

#include "print.h"

/* One argument a line, ready to be pasted into a shell command. */
static void
argument(void)
{
	static bool more;

	fputs(more ? " \\\n" : "", stdout);
	more = true;
}

/* Pieces in the order in which the data takes them: chunk by chunk, stage by stage. */
static int
piece(const struct question *q, int i)
{
	return q->pieces.at[i];
}

static void
transformer_layers(int n)
{
	if (n == 1)
		putchar('t');
	else if (n > 1)
		printf("t*%d", n);
}

/* E embedding, t layer, L loss; '|' divides pieces, (..)*n repeats. */
static void
layout(const struct question *q)
{
	int n = q->pieces.chunks * q->pieces.stages, run;

	argument();
	fputs("--pipeline-model-parallel-layout \"E", stdout);
	transformer_layers(piece(q, 0));
	for (int i = 1; i < n - 1; i += run) {
		for (run = 1; i + run < n - 1 && piece(q, i + run) == piece(q, i);)
			run++;
		/* The last bar is the one before the next piece. */
		if (run > 2) {
			fputs("|(", stdout);
			transformer_layers(piece(q, i));
			printf("|)*%d,", run - 1);
			transformer_layers(piece(q, i));
			continue;
		}
		for (int k = 0; k < run; k++) {
			putchar('|');
			transformer_layers(piece(q, i));
		}
	}
	if (n > 1) {
		putchar('|');
		transformer_layers(piece(q, n - 1));
	}
	fputs("L\"", stdout);
}

static bool
same_between(const struct question *q, int from, int to)
{
	for (int i = from + 1; i < to; i++)
		if (piece(q, i) != piece(q, from))
			return false;
	return true;
}

static void
placement(const struct question *q)
{
	int n = q->pieces.chunks * q->pieces.stages;

	if (same_between(q, 0, n)) {
		if (q->pieces.chunks == 1)
			return;
		argument();
		printf("--num-layers-per-virtual-pipeline-stage %d", piece(q, 0));
	} else if (q->pieces.chunks == 1 && n > 2 && same_between(q, 1, n - 1)) {
		argument();
		printf("--decoder-first-pipeline-num-layers %d", piece(q, 0));
		argument();
		printf("--decoder-last-pipeline-num-layers %d", piece(q, n - 1));
	} else {
		layout(q);
	}
}

static int
largest(struct grid g)
{
	int most = 0;

	for (int i = 0; i < g.chunks * g.stages; i++)
		if (g.at[i] > most)
			most = g.at[i];
	return most;
}

/* Layers of a piece that are recomputed in some way: the lists overlap, so not their sum */
static struct grid
recomputed(const struct plan *p)
{
	struct grid g = grid_new(p->offset.chunks, p->offset.stages);
	const struct body_counts *body = p->counts.at;

	for (int b = 0; b < p->counts.n; b++)
		for (int k = RECOMPUTE_NONE + 1; k < RECOMPUTE_KINDS; k++)
			for (int i = 0; body[b].kind[k].at != NULL && i < g.chunks * g.stages; i++)
				g.at[i] += body[b].kind[k].at[i];
	return g;
}

/* One number holds for all pieces: the largest, so that no stage needs more memory than planned. */
static void
full(const struct plan *p, const struct question *q)
{
	struct grid any = recomputed(p);
	int n = largest(any), stages = p->offset.stages;

	argument();
	printf("--recompute-granularity full --recompute-method block --recompute-num-layers %d", n);
	for (int i = 0; i < any.chunks * any.stages; i++) {
		int now = n < piece(q, i) ? n : piece(q, i);

		if (now != p->recompute.at[i])
			place_warn(q->place,
			    "Megatron-LM recomputes %d layers fully in chunk %d of stage %d, the plan %d%s",
			    now, i / stages, i % stages, p->recompute.at[i],
			    any.at[i] > p->recompute.at[i] ? " and others in part" : "");
	}
	free(any.at);
}

static void
selective(const struct plan *p, const struct question *q)
{
	int stages = p->offset.stages;

	argument();
	fputs("--recompute-granularity selective", stdout);
	if (largest(p->select_comm_recompute) > 0)
		place_warn(q->place,
		    "Megatron-LM does not recompute communication; select_comm_recompute is left out");
	for (int i = 0; i < p->offset.chunks * stages; i++)
		if (p->select_recompute.at[i] != piece(q, i))
			place_warn(q->place,
			    "Megatron-LM recomputes selectively in all %d layers of chunk %d of stage %d, "
			    "the plan in %d", piece(q, i), i / stages, i % stages, p->select_recompute.at[i]);
}

void
print_megatron(const struct plan *p, const struct question *q)
{
	argument();
	printf("--num-layers %d", q->layers);
	argument();
	printf("--pipeline-model-parallel-size %d", p->offset.stages);
	placement(q);
	if (largest(p->recompute) > 0)
		full(p, q);
	else if (largest(p->select_recompute) > 0)
		selective(p, q);
	else if (largest(p->select_comm_recompute) > 0)
		place_warn(q->place,
		    "Megatron-LM does not recompute communication; select_comm_recompute is left out");
	putchar('\n');
}
