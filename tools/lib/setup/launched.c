/* Derive the pipeline from the arguments of Megatron-LM or its kin. */
#include "launched.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "hybrid.h"
#include "layout.h"
#include "own_lists.h"
#include "recomputed.h"

enum { STAGES_MAX = 10000, CHUNKS_MAX = 1000, BATCH_MAX = 100000000 };

static void
exclude(const struct launch *l, enum launch_option a, enum launch_option b)
{
	if (l->value[a] != NULL && l->value[b] != NULL)
		place_die(l->place[a], "%s and %s exclude each other", launch_name(a), launch_name(b));
}

long
launched_devices(const struct launch *l)
{
	long nodes = launch_int(l, LAUNCH_NODES, 1, BATCH_MAX);

	if (l->value[LAUNCH_WORLD] != NULL)
		return launch_int(l, LAUNCH_WORLD, 1, BATCH_MAX);
	return launch_int(l, LAUNCH_NODE_DEVICES, 1, 10000) * (nodes > 0 ? nodes : 1);
}

int
launched_micro(const struct launch *l, int stages)
{
	long global = launch_int(l, LAUNCH_GLOBAL_BATCH, 1, BATCH_MAX), micro = launch_int(l, LAUNCH_MICRO_BATCH, 1,
	    BATCH_MAX);
	long tensor = launch_int(l, LAUNCH_TENSOR, 1, 10000), context = launch_int(l, LAUNCH_CONTEXT, 1, 10000);
	long devices_each, replicas, devices = launched_devices(l);

	if (global == 0 || micro == 0 || devices == 0 || stages == 0)
		return 0;
	devices_each = stages * (tensor > 0 ? tensor : 1) * (context > 0 ? context : 1);
	replicas = devices / devices_each;
	if (devices % devices_each != 0)
		place_die(l->place[l->value[LAUNCH_WORLD] != NULL ? LAUNCH_WORLD : LAUNCH_NODE_DEVICES],
		    "%ld devices: not a multiple of tensor times pipeline times context parallel, %ld", devices,
		    devices_each);
	if (global % (micro * replicas) != 0)
		place_die(l->place[LAUNCH_GLOBAL_BATCH],
		    "--global-batch-size: not a multiple of micro-batches of %ld on %ld replicas '%ld'", micro,
		    replicas, global);
	return (int)(global / (micro * replicas));
}

static void
even(struct launched *x, const struct launch *l, struct grid g)
{
	int n = g.chunks * g.stages, head = l->value[LAUNCH_EMBEDDING_COUNTS] != NULL;
	int tail = l->value[LAUNCH_LOSS_COUNTS] != NULL, all = x->layers + head + tail;

	if (all % n != 0)
		place_die(l->place[LAUNCH_LAYERS], "--num-layers: %d layers cannot be divided evenly over %d pieces%s",
		    all, n, head || tail ? "; --pp-partition-method or account-for-* counts embedding or head as a "
		    "layer" : "");
	for (int i = 0; i < n; i++)
		g.at[i] = all / n - (i == 0 ? head : 0) - (i == n - 1 ? tail : 0);
}

/* Use the given numbers of layers of first and last stage. The other stages share the remaining layers evenly. */
static void
uneven_ends(const struct launched *x, const struct launch *l, struct grid g)
{
	int first = launch_int(l, LAUNCH_FIRST, 1, LAYERS_MAX), last = launch_int(l, LAUNCH_LAST, 1, LAYERS_MAX);
	int middle = g.stages - (first > 0) - (last > 0), rest = x->layers - first - last;

	if (rest < 0 || (middle > 0 ? rest % middle : rest) != 0)
		place_die(l->place[first > 0 ? LAUNCH_FIRST : LAUNCH_LAST],
		    "the %d layers of the other %d stages cannot be divided evenly over them", rest, middle);
	for (int s = 0; s < g.stages; s++) {
		int n = s == 0 && first > 0 ? first : s == g.stages - 1 && last > 0 ? last : rest / middle;

		if (n % g.chunks != 0)
			place_die(l->place[LAUNCH_LAYERS],
			    "%d layers of stage %d cannot be divided evenly over %d chunks", n, s, g.chunks);
		for (int v = 0; v < g.chunks; v++)
			*grid_at(g, v, s) = n / g.chunks;
	}
}

int
launched_chunks(const struct launch *l, int stages)
{
	int layers = launch_int(l, LAUNCH_LAYERS, 1, LAYERS_MAX);
	int each = launch_int(l, LAUNCH_PER_VIRTUAL, 1, LAYERS_MAX), n = launch_int(l, LAUNCH_VIRTUAL, 1, CHUNKS_MAX);

	struct grid pieces, extra;

	/* Runtimes of V schedules have two chunks without an argument. A YAML gives the number of chunks. */
	if (l->value[LAUNCH_SCHEDULE] != NULL || (own_v(l) && !l->keys && stages > 1))
		return 2;
	if (l->value[LAUNCH_LAYOUT] != NULL && stages > 0) {
		layout_read(l->value[LAUNCH_LAYOUT], stages, &pieces, &extra, l->place[LAUNCH_LAYOUT]);
		free(pieces.at);
		free(extra.at);
		return pieces.chunks;
	}
	exclude(l, LAUNCH_PER_VIRTUAL, LAUNCH_VIRTUAL);
	/* Megatron-LM has no chunks on one stage. */
	if (each == 0 || stages <= 1)
		return n > 0 && stages != 1 ? n : 1;
	if (layers % (stages * each) != 0)
		place_die(l->place[LAUNCH_PER_VIRTUAL],
		    "%s: %d layers on %d stages cannot be divided into chunks of %d",
		    launch_name(LAUNCH_PER_VIRTUAL), layers, stages, each);
	return layers / (stages * each);
}

/* Subtract the layers that do nothing (--noop-layers). */
static void
take_noop(struct launched *x, const struct launch *l, struct grid g)
{
	struct grid noop = launch_numbers(l, LAUNCH_NOOP, 0, x->layers - 1);
	int each = x->layers / (g.chunks * g.stages), piece;

	for (int i = 0; i < noop.stages; i++) {
		for (int j = 0; j < i; j++)
			if (noop.at[j] == noop.at[i])
				place_die(l->place[LAUNCH_NOOP], "--noop-layers: twice '%d'", noop.at[i]);
		piece = noop.at[i] / each;
		/* In dualpipev the second chunk runs back through the stages (MindSpeed, dualpipev_chunks.py). */
		if (l->value[LAUNCH_SCHEDULE] != NULL && piece >= g.stages)
			piece = 3 * g.stages - 1 - piece;
		g.at[piece]--;
	}
	x->layers -= noop.stages;
	free(noop.at);
}

static struct grid
placed(struct launched *x, const struct launch *l, int stages, struct grid *extra)
{
	static const enum launch_option pairs[][2] = { { LAUNCH_LAYOUT, LAUNCH_PER_VIRTUAL },
		{ LAUNCH_LAYOUT, LAUNCH_FIRST }, { LAUNCH_LAYOUT, LAUNCH_LAST }, { LAUNCH_LAYOUT, LAUNCH_LIST },
		{ LAUNCH_LAYOUT, LAUNCH_NOOP }, { LAUNCH_HYBRID, LAUNCH_LAYOUT }, { LAUNCH_HYBRID, LAUNCH_PER_VIRTUAL },
		{ LAUNCH_HYBRID, LAUNCH_VIRTUAL }, { LAUNCH_LIST, LAUNCH_PER_VIRTUAL }, { LAUNCH_LIST, LAUNCH_NOOP } };
	static const enum launch_option lists[] = { LAUNCH_SPLIT_LIST, LAUNCH_HETERO_LIST };
	static const enum launch_option others[] = { LAUNCH_LAYOUT, LAUNCH_PER_VIRTUAL, LAUNCH_FIRST, LAUNCH_LAST,
		LAUNCH_HYBRID, LAUNCH_EMBEDDING_COUNTS, LAUNCH_LOSS_COUNTS };
	struct grid g, list;
	int n;

	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
		exclude(l, pairs[i][0], pairs[i][1]);
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
		for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
			exclude(l, lists[i], others[k]);
	if (l->value[LAUNCH_LAYOUT] != NULL) {
		layout_read(l->value[LAUNCH_LAYOUT], stages, &g, extra, l->place[LAUNCH_LAYOUT]);
		if (l->value[LAUNCH_LAYERS] == NULL) {
			x->layers = grid_sum(g);
			x->extra = grid_sum(*extra);
		}
		if (grid_sum(g) != x->layers || grid_sum(*extra) != x->extra)
			place_die(l->place[LAUNCH_LAYOUT],
			    "layout: %d t and %d m, but %d layers and %d layers for multi-token prediction",
			    grid_sum(g), grid_sum(*extra), x->layers, x->extra);
		return g;
	}
	if (l->value[LAUNCH_HYBRID] != NULL && (strchr(l->value[LAUNCH_HYBRID], '|') != NULL || stages == 1)) {
		/* The pattern determines all numbers of layers. */
		hybrid_read(l->value[LAUNCH_HYBRID], stages, &g, &x->extra, l->place[LAUNCH_HYBRID]);
		x->layers = grid_sum(g);
		*extra = grid_new(g.chunks, stages);
		extra->at[g.chunks * stages - 1] = x->extra;
		return g;
	}
	if (l->value[LAUNCH_SCHEDULE] != NULL && strcmp(l->value[LAUNCH_SCHEDULE], "dualpipev") != 0)
		place_die(l->place[LAUNCH_SCHEDULE], "--schedules-method: only dualpipev is supported, not '%s'",
		    l->value[LAUNCH_SCHEDULE]);
	if (l->value[LAUNCH_SPLIT_LIST] != NULL) {
		g = split_list_read(l, stages, x->layers);
		*extra = grid_new(g.chunks, stages);
		extra->at[g.chunks * stages - 1] = x->extra;
		return g;
	}
	g = grid_new(launched_chunks(l, stages), stages);
	*extra = grid_new(g.chunks, stages);
	n = g.chunks * g.stages;
	extra->at[l->value[LAUNCH_SCHEDULE] != NULL ? stages : n - 1] = x->extra;
	if (l->value[LAUNCH_FIRST] != NULL || l->value[LAUNCH_LAST] != NULL) {
		uneven_ends(x, l, g);
	} else if (l->value[LAUNCH_LIST] != NULL || (l->value[LAUNCH_HETERO] != NULL &&
	    l->value[LAUNCH_HETERO_LIST] != NULL)) {
		enum launch_option o = l->value[LAUNCH_LIST] != NULL ? LAUNCH_LIST : LAUNCH_HETERO_LIST;

		list = launch_numbers(l, o, 0, LAYERS_MAX);
		if (list.stages != stages || grid_sum(list) != x->layers)
			place_die(l->place[o], "%s: %d numbers with the sum %d, but %d stages and %d layers",
			    launch_name(o), list.stages, grid_sum(list), stages, x->layers);
		if (g.chunks > 1)
			place_die(l->place[o], "%s: not allowed with several chunks per stage", launch_name(o));
		memcpy(g.at, list.at, (size_t)stages * sizeof *g.at);
		free(list.at);
	} else {
		even(x, l, g);
	}
	if (l->value[LAUNCH_NOOP] != NULL)
		take_noop(x, l, g);
	return g;
}

/* Exit on settings that Megatron-LM refuses when forwards overlap backwards. */
static void
check_overlap(const struct launched *x, const struct launch *l, enum recompute kind)
{
	struct place at = l->place[LAUNCH_OVERLAP];

	if (l->value[LAUNCH_OVERLAP] == NULL || l->value[LAUNCH_SCHEDULE] != NULL)
		return;
	if (kind == RECOMPUTE_FULL)
		place_die(at, "%s: not allowed with --recompute-granularity full", launch_name(LAUNCH_OVERLAP));
	if (x->shape.stages > 1 && x->shape.chunks == 1)
		place_die(at, "%s: only with several chunks per stage", launch_name(LAUNCH_OVERLAP));
	if (x->extra > 1)
		place_die(at, "%s: allows at most one layer for multi-token prediction, not '%d'",
		    launch_name(LAUNCH_OVERLAP), x->extra);
}

/*
 * Return whether all micro-batches recompute (true) or none (false). Exit if only some do. With Megatron-LM's
 * num_microbatches_with_partial_activation_checkpoints N, the N-th and later forwards in flight recompute all layers.
 */
static bool
all_micro_batches(const struct launch *l, const struct launched *x)
{
	int n = launch_int(l, LAUNCH_PARTIAL, 0, BATCH_MAX), window = x->shape.stages, group;

	if (l->value[LAUNCH_PARTIAL] == NULL)
		return false;
	if (x->shape.chunks > 1) {
		group = x->shape.group > 0 ? x->shape.group : x->shape.stages;
		window = 2 * (x->shape.stages - 1) + (x->shape.chunks - 1) * group + 1;
	}
	if (n > 0 && n < window)
		place_die(l->place[LAUNCH_PARTIAL], "%s: %d of %d micro-batches in flight recompute fewer layers, "
		    "which a plan cannot express: set it to 0 or at least %d (sapp-yaml(1))",
		    launch_key(LAUNCH_PARTIAL), n, window, window);
	return n == 0;
}

void
launched_check_fsdp(const struct launch *now, const struct launch *want)
{
	static const enum launch_option alone[] = { LAUNCH_STAGES, LAUNCH_EXPERT };
	struct place at = now->place[LAUNCH_FSDP];

	if (now->value[LAUNCH_FSDP] == NULL)
		return;
	for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++)
		if (want->value[alone[i]] != NULL && !launch_is(want, alone[i], "1"))
			place_die(at, "%s: Megatron-LM rejects it with %s '%s'", launch_key(LAUNCH_FSDP),
			    launch_name(alone[i]), want->value[alone[i]]);
	if (want->value[LAUNCH_OPTIMIZER] != NULL)
		place_die(at, "%s: Megatron-LM rejects it with %s", launch_key(LAUNCH_FSDP),
		    launch_name(LAUNCH_OPTIMIZER));
}

/* Exit if only a fraction of the modules' activations is offloaded, or if fractions differ between stages. */
static void
check_shares(const struct launch *l)
{
	if (l->value[LAUNCH_OFFLOAD] == NULL)
		return;
	if (l->value[LAUNCH_FRACTION] != NULL && strtod(l->value[LAUNCH_FRACTION], NULL) != 1)
		place_die(l->place[LAUNCH_FRACTION], "%s: only 1 is supported, not '%s'", launch_key(LAUNCH_FRACTION),
		    l->value[LAUNCH_FRACTION]);
	if (l->value[LAUNCH_LESS] != NULL && strtod(l->value[LAUNCH_LESS], NULL) != 0)
		place_die(l->place[LAUNCH_LESS], "%s: only 0 is supported, not '%s'", launch_key(LAUNCH_LESS),
		    l->value[LAUNCH_LESS]);
}

/* Reorder a grid from the order of the data to [chunk][stage]. They differ if the data go forth and back. */
static void
put_in_place(const struct shape *q, struct grid g)
{
	struct grid by_data = grid_copy(g);
	int *order = schedule_pieces(q);

	for (int i = 0; i < g.chunks * g.stages; i++)
		g.at[order[i]] = by_data.at[i];
	free(by_data.at);
	free(order);
}

/* Count the layers of each kind in each piece from the kind of each layer. */
static void
count_layers(struct launched *x, struct grid layers, struct grid extra)
{
	int *order = schedule_pieces(&x->shape), layer = 0;

	for (int i = 0; i < layers.chunks * layers.stages; i++)
		for (int k = 0; k < layers.at[order[i]] + extra.at[order[i]]; k++)
			x->kind[x->layer[layer++]].at[order[i]]++;
	free(order);
}

/* Count the first N layers of each piece as fully recomputed, and its further layers as not recomputed. */
static void
count_first(struct launched *x, struct grid n, struct grid layers, struct grid extra)
{
	for (int i = 0; i < layers.chunks * layers.stages; i++) {
		x->kind[RECOMPUTE_FULL].at[i] = n.at[i];
		x->kind[RECOMPUTE_NONE].at[i] = layers.at[i] + extra.at[i] - n.at[i];
	}
}

/*
 * Return the maximum number of recomputed layers in a piece of CHUNK. In MindSpeed the chunks of a stage can share
 * MOST. Layer l of chunk v is then recomputed if l * chunks + v is below MOST (transformer_block.py).
 */
static int
per_rank(const struct launch *l, int most, int chunk, int chunks)
{
	if (l->value[LAUNCH_PER_RANK] == NULL || most == LAYERS_MAX)
		return most;
	return most > chunk ? (most - chunk + chunks - 1) / chunks : 0;
}

/* Count the layers of each kind if every piece recomputes the same number of layers, or all layers a part. */
static void
count_alike(struct launched *x, const struct launch *l, const struct modules *m, struct grid layers, struct grid extra)
{
	struct firsts parts[2];
	int n = recomputed_read(&x->made, l, m, parts);
	const struct firsts *last = n > 0 ? &parts[n - 1] : NULL;

	check_overlap(x, l, n > 0 ? parts[0].kind : RECOMPUTE_NONE);
	if (n > 0 && parts[0].kind == RECOMPUTE_FULL && all_micro_batches(l, x))
		parts[0].most = LAYERS_MAX;
	/* Only a kind of all layers is also that of the layers that predict further tokens. */
	x->predicting_kind = last != NULL && last->most == LAYERS_MAX ? last->kind : RECOMPUTE_NONE;
	for (int i = 0; i < layers.chunks * layers.stages; i++) {
		int done = 0;

		for (int k = 0; k < n; k++) {
			int most = per_rank(l, parts[k].most, i / layers.stages, layers.chunks);
			int now = layers.at[i] < most ? layers.at[i] : most;

			if (now > done) {
				x->kind[parts[k].kind].at[i] += now - done;
				done = now;
			}
		}
		x->kind[RECOMPUTE_NONE].at[i] += layers.at[i] - done;
		x->kind[x->predicting_kind].at[i] += extra.at[i];
	}
}

void
launched_read(struct launched *x, const struct launch *l, const struct modules *m)
{
	int stages;
	struct grid layers, extra, n;

	*x = (struct launched){ 0 };
	if (l->value[LAUNCH_LAYERS] == NULL && l->value[LAUNCH_HYBRID] == NULL && l->value[LAUNCH_LAYOUT] == NULL)
		place_die((struct place){ l->source, 0 }, "no %s; give the number of layers with -layers",
		    launch_name(LAUNCH_LAYERS));
	x->layers = launch_int(l, LAUNCH_LAYERS, 1, LAYERS_MAX);
	x->extra = launch_int(l, LAUNCH_MTP, 0, LAYERS_MAX);
	/* The default is one stage. */
	stages = l->value[LAUNCH_STAGES] != NULL ? launch_int(l, LAUNCH_STAGES, 1, STAGES_MAX) : 1;
	layers = placed(x, l, stages, &extra);
	x->layers += x->extra;
	x->shape = (struct shape){ .stages = stages, .chunks = layers.chunks, .micro = launched_micro(l, stages),
	    .kind = l->value[LAUNCH_SCHEDULE] != NULL ? SCHEDULE_DUALPIPEV : layers.chunks == 1 ? SCHEDULE_1F1B :
	    l->value[LAUNCH_OVERLAP] != NULL ? SCHEDULE_VPP_OVERLAP : SCHEDULE_VPP,
	    .group = layers.chunks > 1 ? launch_int(l, LAUNCH_GROUP, 1, BATCH_MAX) : 0 };
	x->shape.kind = own_schedule(l, &x->shape);
	if (own_schedule_word(x->shape.kind) != NULL) {
		if (l->value[LAUNCH_OVERLAP] != NULL)
			place_die(l->place[LAUNCH_OVERLAP], "%s: not supported with %s, as the operations that run "
			    "together are not known",
			    launch_name(LAUNCH_OVERLAP), own_schedule_word(x->shape.kind));
		x->shape.fixed = l->value[LAUNCH_OWN_RUNTIME] != NULL || x->shape.kind == SCHEDULE_V_HALF ||
		    x->shape.kind == SCHEDULE_V_MIN;
		x->shape.group = 0;
		put_in_place(&x->shape, layers);
		put_in_place(&x->shape, extra);
	}
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		x->kind[k] = grid_new(layers.chunks, stages);
	check_shares(l);
	launched_check_fsdp(l, l);
	if (l->value[LAUNCH_LAYER_IDS] != NULL) {
		x->layer = layer_ids_read(l, x->layers);
		count_layers(x, layers, extra);
	} else if (l->value[LAUNCH_STAGE_LAYERS] != NULL || l->value[LAUNCH_STAGE_FULL] != NULL ||
	    l->value[LAUNCH_STAGE_METHOD] != NULL) {
		n = piece_lists_read(l, layers, &x->shape.micro);
		count_first(x, n, layers, extra);
		free(n.at);
	} else {
		count_alike(x, l, m, layers, extra);
	}
	free(layers.at);
	x->predicting = extra;
}

bool
launched_with_tail(struct launched *x)
{
	if (x->extra == 0 || x->layer != NULL || x->predicting.at == NULL)
		return false;
	for (int i = 0; i < x->predicting.chunks * x->predicting.stages; i++)
		x->kind[x->predicting_kind].at[i] -= x->predicting.at[i];
	x->layers -= x->extra;
	return true;
}

void
launched_free(struct launched *x)
{
	free(x->predicting.at);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(x->kind[k].at);
	free(x->layer);
	operator_kinds_free(&x->made);
	*x = (struct launched){ 0 };
}
