/* Times of layers: operations and memory traffic, with the communication of layer_traffic.c. */
#include "layer_cost.h"

#include <math.h>
#include <string.h>

#include "layer_sizes.h"
#include "layer_traffic.h"
#include "layer_work.h"
#include "matmul.h"
#include "segment.h"
#include "traffic.h"

#define TERA 1e12
#define GIGA 1e9
#define MICRO 1e-6
#define MEGA 1048576.0

static double
routed_activation_bytes(const struct layer_sizes *s)
{
	return 2 * s->rows * (s->up_projections + 1) * s->expert;
}

static double
activation_bytes(const struct layer_sizes *s, enum layer_kind kind)
{
	double u = s->up_projections;

	if (kind == KIND_DENSE)
		return 2 * s->tokens * (u + 1) * s->ffn;
	return routed_activation_bytes(s) + 2 * s->tokens * (u + 1) * s->shared;
}

static double
score_bytes(const struct layer_sizes *s)
{
	return s->net->flash || !s->net->attention ? 0 : 12 * s->tokens * s->sequence * s->heads;
}

/*
 * Return the bytes of memory that assembling queries, keys and values in latent attention reads and writes, per
 * micro-batch.
 */
static double
latent_bytes(const struct layer_sizes *s)
{
	const struct architecture *n = s->net;

	return 4 * s->tokens * s->heads * (2 * n->qk_head_dim + 2 * n->rope_head_dim + n->v_head_dim);
}

/*
 * Return whether the settings for experts are known. If not, the figures for clusters and candidates without these
 * settings apply.
 */
static bool
settings_said(const struct division *d, const struct cluster *c)
{
	return c->detailed || d->dispatcher != DISPATCHER_UNSAID || d->ep_overlap;
}

static double
rope_bytes(const struct layer_sizes *s)
{
	const struct architecture *n = s->net;
	double t = s->tokens;

	if (!n->attention)
		return 0;
	if (s->latent)
		return latent_bytes(s) + 4 * t * (s->down + n->kv_lora_rank);
	return 4 * t * (s->query + s->kv) * (n->qk_norm ? 2 : 1);
}

/*
 * Return the bytes read and written between the matrix products of a forward. EXPERTS: set to the bytes of routed
 * experts.
 */
static double
moved_bytes(const struct layer_sizes *s, enum layer_kind kind, const struct division *d, const struct cluster *c,
    const struct matmul at[], int n, double *experts)
{
	/* Each block has a norm and a residual addition. */
	double b = 10 * s->net->blocks * s->tokens * s->hidden / s->split + rope_bytes(s) + activation_bytes(s, kind) +
	    score_bytes(s) + 2 * s->tokens * s->net->moved / s->tp;
	double sorted = 0;

	*experts = 0;
	if (kind == KIND_MOE) {
		/* Tokens arrive sorted by device and are sorted again by expert. */
		if (settings_said(d, c) && d->dispatcher != DISPATCHER_FLEX && d->ep > 1 && s->local_experts > 1)
			sorted = 4;
		sorted = 2 * s->rows * s->net->expert_hidden_size * (c->efficiency.permute + sorted);
		*experts = sorted + routed_activation_bytes(s);
		b += sorted + 8 * s->tokens * s->experts / s->split;
	}
	/* Inputs are converted to the narrower type of linear layers. */
	if (c->peak_linear > c->peak)
		for (int i = 0; i < n; i++) {
			double converted = at[i].wide ? 0 :
			    c->efficiency.quantize * 4 * at[i].rows * at[i].depth * at[i].count;

			b += converted;
			*experts += at[i].grouped ? converted : 0;
		}
	return b;
}

/* Return the device seconds that recomputing the modules takes. */
static double
modules_time(const struct layer_cost *l, const struct layer_sizes *s, enum layer_kind kind, const struct division *d,
    const struct cluster *c, const struct matmul at[], int n, double memory)
{
	int m = d->modules & ~(kind == KIND_DENSE ? MODULE_MOE | MODULE_MOE_ACT : MODULE_MLP);
	double time = 0, bytes = 0;

	if (m & MODULE_MOE)
		m &= ~MODULE_MOE_ACT;
	for (int i = 0; i < n; i++)
		if (at[i].module & m)
			time += matmul_forward(c, at[i].wide ? c->peak : c->peak_linear, &at[i]);
	if (m & MODULE_LAYERNORM)
		bytes += 8 * s->tokens * s->hidden / s->split;
	if (m & MODULE_CORE_ATTN)
		time += l->detail.attention;
	if (m & MODULE_MLA_UP_PROJ && s->latent)
		bytes += latent_bytes(s);
	if (m & MODULE_MLP)
		bytes += activation_bytes(s, kind);
	if (m & MODULE_MOE_ACT)
		bytes += routed_activation_bytes(s);
	if (m & MODULE_MOE)
		time += l->detail.x[0] - l->detail.grouped + l->ep_all;
	return time + bytes / memory;
}

/* Compute the times without communication, except all-to-alls next to experts, whose times must be set before. */
static void
compute_times(struct layer_cost *l, const struct layer_sizes *s, enum layer_kind kind, const struct division *d,
    const struct cluster *c)
{
	struct matmul at[PRODUCTS_MOST];
	struct layer_detail *t = &l->detail;
	int n = layer_products(s, kind, c->detailed, at);
	double forward = 0, backward = 0, experts[3] = { 0 };	/* times of experts; bytes of experts */
	double memory = c->memory_bandwidth * GIGA * c->efficiency.memory;
	double scores = work_attention_time(s, d, c), whole = moved_bytes(s, kind, d, c, at, n, &experts[2]);
	/* A graph of the whole step fuses the experts' kernels. */
	double saved = experts[2] * (d->graph == GRAPH_FULL ? 1 - c->efficiency.fused : 0);
	double left = experts[2] - saved, moved = whole - saved;
	double launch = d->graph == GRAPH_FULL ? 0 : c->launch * MICRO * (kind == KIND_MOE ? 3 : 1);
	double select = (8 * s->tokens * s->hidden / s->split + activation_bytes(s, kind)) / memory;
	double dropped = score_bytes(s) / memory + scores, twice = s->net->flash ? 2.5 : 2;

	l->flops = work_attention(s, s->net->causal) * work_windowed(s->net) + work_more(s);
	for (int i = 0; i < n; i++) {
		double peak = at[i].wide ? c->peak : c->peak_linear, once = matmul_forward(c, peak, &at[i]);
		double back = s->net->frozen ? once :
		    matmul_backward(c, peak, &at[i], s->net->precision.gradient);

		l->flops += matmul_flops(&at[i]);
		forward += once;
		backward += back;
		experts[0] += at[i].grouped ? once : 0;
		experts[1] += at[i].grouped ? back : 0;
	}
	/* Adapters run next to frozen products and have weight gradients. */
	l->weight = 2 * (s->tokens * s->net->trained / s->tp + (kind == KIND_MOE ? s->rows *
	    s->net->trained_expert / d->etp : 0)) / (c->peak_linear * TERA * c->efficiency.matmul);
	forward += l->weight;
	backward += 2 * l->weight;
	*t = (struct layer_detail){ .rows = kind == KIND_MOE ? s->rows / s->local_experts : 0, .grouped = experts[0],
		.attention = scores, .bytes = whole, .dispatch = t->dispatch,
		.a = { forward - experts[0] + scores + (whole - experts[2]) / memory,
		    backward - experts[1] + twice * scores + 2 * (whole - experts[2]) / memory },
		.x = { experts[0] + left / memory, experts[1] + 2 * left / memory },
		.share = { [SHARE_MATMUL] = forward + backward, [SHARE_ATTENTION] = (1 + twice) * scores,
		    [SHARE_MEMORY] = 3 * moved / memory } };
	l->forward_compute = forward + scores + moved / memory;
	l->backward_compute = backward + twice * scores + 2 * moved / memory;
	l->again[KEEP_SELECT] = select + (s->net->flash ? 0 : dropped);
	l->again[KEEP_CORE] = dropped;
	l->again[KEEP_OP] = select + forward / 2;
	t->again = modules_time(l, s, kind, d, c, at, n, memory);
	if (!c->hosted) {
		l->forward_compute = fmax(l->forward_compute, launch);
		l->backward_compute = fmax(l->backward_compute, 2 * launch);
	}
}

/* Return the seconds of exposed all-to-alls of a layer in one direction. */
static double
exposed(const struct layer_cost *l, const struct division *d, const struct cluster *c)
{
	const struct layer_detail *t = &l->detail;

	if (!settings_said(d, c))
		return l->ep_all * (1 - c->overlap.ep);
	if (!d->ep_overlap)
		return l->ep_all;
	return l->ep_all - fmin(c->overlap.ep * 2 * l->ep_all, t->a[0] + t->x[0] + t->a[1] + t->x[1]) / 2;
}

/* Remove the backward, and the memory kept for it, from a layer with no trained parameters in or before it. */
static void
forward_only(struct layer_cost *l)
{
	l->backward = l->backward_compute = l->cp[1] = l->detail.a[1] = l->detail.x[1] = l->detail.again = 0;
	memset(l->memory, 0, sizeof l->memory);
	memset(l->again, 0, sizeof l->again);
}

static void
layer_costs(struct layer_cost *l, const struct layer_sizes *s, enum layer_kind kind, const struct division *d,
    const struct cluster *c)
{
	struct layer_detail *t = &l->detail;
	double device;

	*l = (struct layer_cost){ 0 };
	activations(s, kind, d->modules, cluster_allocates(c), l->memory);
	layer_traffic_tensor(l, s, kind, d, c);
	layer_traffic_context(l, s, d, c);
	if (kind == KIND_MOE)
		layer_traffic_experts(l, s, d, c);
	compute_times(l, s, kind, d, c);
	l->tp = l->tp_all * (1 - c->overlap.tp);
	l->ep = exposed(l, d, c);
	segment_host(t, s, kind, d, c);
	if (c->hosted)
		segment_times(l, l->ep);
	device = t->a[0] + t->x[0] + t->a[1] + t->x[1];
	t->share[SHARE_HOST] = fmax(0, l->forward_compute + l->backward_compute - device);
	l->forward = l->forward_compute + l->tp + l->cp[0] + l->ep;
	l->backward = l->backward_compute + l->tp + l->cp[1] + l->ep;
	l->again[KEEP_FULL] = l->forward;
	l->again[KEEP_MODULES] = segment_again(l, t->again, segment_relaunches(s->net, kind, d->modules));
	if (!s->net->backward)
		forward_only(l);
}

/* Compute the costs of embedding, head and loss. */
static void
end_costs(struct costs *k, const struct layer_sizes *s, const struct division *d, const struct cluster *c)
{
	const struct architecture *n = s->net;
	double t = s->tokens, h = s->hidden, q = s->split, mtp = n->mtp_layers;
	double memory = c->memory_bandwidth * GIGA * c->efficiency.memory;
	double columns = (double)parameters_vocabulary(n, d->tp) / s->tp;
	const struct matmul head = { .rows = t, .columns = columns, .depth = h, .count = 1 };
	const struct matmul join = { .rows = t, .columns = h / s->tp, .depth = 2 * h, .count = mtp,
	    .weightless = true };
	const struct layer_cost *last = &k->layer[parameters_last(n)];
	/* Sequence parallelism needs one gather or reduction. Without it an all-reduce takes two rounds. */
	double exposed = route_time(route_ring(c, (struct group){ d->tp, 1 }), d->sp ? 1 : 2, 2 * t * h) *
	    (1 - c->overlap.tp);

	k->embedding.forward = 6 * t * h / q / memory + exposed;
	k->embedding.backward = n->frozen && !n->trained_embedding ? 0 : 10 * t * h / q / memory + exposed;
	k->head.forward = (matmul_forward(c, c->peak, &head) + (4 * t * h / q + 10 * t * columns) / memory +
	    exposed) * (1 + mtp);
	k->head.backward = ((n->frozen && !n->trained_head ? matmul_forward(c, c->peak, &head) :
	    matmul_backward(c, c->peak, &head, n->precision.gradient)) + (8 * t * h / q +
	    6 * t * columns) / memory +
	    exposed) * (1 + mtp);
	if (mtp > 0) {
		k->head.forward += mtp * last->forward + matmul_forward(c, c->peak_linear, &join);
		k->head.backward += mtp * last->backward +
		    matmul_backward(c, c->peak_linear, &join, n->precision.gradient);
	}
	k->head_memory = 4 * t * h / q + mtp * last->memory[KEEP_ALL];
	k->logits = c->logit_bytes * t * columns;
}

/* Return the bytes of the largest tensors in a layer's backward, without the kept ones. */
static double
layer_moment(const struct layer_sizes *s, enum layer_kind kind, const struct division *d)
{
	double t = s->tokens, h = s->hidden;

	if (kind == KIND_MOE)
		return 6 * s->rows * s->net->expert_hidden_size + 4 * t * h;
	return 2 * s->up_projections * t * s->ffn + 2 * t * h / s->split + (d->sp ? 2 * t * h : 0);
}

/*
 * Add the weight shapes of a layer's products. All experts count as one shape. A router has no stand-in, as it uses
 * other kernels.
 */
static void
add_weights(struct costs *k, struct layer_cost *l, const struct layer_sizes *s, enum layer_kind kind)
{
	struct matmul at[PRODUCTS_MOST];
	int n = s->net->frozen ? 0 : layer_products(s, kind, false, at), j;

	for (int i = 0; i < n; i++) {
		const struct weight_shape w = { at[i].columns, at[i].depth };

		if (kind == KIND_MOE && w.columns == s->experts)
			continue;
		for (j = 0; j < k->shapes && memcmp(&k->weight[j], &w, sizeof w) != 0; j++)
			;
		if (j == SHAPES_MOST)
			continue;
		k->weight[j] = w;
		k->shapes += j == k->shapes;
		l->weights |= 1ull << j;
	}
}

double
costs_stand_ins(const struct costs *k, const struct architecture *n, const int layers[CLASSES_MOST])
{
	uint64_t weights = 0;
	double all = 0;

	for (int i = 0; i < n->classes.n; i++)
		weights |= layers[i] > 0 ? k->layer[i].weights : 0;
	for (int i = 0; i < k->shapes; i++)
		all += weights >> i & 1 ? 2 * k->weight[i].columns * k->weight[i].depth : 0;
	return all;
}

/*
 * Compute the bytes allocated by embedding and head. A fused loss overwrites the logits with their gradient in 16 bits.
 * The products of both ends also leave a weight gradient in 16 bits.
 */
static void
end_moments(struct costs *k, const struct layer_sizes *s, const struct division *d)
{
	double t = s->tokens, h = s->hidden, columns = (double)parameters_vocabulary(s->net, d->tp) / s->tp;

	k->head_memory -= 4 * t * h / s->split;
	k->logits = 4 * t * h / s->split + 2 * t * columns + 2 * columns * h + (d->sp ? 4 : 2) * t * h;
	k->lookup = 2 * columns * h;
}

void
costs_compute(struct costs *k, const struct architecture *n, const struct cluster *c, const struct division *d,
    double imbalance)
{
	struct layer_sizes s = layer_sizes(n, d, imbalance);

	*k = (struct costs){ .of = *d, .tokens = s.tokens };
	for (int i = 0; i < n->classes.n; i++) {
		const struct architecture *class = architecture_class(n, i);
		struct layer_sizes sizes = layer_sizes(class, d, imbalance);

		layer_costs(&k->layer[i], &sizes, kind_of(class), d, c);
		if (!cluster_allocates(c))
			continue;
		k->layer[i].moment = layer_moment(&sizes, kind_of(class), d);
		add_weights(k, &k->layer[i], &sizes, kind_of(class));
		k->workspace = fmax(k->workspace, MEGA * (kind_of(class) == KIND_MOE ? 320 : 64));
	}
	end_costs(k, &s, d, c);
	if (cluster_allocates(c))
		end_moments(k, &s, d);
	else
		k->gathered = d->sp ? 4 * s.tokens * s.hidden : 0;
	k->boundary = 2 * s.tokens * s.hidden / s.tp;
}
