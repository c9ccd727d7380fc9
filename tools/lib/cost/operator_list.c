#include "operator_list.h"

#include <err.h>
#include <math.h>
#include <string.h>

#include "lib/base/status.h"
#include "lib/setup/arithmetic.h"

enum row_type { ROW_BYTES, ROW_PRODUCT, ROW_COLUMN, ROW_ROW, ROW_ATTENTION, ROW_EXCHANGE, ROW_DISPATCH, ROW_GROUPED,
	ROW_SEQUENCE, ROW_EXPERT_SUM };

/*
 * A row of a table. Members a, b and c are formulas over the names in names[]. WHEN is the condition for the row; NULL:
 * always.
 *
 * BYTES: a and b are the bytes of forward and backward; kernels[0] and kernels[1] the numbers of their kernels.
 * PRODUCT: a rows, b columns, c depth. COLUMN and ROW: a product that tp divides, with b columns and c depth. GROUPED:
 * the experts' products, with b columns and c depth. DISPATCH: an all-to-all of a bytes in each direction. SEQUENCE:
 * over tp, a reduce-scatter of a bytes in the forward and an all-gather in the backward. EXPERT_SUM: over etp, both of
 * these in each direction.
 */
struct operator_row {
	enum row_type type;
	const char *name, *when, *of, *a, *b, *c;
	int kernels[2];
	int module;
	bool select;
};

#define ACT(name, when, width, columns) { ROW_BYTES, name, when, "activation", "2*" width "*(u+1)*" columns, \
	"2*" width "*(2*u+1)*" columns, NULL, { 1, 1 }, MODULE_MLP, true }

static const struct operator_row layer_rows[] = {
	{ ROW_BYTES, "norm 1", NULL, "norm", "4*t*h", "6*t*h", NULL, { 1, 1 }, MODULE_LAYERNORM, true },
	{ ROW_COLUMN, "qkv", "!latent", NULL, NULL, "q+2*v", "h", { 0 }, 0, false },
	{ ROW_BYTES, "q and k norm", "!latent && qk_norm", "norm", "4*s*(q+v)", "6*s*(q+v)", NULL, { 2, 2 }, 0, false },
	{ ROW_BYTES, "rope and split", "!latent", "rope", "4*s*(2*q+v)", "4*s*(2*q+v)+4*s*(q+2*v)", NULL, { 3, 4 }, 0,
		false },
	{ ROW_PRODUCT, "q down", "latent && q_lora > 0", NULL, "t", "q_lora", "h", { 0 }, 0, false },
	{ ROW_PRODUCT, "kv down", "latent", NULL, "t", "kv_lora+rope", "h", { 0 }, 0, false },
	{ ROW_BYTES, "q norm", "latent && q_lora > 0", "norm", "4*t*q_lora", "6*t*q_lora", NULL, { 1, 1 }, 0, false },
	{ ROW_BYTES, "kv norm", "latent", "norm", "4*t*kv_lora", "6*t*kv_lora", NULL, { 1, 1 }, 0, false },
	{ ROW_COLUMN, "q up", "latent && q_lora > 0", NULL, NULL, "q", "q_lora", { 0 }, MODULE_MLA_UP_PROJ, false },
	{ ROW_COLUMN, "q", "latent && q_lora == 0", NULL, NULL, "q", "h", { 0 }, MODULE_MLA_UP_PROJ, false },
	{ ROW_COLUMN, "kv up", "latent", NULL, NULL, "heads*(nope+v_dim)", "kv_lora", { 0 },
		MODULE_MLA_UP_PROJ, false },
	{ ROW_BYTES, "rope", "latent", "rope", "4*s*heads*rope+2*s*heads*(2*(nope+v_dim)+rope)",
		"4*s*heads*rope+2*s*heads*(2*(nope+v_dim)+rope)", NULL, { 2, 2 }, MODULE_MLA_UP_PROJ, false },
	{ ROW_BYTES, "gradient sums", "latent", "add", "0", "6*t*h", NULL, { 0, 1 }, 0, false },
	{ ROW_EXCHANGE, "exchange", "ulysses", NULL, "q+2*v", "o", NULL, { 0 }, 0, false },
	{ ROW_BYTES, "attention reorder", "ulysses", "reorder", "16*s*(q+v)", "16*s*(q+v)", NULL, { 8, 8 }, 0, false },
	{ ROW_ATTENTION, "attention", NULL, NULL, NULL, NULL, NULL, { 0 }, MODULE_CORE_ATTN, false },
	{ ROW_ROW, "out", NULL, NULL, NULL, "h", "o", { 0 }, 0, false },
	{ ROW_BYTES, "add 1", NULL, "add", "6*t*h", "6*t*h", NULL, { 1, 1 }, 0, false },
	{ ROW_BYTES, "norm 2", NULL, "norm", "4*t*h", "6*t*h", NULL, { 1, 1 }, MODULE_LAYERNORM, true },
	{ ROW_COLUMN, "mlp up", "!moe", NULL, NULL, "u*f", "h", { 0 }, MODULE_MLP, false },
	ACT("mlp act", "!moe", "s", "f"),
	{ ROW_ROW, "mlp down", "!moe", NULL, NULL, "h", "f", { 0 }, MODULE_MLP, false },
	{ ROW_PRODUCT, "router", "moe", NULL, "t", "experts", "h", { 0 }, MODULE_MOE, false },
	{ ROW_BYTES, "router top", "moe", "router", "40*t*experts", "40*t*experts", NULL, { 20, 12 }, MODULE_MOE,
		false },
	{ ROW_BYTES, "permute", "moe", "permute", "2*(t*h+3*n*h)", "2*(t*h+3*n*h)", NULL, { 2, 2 }, MODULE_MOE, false },
	{ ROW_BYTES, "unpermute", "moe", "permute", "2*(t*h+3*n*h)", "2*(t*h+3*n*h)", NULL, { 2, 2 }, MODULE_MOE,
		false },
	{ ROW_DISPATCH, "dispatch", "moe && ep > 1", NULL, "2*n*h/etp", NULL, NULL, { 0 }, MODULE_MOE, false },
	{ ROW_DISPATCH, "combine", "moe && ep > 1", NULL, "2*n*h/etp", NULL, NULL, { 0 }, MODULE_MOE, false },
	{ ROW_EXPERT_SUM, "expert sum", "moe && etp > 1", NULL, "2*n*h", NULL, NULL, { 0 }, MODULE_MOE, false },
	{ ROW_GROUPED, "expert up", "moe", NULL, NULL, "u*f_expert", "h", { 0 }, MODULE_MOE, false },
	{ ROW_BYTES, "expert act", "moe", "activation", "2*n*(u+1)*f_expert", "2*n*(2*u+1)*f_expert", NULL, { 1, 1 },
		MODULE_MOE | MODULE_MOE_ACT, true },
	{ ROW_GROUPED, "expert down", "moe", NULL, NULL, "h", "f_expert", { 0 }, MODULE_MOE, false },
	{ ROW_COLUMN, "shared up", "moe && f_shared > 0", NULL, NULL, "u*f_shared", "h", { 0 }, MODULE_MOE, false },
	{ ROW_BYTES, "shared act", "moe && f_shared > 0", "activation", "2*s*(u+1)*f_shared", "2*s*(2*u+1)*f_shared",
		NULL, { 1, 1 }, MODULE_MOE, true },
	{ ROW_ROW, "shared down", "moe && f_shared > 0", NULL, NULL, "h", "f_shared", { 0 }, MODULE_MOE, false },
	{ ROW_BYTES, "shared sum", "moe && f_shared > 0", "add", "6*t*h", "6*t*h", NULL, { 1, 1 }, MODULE_MOE, false },
	{ ROW_BYTES, "add 2", NULL, "add", "6*t*h", "6*t*h", NULL, { 1, 1 }, 0, false },
};

static const struct operator_row embedding_rows[] = {
	{ ROW_BYTES, "embedding", NULL, "embedding", "4*s*h", "12*words*h", NULL, { 3, 4 }, 0, false },
	{ ROW_SEQUENCE, "embedding sum", "tp > 1", NULL, "2*s*h", NULL, NULL, { 0 }, 0, false },
};

static const struct operator_row head_rows[] = {
	{ ROW_BYTES, "final norm", NULL, "norm", "4*t*h", "6*t*h", NULL, { 1, 1 }, 0, false },
	{ ROW_COLUMN, "head", NULL, NULL, NULL, "words", "h", { 0 }, 0, false },
	{ ROW_BYTES, "loss", NULL, "cross_entropy_fused", "4*s*words+4*s", "4*s*words+4*s", NULL, { 1, 1 }, 0, false },
};

/* Names that formulas can use. Each has a value for one layer on one device. */
static const char *const names[] = { "s", "t", "h", "q", "v", "o", "heads", "nope", "rope", "v_dim", "q_lora",
	"kv_lora", "latent", "qk_norm", "ulysses", "u", "f", "moe", "experts", "n", "ep", "etp", "tp", "f_expert",
	"f_shared", "words" };
enum { NAMES = sizeof names / sizeof names[0] };

struct operator_sizes {
	const struct layer_sizes *s;
	const struct division *d;
	long value[NAMES];
};

static struct operator_sizes
sizes_of(const struct layer_sizes *s, const struct division *d)
{
	const struct architecture *n = s->net;
	double t = s->tokens / s->split, query = s->latent ? s->heads * (n->qk_head_dim + n->rope_head_dim) : s->query;
	/* Every expert gets the same whole number of rows. */
	double rows = s->experts > 0 ? ceil(s->rows / d->etp / s->experts) * s->experts * d->etp : 0;
	const double value[NAMES] = { s->tokens, t, s->hidden, query, s->kv, s->latent ? s->heads * n->v_head_dim :
	    s->query, s->heads, n->qk_head_dim, n->rope_head_dim, n->v_head_dim, n->q_lora_rank, n->kv_lora_rank,
	    s->latent, n->qk_norm, d->cp > 1 && d->cp_kind == CONTEXT_ULYSSES, s->up_projections, s->ffn,
	    kind_of(n) == KIND_MOE, s->experts, rows, d->ep, d->etp, d->tp, s->expert, s->shared,
	    ceil((double)n->vocab_size / (128.0 * d->tp)) * 128 };
	struct operator_sizes z = { s, d, { 0 } };

	for (int i = 0; i < NAMES; i++)
		z.value[i] = lround(value[i]);
	return z;
}

static struct term
find_size(void *of, const char *name, size_t length)
{
	const struct operator_sizes *z = of;

	for (int i = 0; i < NAMES; i++)
		if (*names[i] == *name && strncmp(names[i], name, length) == 0 && names[i][length] == '\0')
			return (struct term){ .type = TERM_NUMBER, .number = z->value[i] };
	return (struct term){ .type = TERM_NONE, .length = length, .name = name };
}

static long
size_of(struct operator_sizes *z, const char *formula)
{
	const struct names known = { .find = find_size, .of = z };
	struct term value;

	if (!arithmetic_named(formula, &known, &value) || value.type != TERM_NUMBER)
		errx(STATUS_ERROR, "fault in this program: formula of the operator '%s'", formula);
	return value.number;
}

static struct operator_key
product_key(int layout, long m, long n, long k)
{
	struct operator_key key;

	memset(&key, 0, sizeof key);
	key.op = OPERATOR_MATMUL;
	key.phase = layout;
	key.size[PRODUCT_M] = m;
	key.size[PRODUCT_N] = n;
	key.size[PRODUCT_K] = k;
	key.accumulate = layout == LAYOUT_NT;
	key.out = layout == LAYOUT_NT ? TYPE_FP32 : TYPE_BF16;
	return key;
}

struct operator_listing {
	struct listed_operator *at;
	int n;
	const struct operator_row *row;
};

static struct listed_operator *
add(struct operator_listing *l, bool backward)
{
	struct listed_operator *o = &l->at[l->n++];

	if (l->n > LISTED_MOST)
		errx(STATUS_ERROR, "fault in this program: a layer has more operators than expected");
	*o = (struct listed_operator){ .name = l->row->name, .backward = backward, .module = l->row->module,
		.select = l->row->select, .times = 1, .group = -1, .beside = -1 };
	return o;
}

static void
add_collective(struct operator_listing *l, bool backward, int group, int op, double bytes, int beside)
{
	struct listed_operator *o;

	if (!(bytes > 0))
		return;
	o = add(l, backward);
	o->group = group;
	o->op = op;
	o->bytes = bytes;
	o->beside = beside;
}

/*
 * Add the three products of a linear layer, and its collectives. The products compute the forward, the gradient of the
 * input and the gradient of the weight.
 *
 * With sequence parallelism, a column-parallel product (ROW_COLUMN) gathers its input. In the backward it gathers the
 * input again, during the product of the input's gradient. It reduce-scatters that gradient during the product of the
 * weight's gradient. A row-parallel product (ROW_ROW) reduce-scatters its output, and gathers the output's gradient in
 * the backward.
 */
static void
add_product(struct operator_listing *l, struct operator_sizes *z, long m, long n, long k)
{
	enum row_type type = l->row->type;
	bool divided = z->d->tp > 1 && type != ROW_PRODUCT, sp = z->d->sp;
	double bytes = divided ? 2 * z->s->tokens * (double)(type == ROW_COLUMN ? k : n) : 0;
	int input;

	if (type == ROW_COLUMN && sp)
		add_collective(l, false, GROUP_TP, OP_ALL_GATHER, bytes, -1);
	add(l, false)->key = product_key(LAYOUT_TN, m, n, k);
	input = l->n;
	add(l, true)->key = product_key(LAYOUT_NN, m, k, n);
	add(l, true)->key = product_key(LAYOUT_NT, n, k, m);
	if (type == ROW_COLUMN && sp)
		add_collective(l, true, GROUP_TP, OP_ALL_GATHER, bytes, input);
	if (type == ROW_COLUMN)
		add_collective(l, true, GROUP_TP, sp ? OP_REDUCE_SCATTER : OP_ALL_REDUCE, bytes, input + 1);
	if (type == ROW_ROW)
		add_collective(l, false, GROUP_TP, sp ? OP_REDUCE_SCATTER : OP_ALL_REDUCE, bytes, -1);
	if (type == ROW_ROW && sp)
		add_collective(l, true, GROUP_TP, OP_ALL_GATHER, bytes, -1);
}

static void
add_grouped(struct operator_listing *l, struct operator_sizes *z, long n, long k)
{
	long groups = lround(z->s->local_experts), rows = size_of(z, "n") / groups;

	for (int phase = OPERATOR_FORWARD; phase <= OPERATOR_WEIGHT; phase++) {
		struct operator_key *key = &add(l, phase != OPERATOR_FORWARD)->key;

		memset(key, 0, sizeof *key);
		key->op = OPERATOR_GROUPED;
		key->phase = phase;
		key->out = TYPE_FP32;
		key->size[PRODUCT_M] = rows;
		key->size[PRODUCT_N] = n;
		key->size[PRODUCT_K] = k;
		key->size[PRODUCT_GROUPS] = groups;
	}
}

static void
add_attention(struct operator_listing *l, const struct operator_sizes *z)
{
	const struct layer_sizes *s = z->s;
	const struct architecture *n = s->net;
	bool exchanged = z->d->cp > 1 && z->d->cp_kind == CONTEXT_ULYSSES;
	double parts = exchanged ? z->d->cp : 1, kv = s->latent ? s->heads : s->kv / n->head_dim;

	for (int phase = OPERATOR_FORWARD; phase <= OPERATOR_BACKWARD; phase++) {
		struct listed_operator *o = add(l, phase == OPERATOR_BACKWARD);
		struct operator_key *key = &o->key;

		memset(key, 0, sizeof *key);
		key->op = OPERATOR_ATTENTION;
		key->phase = phase;
		key->causal = n->causal;
		key->contiguous = exchanged;
		key->size[ATTENTION_BATCH] = z->d->mbs;
		key->size[ATTENTION_SEQ] = n->seq_length;
		key->size[ATTENTION_HEADS] = lround(fmax(1, s->heads / parts));
		key->size[ATTENTION_KV] = lround(fmax(1, kv / parts));
		key->size[ATTENTION_QK] = s->latent ? n->qk_head_dim + n->rope_head_dim : n->head_dim;
		key->size[ATTENTION_V] = s->latent ? n->v_head_dim : n->head_dim;
		/* In ring attention a device has only its own part of the queries. */
		o->times = exchanged ? 1 : 1.0 / z->d->cp;
	}
}

static void
add_row(struct operator_listing *l, struct operator_sizes *z)
{
	const struct operator_row *r = l->row;
	double tokens = z->s->tokens;

	switch (r->type) {
	case ROW_BYTES:
		for (int phase = 0; phase < 2; phase++) {
			struct listed_operator *o = add(l, phase == 1);

			o->of = r->of;
			o->bytes = (double)size_of(z, phase == 0 ? r->a : r->b);
			o->kernels = r->kernels[phase];
		}
		break;
	case ROW_PRODUCT:
		add_product(l, z, size_of(z, r->a), size_of(z, r->b), size_of(z, r->c));
		break;
	case ROW_COLUMN:
	case ROW_ROW:
		add_product(l, z, lround(tokens), size_of(z, r->b), size_of(z, r->c));
		break;
	case ROW_GROUPED:
		add_grouped(l, z, size_of(z, r->b), size_of(z, r->c));
		break;
	case ROW_ATTENTION:
		add_attention(l, z);
		break;
	case ROW_EXCHANGE:
		for (int way = 0; way < 2; way++)
			for (int part = 0; part < 2; part++)
				add_collective(l, way == 1, GROUP_CP, OP_ALL_TO_ALL,
				    2 * tokens * (double)size_of(z, part == way ? r->a : r->b), -1);
		break;
	case ROW_DISPATCH:
		for (int way = 0; way < 2; way++)
			add_collective(l, way == 1, GROUP_EP, OP_ALL_TO_ALL, (double)size_of(z, r->a), -1);
		break;
	case ROW_SEQUENCE:
		add_collective(l, false, GROUP_TP, z->d->sp ? OP_REDUCE_SCATTER : OP_ALL_REDUCE,
		    (double)size_of(z, r->a), -1);
		if (z->d->sp)
			add_collective(l, true, GROUP_TP, OP_ALL_GATHER, (double)size_of(z, r->a), -1);
		break;
	case ROW_EXPERT_SUM:
		for (int way = 0; way < 2; way++) {
			add_collective(l, way == 1, GROUP_ETP, OP_ALL_GATHER, (double)size_of(z, r->a), -1);
			add_collective(l, way == 1, GROUP_ETP, OP_REDUCE_SCATTER, (double)size_of(z, r->a), -1);
		}
		break;
	}
}

static int
list_rows(const struct operator_row rows[], size_t n, const struct layer_sizes *s, const struct division *d,
    struct listed_operator at[LISTED_MOST])
{
	struct operator_sizes z = sizes_of(s, d);
	struct operator_listing l = { .at = at };

	for (size_t i = 0; i < n; i++) {
		l.row = &rows[i];
		if (rows[i].when == NULL || size_of(&z, rows[i].when) != 0)
			add_row(&l, &z);
	}
	return l.n;
}

#define LIST(rows) list_rows(rows, sizeof (rows) / sizeof (rows)[0], s, d, at)

int
operator_list_layer(const struct layer_sizes *s, const struct division *d, struct listed_operator at[LISTED_MOST])
{
	return LIST(layer_rows);
}

int
operator_list_embedding(const struct layer_sizes *s, const struct division *d, struct listed_operator at[LISTED_MOST])
{
	return LIST(embedding_rows);
}

int
operator_list_head(const struct layer_sizes *s, const struct division *d, struct listed_operator at[LISTED_MOST])
{
	return LIST(head_rows);
}

const char *
operator_list_lacks(const struct architecture *n)
{
	if (!n->attention || n->operations > 0)
		return "layers without softmax attention";
	if (n->frozen || n->trained > 0)
		return "frozen layers";
	if (!n->flash)
		return "attention without a fused kernel";
	if (n->window > 0 && n->window_share > 0 && n->window < n->seq_length)
		return "windows of attention";
	if (n->document > 0 && n->document < n->seq_length)
		return "packed documents";
	if (n->up != NULL || n->down != NULL || n->whole != NULL || n->blocks != 2)
		return "products outside of attention and feed-forward";
	return NULL;
}
