/* Times and memory of layers whose sequences are split. */
#include "network.h"

/* Return the MB kept for one part of the sequences. The keys and values of attention (KV) are kept whole. */
static double
split_kept(double kept, int splits, double kv)
{
	return kept > 0 ? (kept - 2 * kv) / splits + 2 * kv : 0;
}

static void
split_body(struct body *b, int splits, double kv)
{
	double least;

	b->forward /= splits;
	b->weight /= splits;
	b->transient /= splits;
	if (b->side != 0) {
		b->backward[RECOMPUTE_NONE] /= splits;
		b->kept = b->activation[RECOMPUTE_NONE] /= splits;
		return;
	}
	least = b->kept;
	b->kept = split_kept(least, splits, kv);
	b->parameter += 4 * kv;
	b->has[RECOMPUTE_FULL] = false;
	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		b->backward[k] /= splits;
		b->weight_more[k] /= splits;
		b->kept_more[k] = split_kept(least + b->kept_more[k], splits, kv) - b->kept;
		b->offload[k] /= splits;
		if (b->activation[k] > 0)
			b->activation[k] = (b->activation[k] - 2 * kv) / splits + 2 * kv;
	}
}

/*
 * Return a pointer to the parameters, MB, of HEAD or TAIL. If such layers are unbound, point to the first one's
 * parameters.
 */
static double *
end_parameter(struct network *net, int side)
{
	for (int b = 0; b < net->nbodies; b++)
		if (net->body[b].side == side)
			return &net->body[b].parameter;
	return side < 0 ? &net->head.parameter : &net->tail.parameter;
}

static bool
tail_transient(const struct network *net)
{
	bool any = net->tail.transient > 0;

	for (int b = 0; b < net->nbodies; b++)
		any |= net->body[b].side > 0 && net->body[b].transient > 0;
	return any;
}

void
network_split(struct network *net, int splits, struct place at)
{
	const struct model *m = net->model;
	double tokens, hidden, t, kv, loss, part = 1 - 1.0 / splits;
	bool tail;

	if (splits <= 1)
		return;
	if (m == NULL || m->seq_length == 0 || m->hidden_size == 0 || m->vocab_size == 0 || m->batch_size == 0 ||
	    m->model_parallel == 0)
		place_die(at, "sequence splits need a model record with seq_length, hidden_size, vocab_size, "
		    "batch_size and model_parallel, such as model_config of an init YAML");
	if (m->model_parallel == 1 && m->intermediate_size == 0)
		place_die(at, "sequence splits without tensor parallelism need a model record with intermediate_size");
	if (m->seq_length / splits < 4096)
		place_warn(at, "%d splits have %d tokens each: below 4096 the device is not fully used", splits,
		    m->seq_length / splits);
	/* MB of a micro-batch with one byte per token */
	tokens = (double)m->batch_size * m->seq_length / (1 << 20);
	hidden = m->hidden_size;
	t = m->model_parallel;
	kv = 2 * tokens * hidden / t;
	loss = 4 * tokens * m->vocab_size / t;
	tail = tail_transient(net);
	for (int b = 0; b < net->nbodies; b++)
		split_body(&net->body[b], splits, kv);
	*end_parameter(net, -1) -= part *
	    (t > 1 ? 2 * kv + 2 * tokens * hidden : kv + 2 * tokens * m->intermediate_size);
	/* If the record states the transient memory, its parameters do not include that memory. */
	if (!tail)
		*end_parameter(net, 1) -= 3 * part * loss - part * loss;
	net->head.transient /= splits;
	net->tail.transient /= splits;
	net->head.forward /= splits;
	net->head.backward /= splits;
	net->tail.forward /= splits;
	net->tail.backward /= splits;
	net->head.weight /= splits;
	net->tail.weight /= splits;
	net->splits = splits;
}
