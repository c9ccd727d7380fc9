#include "proof.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

struct proof_node {
	unsigned char *alive;	/* [columns], 1 for columns that are left */
	/* bound of its layouts, or of its parent's, as a multiple of the parts, without question.rest */
	mpq_t least;
};

struct proof_tree {
	const struct check_question *question;
	struct layouts layouts;
	int npaths;
	struct layout_path *path;
	int depth, room;
	struct proof_node *node;	/* [depth], open nodes; the last node is next; none: all are closed */
	mpq_t aside;		/* minimum bound of the nodes that are left open, if any */
	bool left_open;
	struct proof result;
};

/* Return whether an operation of a stage waits for an operation of another stage or chunk. */
static bool
waits(const struct check_question *q, int stage, int n, int from, int which)
{
	struct check_operation of, is = question_operation(q, from, which);
	int stage_of;

	return question_waits(q, stage, question_operation(q, stage, n), &stage_of, &of) && stage_of == from &&
	    of.forward == is.forward && of.chunk == is.chunk && of.micro == is.micro;
}

static struct layout_path *
new_path(struct proof_tree *t)
{
	const struct check_question *q = t->question;
	struct layout_path *p = APPEND(t->path, t->npaths);

	p->forwards = xcalloc((size_t)q->pieces, sizeof *p->forwards);
	p->backwards = xcalloc((size_t)q->pieces, sizeof *p->backwards);
	p->crossings = xcalloc((size_t)q->asked->stages, sizeof *p->crossings);
	p->last = 0;
	return p;
}

/* Add a path: all operations of a stage, in any order, after a forward of each earlier stage. */
static void
add_load(struct proof_tree *t, int stage, struct place at)
{
	const struct check_question *q = t->question;
	struct layout_path *p = new_path(t);

	if (stage >= q->asked->stages)
		place_die(at, "load: stage: out of range '%d'", stage);
	for (int v = 0; v < q->chunks; v++) {
		p->forwards[v * q->asked->stages + stage] += q->asked->micro_batches;
		p->backwards[v * q->asked->stages + stage] += q->asked->micro_batches;
	}
	for (int s = 0; s < stage; s++)
		p->forwards[s]++;
	p->last = stage;
}

/* Add a path of operations. Checks that each waits for the operation before it. */
static void
add_path(struct proof_tree *t, struct grid steps, struct place at)
{
	const struct check_question *q = t->question;
	struct layout_path *p = new_path(t);

	if (steps.stages != 3)
		place_die(at, "path: steps: expected a list of [stage, first, last]");
	if (q->any_order)
		place_die(at, "path: the order of operations is free, so only a load is allowed");
	for (int i = 0; i < steps.chunks; i++) {
		const int *step = &steps.at[3 * i];

		if (step[0] >= q->asked->stages || step[1] > step[2] || step[2] >= question_operations(q))
			place_die(at, "path: not operations of the schedule '[%d, %d, %d]'", step[0], step[1], step[2]);
		if (i > 0 && !waits(q, step[0], step[1], step[-3], step[-1]))
			place_die(at, "path: operation %d of stage %d does not wait for operation %d of stage %d",
			    step[1], step[0], step[-1], step[-3]);
		if (i > 0 && question_edge(q, step[-3], step[0]) >= 0)
			p->crossings[question_edge(q, step[-3], step[0])]++;
		for (int n = step[1]; n <= step[2]; n++) {
			struct check_operation op = question_operation(q, step[0], n);

			(op.forward ? p->forwards : p->backwards)[op.chunk * q->asked->stages + step[0]]++;
		}
		p->last = step[0];
	}
}

static struct proof_node *
top(struct proof_tree *t)
{
	return &t->node[t->depth - 1];
}

static void
push(struct proof_tree *t)
{
	struct proof_node *n;

	if (t->depth == t->room) {
		t->room = t->room > 0 ? 2 * t->room : 16;
		t->node = xreallocarray(t->node, (size_t)t->room, sizeof *t->node);
	}
	n = &t->node[t->depth++];
	n->alive = xcalloc((size_t)t->layouts.columns.n + 1, sizeof *n->alive);
	mpq_init(n->least);
}

static void
pop(struct proof_tree *t)
{
	free(top(t)->alive);
	mpq_clear(top(t)->least);
	t->depth--;
}

static void
bound(struct proof_tree *t, const struct certificate_mean *m, struct place at)
{
	struct mean_of_paths of = { m->paths.stages, xcalloc((size_t)m->paths.stages, sizeof *of.path),
		m->weights.at, m->prices.n > 0 ? m->prices.at : NULL };
	mpq_t least;
	bool left, any = false;

	if (t->question->bound < 0)
		place_die(at, "bound: it follows a proof that no plan fits");
	if (m->paths.chunks != 1 || m->weights.chunks != 1 || m->paths.stages != m->weights.stages)
		place_die(at, "bound: expected one weight per path");
	for (int i = 0; i < m->paths.stages; i++) {
		if (m->paths.at[i] >= t->npaths)
			place_die(at, "bound: paths: no path has this number '%d'", m->paths.at[i]);
		of.path[i] = &t->path[m->paths.at[i]];
		any |= m->weights.at[i] > 0;
	}
	if (!any)
		place_die(at, "bound: weights: all weights are 0");
	if (m->prices.n > 0 && m->prices.n != t->question->nbodies)
		place_die(at, "bound: prices: expected one per kind of layers");
	mpq_init(least);
	left = layouts_drop(&t->layouts, top(t)->alive, &of, least);
	if (mpq_cmp(least, top(t)->least) > 0)
		mpq_set(top(t)->least, least);
	mpq_clear(least);
	free(of.path);
	t->result.bounds++;
	if (!left)
		pop(t);
}

/* Divide the last node. The second half stays on the stack until the first half is closed. */
static void
branch(struct proof_tree *t, const struct certificate_division *d, struct place at)
{
	bool layers = GIVEN(certificate_division, d, layers), first = GIVEN(certificate_division, d, first);
	bool border = GIVEN(certificate_division, d, border);
	enum division_by by = layers ? BY_LAYERS : first ? BY_FIRST : border ? BY_BORDER : BY_BACKWARD;
	double most = layers ? d->layers : first ? d->first : border ? d->border : d->backward;

	if (layers + first + border + GIVEN(certificate_division, d, backward) != 1)
		place_die(at, "branch: expected one of layers, first, backward and border");
	if (d->stage >= t->question->asked->stages)
		place_die(at, "branch: stage: out of range '%d'", d->stage);
	if (d->chunk >= t->question->chunks)
		place_die(at, "branch: chunk: out of range '%d'", d->chunk);
	if (first && t->question->chunks > 1)
		place_die(at, "branch: first: only with one chunk per stage");
	push(t);
	memcpy(top(t)->alive, top(t)[-1].alive, (size_t)t->layouts.columns.n);
	mpq_set(top(t)->least, top(t)[-1].least);
	layouts_keep(&t->layouts, top(t)->alive, d->stage, d->chunk, by, most, false);
	layouts_keep(&t->layouts, top(t)[-1].alive, d->stage, d->chunk, by, most, true);
	t->result.branches++;
}

/*
 * Make the node of a record the last one: the node with NODE open nodes. The writer has closed the nodes above it; here
 * they are still open, so their bounds are kept. Return false if the node itself is closed here.
 */
static bool
reach(struct proof_tree *t, int node)
{
	while (t->depth > node) {
		if (!t->left_open || mpq_cmp(top(t)->least, t->aside) < 0)
			mpq_set(t->aside, top(t)->least);
		t->left_open = true;
		pop(t);
	}
	return t->depth == node;
}

/* Close the nodes without layouts. */
static void
close_empty(struct proof_tree *t)
{
	while (t->depth > 0 && !layouts_any(&t->layouts, top(t)->alive))
		pop(t);
}

/* Return the minimum bound of the open nodes, rounded down, with the time outside of the pipeline. */
static double
least_open(const struct proof_tree *t)
{
	const struct check_question *q = t->question;
	mpq_t least, parts, rest;
	double ms;

	mpq_inits(least, parts, rest, NULL);
	mpz_set(mpq_numref(least), t->layouts.columns.claim);
	if (t->left_open && mpq_cmp(t->aside, least) < 0)
		mpq_set(least, t->aside);
	for (int i = 0; i < t->depth; i++)
		if (mpq_cmp(t->node[i].least, least) < 0)
			mpq_set(least, t->node[i].least);
	mpq_set_z(parts, q->pace.parts);
	mpq_div(least, least, parts);
	mpq_set_z(rest, ledger_at(&q->ms, q->rest));
	mpq_add(least, least, rest);
	ms = ledger_double(&q->ms, least);
	mpq_clears(least, parts, rest, NULL);
	return ms;
}

struct proof
proof_check(struct certificate *c, const struct check_question *q)
{
	struct proof_tree t = { .question = q };
	struct certificate_record r = { .kind = CERTIFICATE_PROOF };

	mpq_init(t.aside);
	if (layouts_open(&t.layouts, q)) {
		push(&t);
		memset(top(&t)->alive, true, (size_t)t.layouts.columns.n);
		close_empty(&t);
	} else {
		t.left_open = true;
	}
	while (r.kind != CERTIFICATE_END) {
		certificate_next(c, &r);
		if (r.kind == CERTIFICATE_PROOF)
			place_die(r.place, "a second proof record");
		if (r.kind == CERTIFICATE_PATH)
			add_path(&t, r.steps.steps, r.place);
		if (r.kind == CERTIFICATE_LOAD)
			add_load(&t, r.load.stage, r.place);
		if (r.kind == CERTIFICATE_BOUND && reach(&t, r.mean.node))
			bound(&t, &r.mean, r.place);
		if (r.kind == CERTIFICATE_BRANCH && reach(&t, r.division.node))
			branch(&t, &r.division, r.place);
		if (r.kind == CERTIFICATE_BOUND || r.kind == CERTIFICATE_BRANCH)
			close_empty(&t);
		certificate_record_free(&r);
	}
	t.result.closed = t.depth == 0 && !t.left_open;
	t.result.proved = q->bound >= 0 ? least_open(&t) : 0;
	while (t.depth > 0)
		pop(&t);
	for (int i = 0; i < t.npaths; i++) {
		free(t.path[i].forwards);
		free(t.path[i].backwards);
		free(t.path[i].crossings);
	}
	free(t.path);
	free(t.node);
	mpq_clear(t.aside);
	layouts_free(&t.layouts);
	return t.result;
}
