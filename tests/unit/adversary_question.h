/* Random questions, and the files and options that ask them. */
#ifndef ADVERSARY_QUESTION_H
#define ADVERSARY_QUESTION_H

#include <sys/wait.h>

#include "adversary_step.h"

static char adversary_dir[] = "/tmp/adversary.XXXXXX";

static const struct {
	const char *name;
	int chunks;
	bool splits, mirrored, joined, exchanges;
} schedules[] = {
	{ "1f1b", 1, .exchanges = true }, { "gpipe", 1, .exchanges = true }, { "vpp", 2, .exchanges = false },
	{ "vpp-less", 2, .splits = false }, { "vpp-overlap", 2, .joined = true }, { "zb-h1", 1, .splits = true },
	{ "zb-h2", 1, .splits = true }, { "zb-vpp", 2, .splits = true }, { "zbv", 2, .splits = true },
	{ "v-half", 2, .splits = true }, { "v-min", 2, .splits = true }, { "zero-bubble-v", 2, .splits = true },
	{ "dualpipe", 1, .splits = true, .mirrored = true, .joined = true },
	{ "dualpipev", 2, .splits = true, .joined = true }, { "custom", 1, .splits = true },
	{ "custom", 2, .splits = true }, { "free", 1, .splits = true },
};
enum { SCHEDULES = sizeof schedules / sizeof *schedules };

static inline double
amount(struct question *q, int n, bool digits)
{
	double whole = below(q, n);

	return digits ? whole + below(q, 1 << 30) / (double)(1 << 30) : whole;
}

static inline void
draw_layers(struct question *q, struct layers *l, int side, bool digits, bool splits)
{
	int kinds = 1 + below(q, 3);
	bool weights = splits && below(q, 2), kept = splits && below(q, 3) == 0, timed = below(q, 3) > 0;

	*l = (struct layers){ .side = side, .bound = side != 0, .n = 1 + below(q, 3) * (side == 0),
	    .forward = 1 + amount(q, 20, digits), .parameter = amount(q, 40, digits), .weight = -1, .kept = -1 };
	for (int k = 0; k < KINDS; k++) {
		l->own_weight[k] = l->own_kept[k] = l->backward[k] = l->coef[k] = -1;
		l->activation[k] = 1 + amount(q, k > 0 ? 20 : 40, digits);
	}
	if (below(q, 4) == 0)
		l->transient = amount(q, 30, digits);
	if (timed)
		l->backward[NONE] = 2 * l->forward + amount(q, 9, digits) - fmin(2, l->forward);
	else if (below(q, 2))
		l->coef[NONE] = amount(q, 8, digits) / 8;
	if (weights)
		l->weight = backward_of(l, NONE) * below(q, 5) / 8;
	l->has[NONE] = side != 0;
	if (side != 0)
		return;
	if (kept)
		l->kept = amount(q, 25, digits);
	if (below(q, 4) == 0)
		l->floor = amount(q, 150, digits);
	while (kinds-- > 0)
		l->has[below(q, q->mixes == 'a' ? KINDS : OWN)] = true;
	if (q->splits > 1) {
		l->has[FULL] = false;
		l->has[SELECT] = true;
	}
	if (q->mixes == 'u' || below(q, 2))
		l->has[NONE] = true;
	for (int k = 1; k < KINDS; k++) {
		if (k == OWN || below(q, 2)) {
			if (below(q, 2))
				l->backward[k] = backward_of(l, NONE) * (below(q, 3) ? 1 + amount(q, 8, digits) / 8 :
				    1 + pow(10, -2 - below(q, 9)) * (below(q, 3) - 1));
			else
				l->coef[k] = amount(q, 8, digits) / 8;
		}
		if (digits && below(q, 4) == 0)
			l->activation[k] = l->activation[k - 1] * (1 - pow(10, -2 - below(q, 9)) * (below(q, 3) - 1));
		if (weights && below(q, 3) == 0 && l->has[k])
			l->own_weight[k] = backward_of(l, k) * below(q, 5) / 8;
		if (kept && below(q, 3) == 0 && l->has[k])
			l->own_kept[k] = amount(q, 40, digits);
	}
	for (int k = 0; k < KINDS && q->link > 0 && !kept; k++)
		if (below(q, 2))
			l->offload[k] = amount(q, 40, digits);
	if (l->has[OWN] && l->offload[OWN] > 0 && below(q, 2))
		l->backward[OWN] = l->coef[OWN] = -1;
	/* W takes at most the time of any backward. */
	for (int k = 0; k < KINDS; k++)
		if (l->has[k] && l->own_weight[k] < 0 && l->weight > backward_of(l, k))
			l->weight = backward_of(l, k) / 2;
}

static inline int
needed(const struct question *q, int piece, int pieces)
{
	bool head = false, tail = false;

	for (int t = 0; t < q->ntypes; t++) {
		head |= q->type[t].side < 0 && q->type[t].bound;
		tail |= q->type[t].side > 0 && q->type[t].bound;
	}
	if (q->target != NULL && q->target->alone && ((piece == 0 && head) || (piece == pieces - 1 && tail)))
		return 0;
	return !q->empty || (piece == 0 && head) || (piece == pieces - 1 && tail);
}

static inline const char *
name_of(const struct question *q, int t)
{
	static char name[2][16];
	static int at;

	at = !at;
	snprintf(name[at], sizeof name[at], "%s%d", q->type[t].predicts ? "mtp" : "t", t);
	return name[at];
}

static inline int
laid(const struct question *q)
{
	int n = 0;

	for (int t = 0; t < q->ntypes; t++)
		n += q->type[t].bound ? 0 : q->type[t].n;
	return n;
}

static inline void
draw_devices(struct question *q, int s)
{
	bool digits = below(q, 2);

	q->ndelays = below(q, 2) ? 0 : schedules[s].mirrored || q->stages == 2 || below(q, 2) ? 1 :
	    q->stages - below(q, 2);
	for (int i = 0; i < q->ndelays; i++)
		q->delay[i] = amount(q, 6, digits);
	q->nspeeds = below(q, 3) ? 0 : schedules[s].mirrored || below(q, 2) ? 1 : q->stages;
	for (int i = 0; i < q->nspeeds; i++)
		q->speed[i] = (1 + below(q, 6)) / 4.;
	q->noverheads = below(q, 4) ? 0 : q->stages;
	for (int i = 0; i < q->noverheads; i++) {
		q->overhead[i] = amount(q, 60, digits);
		q->early[i] = below(q, 2) ? 0 : fmin(q->overhead[i], amount(q, 40, digits));
	}
	if (schedules[s].joined && below(q, 2))
		q->overlap = (5 + below(q, 6)) / 10.;
	q->way = schedules[s].exchanges && q->ndelays > 0 ? (enum way)below(q, WAYS) : HIDDEN;
}

/* Draw a framework, and a schedule that it runs. */
static inline int
draw_target(struct question *q)
{
	int s = 0;

	q->target = &targets[below(q, TARGETS)];
	q->schedule = q->target->schedules[below(q, 4)];
	while (strcmp(schedules[s].name, q->schedule) != 0)
		s++;
	q->chunks = schedules[s].chunks;
	return s;
}

/*
 * Adapt the layers to a framework. It has HEAD and TAIL layers in the first and the last piece, even if their records
 * do not bind them. Layers that predict further tokens come last.
 */
static inline void
settle_target(struct question *q)
{
	int last = -1, bodies = 0;

	for (int t = 0; t < q->ntypes; t++) {
		q->type[t].free_said = q->type[t].side != 0 && !q->type[t].bound;
		/* An unbound layer keeps its activations. */
		if (q->type[t].free_said && below(q, 2)) {
			q->type[t].activation[NONE] = 0;
			q->type[t].bound = true;
		}
		memset(q->type[t].offload, 0, sizeof q->type[t].offload);
		last = q->type[t].side == 0 ? t : last;
		bodies += q->type[t].side == 0;
	}
	if (bodies > 1 && below(q, 2))
		q->type[last].predicts = true;
	q->empty = q->target->alone && below(q, 2);
	q->micro = q->stages * (1 + below(q, 2));
	if (strcmp(q->schedule, "zbv") == 0 && q->micro < 2 * q->stages)
		q->micro = 2 * q->stages;
	q->group = 0;
	q->link = 0;
}

static inline void
draw(struct question *q, int n)
{
	int s = n % SCHEDULES, pieces, total = 0;
	bool digits = n / SCHEDULES % 2, target;

	*q = (struct question){ .random = 0x9e3779b97f4a7c15U * (uint64_t)(n + 1), .schedule = schedules[s].name,
	    .chunks = schedules[s].chunks, .splits = 1, .mixes = 'a' };
	for (int i = 0; i < 20; i++)
		below(q, 2);
	/* Every third question is for a framework. */
	target = n % 3 == 2;
	if (target)
		s = draw_target(q);
	q->stages = schedules[s].mirrored ? 2 + 2 * below(q, 2) : 2 + below(q, q->chunks > 1 ? 2 : 3);
	q->micro = 1 + below(q, 6);
	if (strcmp(q->schedule, "vpp") == 0 && below(q, 4) == 0)
		q->group = q->stages + below(q, 2);
	if (strcmp(q->schedule, "zero-bubble-v") == 0 || strncmp(q->schedule, "dual", 4) == 0)
		q->micro = 2 * q->stages + 2 * below(q, 2);
	q->mixes = "aaayuu"[below(q, 6)];
	if (strcmp(q->schedule, "free") == 0 && q->mixes == 'u')
		q->mixes = 'y';
	q->link = q->mixes != 'u' && below(q, 5) == 0 ? 1 + amount(q, 8, digits) : 0;
	if (target)
		q->mixes = q->target->mixes == 'y' ? 'y' : 'u';
	if (strcmp(q->schedule, "1f1b") == 0 && q->mixes != 'u' && !target && below(q, 2)) {
		q->splits = 2;
		q->link = 0;
		q->tokens = 8192;
		q->hidden = 16 * (1 + below(q, 4));
		q->inner = 64;
		q->words = 100;
		q->ways = 1 + below(q, 2);
	}
	pieces = q->stages * q->chunks;
	q->constant = below(q, 3) ? 0 : below(q, 41) - 20;
	if (below(q, 2))
		draw_layers(q, &q->type[q->ntypes++], -1, digits, schedules[s].splits);
	for (int b = 1 + below(q, 2); b > 0; b--)
		draw_layers(q, &q->type[q->ntypes++], 0, digits, schedules[s].splits);
	if (below(q, 2))
		draw_layers(q, &q->type[q->ntypes++], 1, digits, schedules[s].splits);
	for (int t = 0; t < q->ntypes; t++)
		if (q->type[t].side != 0 && q->splits == 1 && below(q, 3) == 0)
			q->type[t].bound = false;
	q->empty = q->splits == 1 && below(q, 5) == 0;
	if (target)
		settle_target(q);
	draw_devices(q, s);
	for (int i = 0; i < pieces; i++)
		total += needed(q, i, pieces);
	for (int t = q->ntypes - 1; t >= 0; t--)
		while (q->type[t].side == 0 && laid(q) < total)
			q->type[t].n++;
	for (int more = below(q, 4), t = q->ntypes - 1; more > 0; t = t > 0 ? t - 1 : q->ntypes - 1)
		if (q->type[t].side == 0) {
			q->type[t].n++;
			more--;
		}
}

static inline void
put_given(FILE *f, const char *name, double x)
{
	if (x >= 0)
		fprintf(f, ",\"%s\":%.17g", name, x);
}

static inline void
put_layers(FILE *f, const struct question *q, int t)
{
	const struct layers *l = &q->type[t];
	const char *divider = "";

	fprintf(f, "{\"kind\":\"layer\",\"name\":\"%s\",\"type\":\"%s\",\"nb_layer\":%d,\"forward_time\":%.17g,"
	    "\"memory_parameter\":%.17g", name_of(q, t), l->side < 0 ? "HEAD" : l->side > 0 ? "TAIL" : "BODY",
	    l->n, l->forward,
	    l->parameter);
	if (l->side != 0)
		fprintf(f, ",\"bound\":%s", l->free_said || !l->bound ? "false" : "true");
	if (l->transient > 0)
		put_given(f, "memory_transient", l->transient);
	if (l->floor > 0)
		put_given(f, "memory_floor", l->floor);
	put_given(f, "weight_time", l->weight);
	put_given(f, "weight_activation", l->kept);
	put_given(f, "backward_time", l->backward[NONE]);
	put_given(f, "backward_coef", l->coef[NONE]);
	if (l->has[NONE] && l->activation[NONE] > 0)
		put_given(f, "memory_activation", l->activation[NONE]);
	if (l->side == 0) {
		fprintf(f, ",\"kinds\":{");
		for (int k = 0; k < KINDS; k++) {
			if (!l->has[k])
				continue;
			fprintf(f, "%s\"%s\":{\"offload\":%.17g", divider, kind_names[k], l->offload[k]);
			divider = ",";
			if (k != NONE) {
				put_given(f, "activation", l->activation[k]);
				put_given(f, "backward_time", l->backward[k]);
				put_given(f, "backward_coef", l->coef[k]);
			}
			put_given(f, "weight_time", l->own_weight[k]);
			put_given(f, "weight_activation", l->own_kept[k]);
			fputc('}', f);
		}
		fputc('}', f);
	}
	fputs("}\n", f);
}

static inline void
put_list(FILE *f, const char *before, int n, const double *x)
{
	for (int i = 0; i < n; i++)
		fprintf(f, "%s%.17g", i == 0 ? before : ",", x[i]);
}

static inline void
write_layers(const struct question *q)
{
	char name[64];
	FILE *f;

	snprintf(name, sizeof name, "%s/layers", adversary_dir);
	f = fopen(name, "w");
	fprintf(f, "{\"kind\":\"model\",\"name\":\"m\",\"stage_const_mem\":%.17g", q->constant);
	if (q->noverheads > 0) {
		put_list(f, ",\"overhead\":[", q->noverheads, q->overhead);
		put_list(f, "],\"overhead_early\":[", q->noverheads, q->early);
		fputc(']', f);
	}
	if (q->splits > 1)
		fprintf(f, ",\"seq_length\":%g,\"batch_size\":1,\"hidden_size\":%g,\"intermediate_size\":%g,"
		    "\"vocab_size\":%g,\"model_parallel\":%g", q->tokens, q->hidden, q->inner, q->words, q->ways);
	fputs("}\n", f);
	for (int t = 0; t < q->ntypes; t++)
		put_layers(f, q, t);
	fclose(f);
}

/* Ask the question and return the exit status. The answer is in the file ANSWER of the directory. */
static inline int
ask_planner(const struct question *q, const char *schedule, const char *more, const char *answer)
{
	char *command = NULL;
	size_t size;
	FILE *f = open_memstream(&command, &size);
	int status;

	fprintf(f, "cd %s && exec sapp-lp -j -s %d -mb %d -i %d -S %s %s %s %s-transfers %s", adversary_dir,
	    q->stages, q->micro, q->chunks, schedule, q->target != NULL ? "-target" : "-mixes", q->target != NULL ?
	    q->target->name : q->mixes == 'a' ? "all" : q->mixes == 'y' ? "yaml" : "uniform",
	    q->empty ? "-empty " : "", way_names[q->way]);
	if (q->group > 0)
		fprintf(f, " -group %d", q->group);
	if (q->splits > 1)
		fprintf(f, " -seq %d", q->splits);
	if (q->link > 0)
		fprintf(f, " -offload %.17g", q->link);
	if (q->overlap > 0)
		fprintf(f, " -overlap %.17g", q->overlap);
	put_list(f, " -comm ", q->ndelays, q->delay);
	put_list(f, " -speed ", q->nspeeds, q->speed);
	put_list(f, " -mem ", q->nlimits, q->limit);
	fprintf(f, " %s layers >%s 2>said", more, answer);
	fclose(f);
	status = system(command);
	free(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
