/* Torchtitan: a plan as lines of a configuration of torchtitan. */
#include <stdlib.h>

#include "lib/schedule/schedule.h"
#include "print.h"

enum placed { ROUND, FOLDED, OTHERWISE };

/* Return the placement of pieces: round the stages repeatedly, or forth and back once. */
static enum placed
placement(const struct yaml_question *q)
{
	int *piece = schedule_pieces(&q->shape), n = q->pieces.chunks * q->pieces.stages, stages = q->pieces.stages;
	bool round = true, folded = q->pieces.chunks == 2;

	for (int i = 0; i < n; i++) {
		int turn = i / stages, s = i % stages;

		round &= piece[i] == i;
		folded &= piece[i] == turn * stages + (turn == 1 ? stages - 1 - s : s);
	}
	free(piece);
	return round ? ROUND : folded ? FOLDED : OTHERWISE;
}

/* Return the schedule of torch.distributed.pipelining that has exactly this order; NULL: none. */
static const char *
known_schedule(const struct yaml_question *q)
{
	const struct shape *s = &q->shape;

	if (s->kind == SCHEDULE_GPIPE && s->chunks == 1)
		return "GPipe";
	if (s->chunks == 1 && (s->kind == SCHEDULE_1F1B || s->kind == SCHEDULE_VPP_LESS))
		return "1F1B";
	if (s->kind == SCHEDULE_VPP && s->chunks > 1 && s->micro > 0 && s->micro % s->stages == 0 && (s->group == 0 ||
	    s->group == s->stages))
		return "Interleaved1F1B";
	return NULL;
}

static void
put_modules(const struct yaml_question *q)
{
	int *piece = schedule_pieces(&q->shape), n = q->pieces.chunks * q->pieces.stages, layer = 0;

	puts("module_fqns_per_model_part = [");
	for (int i = 0; i < n; i++) {
		const char *divider = "";

		fputs("    [", stdout);
		if (i == 0) {
			fputs("\"tok_embeddings\"", stdout);
			divider = ", ";
		}
		for (int k = 0; k < q->pieces.at[piece[i]]; k++, divider = ", ")
			printf("%s\"layers.%d\"", divider, layer++);
		if (i == n - 1)
			printf("%s\"norm\", \"output\"", divider);
		printf("],  # rank %d\n", piece[i] % q->pieces.stages);
	}
	puts("]");
	free(piece);
}

/*
 * Exit if the candidate has settings without a key. FSDP divides states and gradients (zero 2), or weights also (3),
 * over data-parallel and context-parallel devices. A single device divides nothing. Tensor parallelism includes
 * sequence parallelism.
 */
static void
check_degrees(const struct configuration *c, const char *name, struct place at)
{
	const char *what = c->zero == 1 && (c->shard > 1 || c->cp > 1) ? "zero: it also divides gradients" :
	    c->zero == 0 && c->cp > 1 ? "zero: it also divides over cp" :
	    c->zero > 1 && c->shard % c->cp != 0 ? "shard: not a multiple of cp" :
	    c->tp > 1 && !c->sp ? "sp" : c->cp > 1 && c->cp_kind != CONTEXT_RING ? "cp_kind" :
	    c->dispatcher == DISPATCHER_FLEX ? "dispatcher" : c->ep_overlap ? "ep_overlap" :
	    c->graph != GRAPH_NONE ? "graph" : c->fused != 0 ? "fused" :
	    c->store != configuration_plain.store ? "store" : c->optimizer_host > 0 ? "optimizer_host" :
	    c->optimizer != OPTIMIZER_UNSAID && c->optimizer != OPTIMIZER_ADAM ? "optimizer" :
	    c->attention8 ? "attention8" : NULL;

	if (what != NULL)
		place_die(at, "'%s': candidate: %s: torchtitan has no key for it", name, what);
}

static void
put_degrees(const struct configuration *c)
{
	int shards = c->zero > 1 ? c->shard / c->cp : 1;

	printf("data_parallel_replicate_degree = %d\ndata_parallel_shard_degree = %d\n", c->dp / shards, shards);
	if (c->zero > 1)
		printf("fsdp_reshard_after_forward = \"%s\"\n", c->zero > 2 ? "always" : "never");
	printf("tensor_parallel_degree = %d\ncontext_parallel_degree = %d\nexpert_parallel_degree = %d\n", c->tp,
	    c->cp, c->ep);
	if (c->ep > 1)
		printf("expert_tensor_parallel_degree = %d\n", c->etp);
	printf("pipeline_parallel_microbatch_size = %d\n", c->mbs);
}

void
print_torchtitan(const struct plan *p, const struct yaml_question *q)
{
	static const char *const modes[RECOMPUTE_KINDS] = {
		[RECOMPUTE_NONE] = "none", [RECOMPUTE_SELECT] = "selective", [RECOMPUTE_FULL] = "full"
	};
	const char *known = known_schedule(q);
	enum placed placed = placement(q);
	char *layers;

	if (placed == OTHERWISE)
		place_die(q->place,
		    "'%s': torchtitan places pieces in a loop or in a V, but not in this order",
		    p->name);
	if (q->degrees != NULL)
		check_degrees(q->degrees, p->name, q->place);
	layers = question_layers(q);
	printf("# %s: %s on %d stages, %d chunk%s a stage, schedule %s\n", p->name, layers,
	    p->offset.stages, p->interleave, p->interleave == 1 ? "" : "s", schedule_names[p->schedule]);
	free(layers);
	if (q->degrees != NULL)
		printf("[training]\nlocal_batch_size = %d\n", q->micro_batches * q->degrees->mbs);
	else if (q->micro_batches > 0)
		printf("# training.local_batch_size is %d micro-batches\n", q->micro_batches);
	puts("[parallelism]");
	if (q->degrees != NULL)
		put_degrees(q->degrees);
	printf("pipeline_parallel_degree = %d\npipeline_parallel_schedule = \"%s\"\n", p->offset.stages,
	    known != NULL ? known : placed == FOLDED && q->pieces.stages > 1 ? "ZBVZeroBubble" :
	    q->pieces.chunks > 1 ? "Interleaved1F1B" : "1F1B");
	/* The name of the schedule then only gives the placement. */
	if (known == NULL)
		printf("# sapp-sim -order-csv %s.csv writes the order\npipeline_parallel_schedule_csv = \"%s.csv\"\n",
		    p->name, p->name);
	put_modules(q);
	printf("[activation_checkpoint]\nmode = \"%s\"\n", modes[q->uniform.kind]);
	if (q->uniform.kind == RECOMPUTE_SELECT)
		puts("selective_ac_option = \"op\"");
}
