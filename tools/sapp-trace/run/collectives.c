/* Collectives: find the group of each collective, its bytes, and its time without waiting. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "lib/record/record.h"
#include "observe.h"

static const double small = 1 << 14;	/* bytes: norms and losses have less, gradients and parameters more */

/* Return the group in "hcom_allReduce__170_1_1" or "nccl all_reduce [0, 1]"; caller frees. */
static char *
group_of(const char *name)
{
	const char *list = strchr(name, '['), *number = strstr(name, "__");

	if (list != NULL)
		return xstrndup(list, strcspn(list, "]") + 1);
	return number != NULL ? xstrndup(number + 2, strcspn(number + 2, "_")) : xstrdup("");
}

void
collectives_add(struct observations *o, const struct rank_run *run, const struct piece *const *sorted)
{
	const struct sequence *s = run->sequence;
	const struct layout *l = run->layout;
	struct calls calls;

	calls_open(&calls, s, run->source);
	for (size_t i = 0; i < s->n; i++) {
		const struct item *x = &s->at[i];
		const struct kernel_type *t = &s->type[x->type];
		const struct piece *p;
		const struct communication *c;
		struct call_said said;
		struct call call = { .op = op_of(t->name), .rank = run->job.rank, .step = s->number[x->step],
			.time = (double)(x->end - x->start) / 1e6 };

		if (!(t->roles & ROLE_COMMUNICATION))
			continue;
		said = calls_next(&calls, x->type, x->step, s->number[x->step]);
		if (!run->counted[x->step] || call.op < 0)
			continue;
		p = piece_at(sorted, l->n, x->start);
		call.at = where_of(p, l, x->step, x->start, run->job.stage);
		call.within = p != NULL && p->part == LAYER_BODY && x->end <= p->start + (int64_t)p->wall;
		call.name = keys_take(&o->keys, xasprintf("%s#%d", s->type[t->family].name, said.earlier));
		c = said.said;
		if (c != NULL) {
			call.bytes = c->bytes;
			call.between_nodes = c->between_nodes;
			/* Some releases omit this time. */
			if (c->transit > 0)
				call.time = c->transit;
		}
		/* PyTorch gives the bytes of the whole group, Ascend's tools the bytes on the links of one device. */
		if (said.bytes > 0) {
			call.bytes = said.bytes;
			call.all = true;
		}
		call.group = keys_take(&o->keys,
		    c != NULL && c->group[0] != '\0' ? xstrdup(c->group) : group_of(t->name));
		*APPEND(o->call, o->ncalls) = call;
	}
	calls_close(&calls);
}

struct collective_group {			/* a group of ranks, as the profiler names it */
	const char *name;
	uint32_t key;		/* index of the name in keys */
	int nranks, rank[64];	/* the profiled ranks in the group */
	bool ops[OP_BROADCAST + 1], within, large;
	int kind, members, stride;	/* kind: enum observed_group; members, stride: 0 if unknown */
	bool told;
};

struct degree {
	int members, stride;
};

/*
 * Return the degree of a kind of group. Ranks are numbered in the order tp, cp, dp, pp; expert groups divide data
 * groups.
 */
static struct degree
degree_of(const struct trace_job *j, int kind)
{
	int tp = j->tp > 0 ? j->tp : 1, cp = j->cp > 0 ? j->cp : 1, ep = j->ep > 0 ? j->ep : 1;
	int dp = j->dp > 0 ? j->dp : 1, pp = j->stages > 0 ? j->stages : 1, inner = tp * cp * dp;

	switch (kind) {
	case GROUP_TP:
		return (struct degree){ tp, 1 };
	case GROUP_CP:
		return (struct degree){ cp, tp };
	case GROUP_EP:
		return (struct degree){ ep, tp };
	case GROUP_DP:
		return (struct degree){ cp * dp, tp };
	case GROUP_EDP:
		return (struct degree){ ep > 1 ? cp * dp / ep : 1, tp * ep };
	case GROUP_PP:
		return (struct degree){ pp, inner };
	case GROUP_EMBD:
		return (struct degree){ pp > 1 ? 2 : 1, inner * (pp > 1 ? pp - 1 : 1) };
	default:
		return (struct degree){ 1, 1 };
	}
}

static bool
together(struct degree d, int a, int b)
{
	int block = d.members * d.stride;

	return a / block == b / block && a % d.stride == b % d.stride && (a % block) / d.stride < d.members;
}

/* Return whether the members and the other ranks fit groups of this KIND. */
static bool
ranks_fit(const struct observations *o, const struct collective_group *g, int kind)
{
	struct degree d = degree_of(&o->job, kind);

	if (d.members < 2)
		return false;
	for (size_t i = 0; i < o->nranks; i++) {
		bool in = false;

		for (int k = 0; k < g->nranks; k++)
			in |= g->rank[k] == o->ranks[i].rank;
		if (o->ranks[i].rank >= 0 && g->rank[0] >= 0 && in != together(d, g->rank[0], o->ranks[i].rank))
			return false;
	}
	return true;
}

/* Return whether the operations of a group fit this KIND. */
static bool
work_fits(const struct collective_group *g, int kind)
{
	bool gathers = g->ops[OP_ALL_GATHER] || g->ops[OP_REDUCE_SCATTER];

	switch (kind) {
	case GROUP_TP:
		return g->within && (gathers || g->ops[OP_ALL_REDUCE]);
	case GROUP_CP:
		return g->within && (g->ops[OP_ALL_GATHER] || g->ops[OP_ALL_TO_ALL] || g->ops[OP_SEND]) &&
		    !g->ops[OP_ALL_REDUCE];
	case GROUP_EP:
		return g->within && g->ops[OP_ALL_TO_ALL];
	case GROUP_DP:
	case GROUP_EDP:
		return !g->within && g->large && (gathers || g->ops[OP_ALL_REDUCE]);
	case GROUP_EMBD:
		return !g->within && g->large && g->ops[OP_ALL_REDUCE] && !gathers;
	case GROUP_PP:
		return !g->within && g->ops[OP_SEND];
	default:
		return false;
	}
}

/* Set members and stride of a group from a list of ranks, "[0, 2]". */
static void
take_list(struct collective_group *g)
{
	long first = -1, last = -1;
	int n = 0;

	for (const char *p = g->name; *p != '\0' && *p != ']'; ) {
		char *end;
		long rank = strtol(p + 1, &end, 10);

		if (end == p + 1)
			return;
		if (n == 1)
			g->stride = (int)(rank - last);
		first = n == 0 ? rank : first;
		last = rank;
		n++;
		p = end;
	}
	g->members = n;
	g->told = n > 1 && g->stride > 0;
}

static bool
listed_fits(const struct observations *o, const struct collective_group *g, int kind)
{
	struct degree d = degree_of(&o->job, kind);

	return d.members == g->members && d.stride == g->stride;
}

/* Return the only kind that fits a group and that no other group of its ranks has; -1: *KINDS kinds fit. */
static int
only_kind(const struct observations *o, const struct collective_group *all, size_t n, size_t which, int *kinds)
{
	const struct collective_group *g = &all[which];
	int only = -1;

	*kinds = 0;
	for (int kind = 0; kind < GROUP_OTHER; kind++) {
		bool may = work_fits(g, kind) && (g->told ? listed_fits(o, g, kind) : ranks_fit(o, g, kind));

		for (size_t i = 0; i < n && may; i++)
			for (int k = 0; k < all[i].nranks; k++)
				if (i != which && all[i].kind == kind)
					for (int m = 0; m < g->nranks; m++)
						may &= g->rank[m] != all[i].rank[k];
		if (may) {
			only = kind;
			++*kinds;
		}
	}
	return *kinds == 1 ? only : -1;
}

static struct collective_group *
groups_of(const struct observations *o, size_t *n)
{
	struct collective_group *all = NULL;

	*n = 0;
	for (size_t i = 0; i < o->ncalls; i++) {
		const struct call *c = &o->call[i];
		struct collective_group *g = NULL;
		bool known = false;

		for (size_t k = 0; k < *n && g == NULL; k++)
			if (all[k].key == c->group)
				g = &all[k];
		if (g == NULL) {
			g = APPEND(all, *n);
			*g = (struct collective_group){ .name = o->keys.at[c->group], .key = c->group,
			    .kind = GROUP_OTHER };
			if (g->name[0] == '[')
				take_list(g);
		}
		for (int k = 0; k < g->nranks; k++)
			known |= g->rank[k] == c->rank;
		if (!known && g->nranks < (int)(sizeof g->rank / sizeof g->rank[0]))
			g->rank[g->nranks++] = c->rank;
		g->ops[c->op] = true;
		g->within |= c->within;
		g->large |= c->bytes >= small;
	}
	/* If the kind of a group is known, the other groups of its ranks cannot have this kind. */
	for (size_t round = 0; round < *n; round++)
		for (size_t i = 0; i < *n; i++) {
			int kinds, kind = all[i].kind == GROUP_OTHER ? only_kind(o, all, *n, i, &kinds) : -1;

			if (kind >= 0) {
				all[i].kind = kind;
				all[i].members = degree_of(&o->job, kind).members;
				all[i].stride = degree_of(&o->job, kind).stride;
			}
		}
	for (size_t i = 0; i < *n; i++) {
		int kinds;

		if (all[i].kind == GROUP_OTHER && only_kind(o, all, *n, i, &kinds) < 0 && kinds > 1)
			place_warn((struct place){ .source = o->run }, "a group of collectives may be of %d kinds by "
			    "its ranks and data: 'other' '%.60s'", kinds, all[i].name);
	}
	return all;
}

/* Return the bytes that the group gathers, reduces or exchanges, from LINKS, the bytes on the links of one device. */
static double
size_of(double links, int op, int members)
{
	double share = members > 1 ? (members - 1.0) / members : 1;

	if (op == OP_SEND || op == OP_BROADCAST || members < 2)
		return links;
	return round(op == OP_ALL_REDUCE ? links / share / 2 : links / share);
}

struct told {			/* a call, with the facts from all its ranks */
	const struct call *call;
	const struct collective_group *group;
	double bytes, time;
	size_t order;
};

ORDER_BY(by_call, struct told, it->call->group, it->call->name, it->call->step)

ORDER_BY(by_place, struct told, place_number(it->call->at), it->group, it->call->op, it->bytes, it->order)

static void
put(FILE *out, const struct observations *o, const struct told *t, size_t n, int order)
{
	const struct collective_group *g = t->group;
	const struct call *c = t->call;
	bool between = false;
	double wait = 0;
	struct observed_communication m = { .op = c->op,
		.bytes = c->all ? t->bytes : size_of(t->bytes, c->op, g->members),
		.calls = calls_a_step(o, c->at.stage, (int)n) };

	for (size_t i = 0; i < n; i++) {
		m.time += t[i].time / (double)n;
		wait += (t[i].call->time - t[i].time) / (double)n;
		between |= t[i].call->between_nodes;
	}
	GIVE(observed_communication, &m, run, (char *)o->run);
	GIVE(observed_communication, &m, stage, c->at.stage);
	GIVE(observed_communication, &m, group, g->kind);
	if (g->kind != GROUP_OTHER)
		GIVE(observed_communication, &m, told, g->told ? TOLD_METADATA : TOLD_TRAFFIC);
	GIVE(observed_communication, &m, part, c->at.part);
	GIVE(observed_communication, &m, phase, c->at.phase);
	GIVE(observed_communication, &m, order, order);
	if (g->members > 1)
		GIVE(observed_communication, &m, members, g->members);
	if (g->members > 1 && g->stride > 0)
		GIVE(observed_communication, &m, stride, g->stride);
	/* A node holds consecutive ranks. */
	if (o->nodes > 0 && g->members > 1 && o->job.world > 0) {
		int each = o->job.world / o->nodes > 0 ? o->job.world / o->nodes : 1;
		int nodes = (g->members * g->stride + each - 1) / each;

		GIVE(observed_communication, &m, nodes, nodes > 1 ? nodes < g->members ? nodes : g->members : 1);
	} else if (t->bytes > 0 && !between && !c->all) {
		GIVE(observed_communication, &m, nodes, 1);
	}
	if (wait > 0)
		GIVE(observed_communication, &m, wait, wait);
	record_put(out, RECORD_COMMUNICATION, &m);
}

void
collectives_write(FILE *out, struct observations *o)
{
	size_t n;
	struct collective_group *groups = groups_of(o, &n);
	struct told *told = xcalloc(o->ncalls + 1, sizeof *told);
	int order = 0;

	for (size_t i = 0; i < o->ncalls; i++) {
		told[i] = (struct told){ &o->call[i], groups, o->call[i].bytes, o->call[i].time, i };
		while (told[i].group->key != o->call[i].group)
			told[i].group++;
	}
	/* The last rank to join did not wait. Perhaps only one end of a message knows its size. */
	SORT(told, o->ncalls, by_call);
	for (size_t i = 0, j; i < o->ncalls; i = j) {
		double time = told[i].time, bytes = 0;

		for (j = i; j < o->ncalls && by_call(&told[j], &told[i]) == 0; j++) {
			time = fmin(time, told[j].time);
			bytes = fmax(bytes, told[j].bytes);
		}
		for (size_t k = i; k < j; k++) {
			told[k].time = time;
			told[k].bytes = bytes;
		}
	}
	SORT(told, o->ncalls, by_place);
	for (size_t i = 0, j; i < o->ncalls; i = j) {
		for (j = i; j < o->ncalls && place_number(told[j].call->at) == place_number(told[i].call->at) &&
		    told[j].group == told[i].group &&
		    told[j].call->op == told[i].call->op && told[j].bytes == told[i].bytes; j++)
			;
		order = i > 0 && place_number(told[i].call->at) == place_number(told[i - 1].call->at) ? order + 1 : 0;
		put(out, o, &told[i], j - i, order);
	}
	free(told);
	free(groups);
}
