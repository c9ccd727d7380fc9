#include "proof.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

struct node {
	unsigned char *alive;	/* [runs] */
	mpq_t least;		/* of its layouts, or of those that it is part of, by a bound; parts, without rest */
};

struct tree {
	const struct question *question;
	struct layouts layouts;
	int npaths;
	struct path *path;
	int depth, room;
	struct node *node;	/* [depth], open: the last one is gone on with; none: all are closed */
	mpq_t aside;		/* the least of the nodes that were left open; only where there are such */
	bool left_open;
	struct proof result;
};

static int *
numbers_new(const struct question *q)
{
	return xcalloc((size_t)q->asked->stages, sizeof(int));
}

/* A path of the operations, each of which waits for the one before. */
static void
add_path(struct tree *t, struct grid steps, struct place at)
{
	const struct question *q = t->question;
	struct path *p = APPEND(t->path, t->npaths);

	if (steps.stages != 3)
		place_die(at, "path: steps: not a list of [stage, first, last]");
	*p = (struct path){ numbers_new(q), numbers_new(q), numbers_new(q), 0 };
	for (int i = 0; i < steps.chunks; i++) {
		const int *step = &steps.at[3 * i];
		int edge;

		if (step[0] >= q->asked->stages || step[1] > step[2] || step[2] >= 2 * q->asked->micro_batches)
			place_die(at, "path: no operations of the schedule '[%d, %d, %d]'", step[0], step[1], step[2]);
		if (i > 0 && !question_needs(q, step[-3], step[-1], step[0], step[1], &edge))
			place_die(at, "path: operation %d of stage %d does not wait for operation %d of stage %d",
			    step[1], step[0], step[-1], step[-3]);
		if (i > 0)
			p->crossings[edge]++;
		for (int n = step[1]; n <= step[2]; n++)
			(question_operation(q, step[0], n).forward ? p->forwards : p->backwards)[step[0]]++;
		p->last = step[0];
	}
}

static struct node *
top(struct tree *t)
{
	return &t->node[t->depth - 1];
}

static void
push(struct tree *t)
{
	struct node *n;

	if (t->depth == t->room) {
		t->room = t->room > 0 ? 2 * t->room : 16;
		t->node = xreallocarray(t->node, (size_t)t->room, sizeof *t->node);
	}
	n = &t->node[t->depth++];
	n->alive = xcalloc(t->layouts.runs, sizeof *n->alive);
	mpq_init(n->least);
}

static void
pop(struct tree *t)
{
	free(top(t)->alive);
	mpq_clear(top(t)->least);
	t->depth--;
}

static void
bound(struct tree *t, const struct mean *m, struct place at)
{
	const struct path **path = xcalloc((size_t)m->paths.stages, sizeof *path);
	mpq_t least;
	bool left, any = false;

	if (t->question->bound < 0)
		place_die(at, "bound: of what no plan fits nothing else is said");
	if (m->paths.chunks != 1 || m->weights.chunks != 1 || m->paths.stages != m->weights.stages)
		place_die(at, "bound: not a weight for each path");
	for (int i = 0; i < m->paths.stages; i++) {
		if (m->paths.at[i] >= t->npaths)
			place_die(at, "bound: paths: none has been given with this number '%d'", m->paths.at[i]);
		path[i] = &t->path[m->paths.at[i]];
		any |= m->weights.at[i] > 0;
	}
	if (!any)
		place_die(at, "bound: weights: all are 0");
	mpq_init(least);
	left = layouts_drop(&t->layouts, top(t)->alive, m->paths.stages, path, m->weights.at, least);
	if (mpq_cmp(least, top(t)->least) > 0)
		mpq_set(top(t)->least, least);
	mpq_clear(least);
	free(path);
	t->result.bounds++;
	if (!left)
		pop(t);
}

/* The second half waits on the stack for the first. */
static void
branch(struct tree *t, const struct division *d, struct place at)
{
	bool first = GIVEN(division, d, first);
	int most = first ? d->first : d->layers;

	if (first == GIVEN(division, d, layers))
		place_die(at, "branch: takes layers or first, one of them");
	if (d->stage >= t->question->asked->stages)
		place_die(at, "branch: stage: there is none '%d'", d->stage);
	push(t);
	memcpy(top(t)->alive, top(t)[-1].alive, t->layouts.runs);
	mpq_set(top(t)->least, top(t)[-1].least);
	layouts_keep(&t->layouts, top(t)->alive, d->stage, first, most, false);
	layouts_keep(&t->layouts, top(t)[-1].alive, d->stage, first, most, true);
	t->result.branches++;
}

/*
 * A record is for the node with so many open. Nodes above it, which its writer had closed, are left open for good.
 * False: the node is closed already.
 */
static bool
reach(struct tree *t, int node)
{
	while (t->depth > node) {
		if (!t->left_open || mpq_cmp(top(t)->least, t->aside) < 0)
			mpq_set(t->aside, top(t)->least);
		t->left_open = true;
		pop(t);
	}
	return t->depth == node;
}

/* Close nodes without a layout. */
static void
close_empty(struct tree *t)
{
	while (t->depth > 0 && !layouts_any(&t->layouts, top(t)->alive))
		pop(t);
}

/* The least of the nodes that are open, with what the step has besides; a double that is not above it. */
static double
least_open(const struct tree *t)
{
	const struct question *q = t->question;
	mpq_t least, parts, rest;
	double ms;

	mpq_inits(least, parts, rest, NULL);
	mpz_set(mpq_numref(least), t->layouts.claim);
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
proof_check(struct certificate *c, const struct question *q)
{
	struct tree t = { .question = q };
	struct certificate_record r = { .kind = CERTIFICATE_PROOF };

	mpq_init(t.aside);
	layouts_open(&t.layouts, q, c->place);
	push(&t);
	layouts_begin(&t.layouts, top(&t)->alive);
	close_empty(&t);
	while (r.kind != CERTIFICATE_END) {
		certificate_next(c, &r);
		if (r.kind == CERTIFICATE_PROOF)
			place_die(r.place, "a second proof");
		if (r.kind == CERTIFICATE_PATH)
			add_path(&t, r.steps.steps, r.place);
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
