/*
 * Plans for every framework: either settings that a reader of our own here takes for exactly the plan's layers,
 * recomputation, places and order, simulated to the same step and peaks, or a refusal.
 */
#include <strings.h>

#include "lib/base/alloc.h"
#include "lib/yaml/settings.h"
#include "pipeline.h"
#include "sapp-yaml/print.h"

enum { BODIES = 3, PIECES = 64, LAYERS = 400 };

struct read {			/* what the text says */
	struct shape shape;
	int pieces;
	int stage[PIECES];	/* of each piece, in the order of the data */
	int layers[PIECES];
	enum recompute kind[LAYERS];	/* of each layer of the model */
};

/* Behind KEY where it stands as a word of its own, or NULL. */
static const char *
behind(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at != NULL ? at + strlen(key) : NULL;
}

static int
number_behind(const char *text, const char *key, int missing)
{
	const char *at = behind(text, key);

	return at != NULL ? atoi(at + strspn(at, " \"")) : missing;
}

static bool
says(const char *text, const char *key, const char *word)
{
	const char *at = behind(text, key);

	return at != NULL && strncmp(at + strspn(at, " \""), word, strlen(word)) == 0;
}

/* The numbers of the line behind KEY. */
static int
numbers(const char *text, const char *key, int *to, int most)
{
	const char *at = behind(text, key), *end = at != NULL ? at + strcspn(at, "\n") : NULL;
	int n = 0;

	while (at != NULL && at < end && n < most) {
		char *next;
		long x = strtol(at, &next, 10);

		if (next != at)
			to[n++] = (int)x;
		at = next != at ? next : at + 1;
	}
	return n;
}

/* A MindFormers YAML: layer j of a piece is recomputed by the lists whose number is above j. */
static void
read_mindformers(struct read *r, const char *text, int layers)
{
	static const char *const key[] = { "\n    offset:", "\n  recompute:", "\n  select_recompute:",
	    "\n  select_comm_recompute:" };
	int list[4][PIECES] = { { 0 } }, p = number_behind(text, "pipeline_stage:", 0), at = 0;
	int v = says(text, "pipeline_interleave:", "True") ? number_behind(text, "pp_interleave_num:", 1) : 1;
	bool fold = says(text, "pipeline_scheduler:", "zero_bubble_v"),
	    gpipe = says(text, "pipeline_scheduler:", "gpipe");

	for (int k = 0; k < 4; k++)
		numbers(text, key[k], list[k], PIECES);
	r->shape = (struct shape){ .stages = p, .chunks = v,
	    .kind = fold ? SCHEDULE_ZERO_BUBBLE_V : gpipe ? SCHEDULE_GPIPE :
	    v == 1 ? SCHEDULE_1F1B : strstr(text, "export ENABLE_LESS_MEM_VPP=1") ? SCHEDULE_VPP_LESS : SCHEDULE_VPP };
	r->pieces = p * v;
	for (int i = 0; i < r->pieces; i++) {
		int s = fold && i >= p ? 2 * p - 1 - i : i % p, slot = i / p * p + s;

		r->stage[i] = s;
		r->layers[i] = layers / r->pieces + list[0][slot];
		for (int j = 0; j < r->layers[i] && at < LAYERS; j++)
			r->kind[at++] = j < list[1][slot] ? RECOMPUTE_FULL : j < list[2][slot] && j < list[3][slot] ?
			    RECOMPUTE_BOTH :
			    j < list[2][slot] ? RECOMPUTE_SELECT : j < list[3][slot] ? RECOMPUTE_COMM : RECOMPUTE_NONE;
	}
}

/* "Et*3|(tt|)*2,m|L" letter by letter. */
static void
unroll(const char *text, char *to, size_t room)
{
	char *begin = to;

	for (; *text != '\0' && *text != '"' && *text != '\n' && to < begin + room - 1; text++) {
		char part[300] = "";
		int times;

		if (*text == ',')
			continue;
		if (*text == '(') {
			unroll(text + 1, part, strcspn(text + 1, ")") + 1 < sizeof part ? sizeof part : 1);
			*strchr(part, ')') = '\0';
			/* What repeats inside has been unrolled; the text still has it. */
			text += strcspn(text, ")");
		} else {
			part[0] = *text;
		}
		times = text[1] == '*' ? atoi(text + 2) : 1;
		if (text[1] == '*')
			text += 1 + strspn(text + 2, "0123456789");
		for (; times > 0; times--)
			to += sprintf(to, "%s", part);
	}
	*to = '\0';
}

/* Arguments of Megatron-LM and MindSpeed-LLM; NEMO: in NeMo's words. */
static void
read_arguments(struct read *r, const char *text, bool nemo)
{
	int layers = number_behind(text, nemo ? ".num_layers=" : "--num-layers ", 0), at = 0;
	int mtp = number_behind(text, nemo ? "mtp_num_layers=" : "--mtp-num-layers ", 0);
	int p = number_behind(text, nemo ? "pipeline_model_parallel_size=" : "--pipeline-model-parallel-size ", 0);
	int each = number_behind(text, "--num-layers-per-virtual-pipeline-stage ", 0);
	int v = nemo ? number_behind(text, "virtual_pipeline_model_parallel_size=", 1) : each > 0 ? layers / p / each
	    : 1;
	int first = number_behind(text, nemo ? "num_layers_in_first_pipeline_stage=" :
	    "--decoder-first-pipeline-num-layers ", 0);
	int last = number_behind(text, nemo ? "num_layers_in_last_pipeline_stage=" :
	    "--decoder-last-pipeline-num-layers ", 0);
	int block = number_behind(text, nemo ? "recompute_num_layers=" : "--recompute-num-layers ", 0), list[LAYERS];
	const char *layout = behind(text, nemo ? "pipeline_model_parallel_layout=\"" :
	    "--pipeline-model-parallel-layout \"");
	bool dual = strstr(text, "--schedules-method dualpipev") != NULL, selective = strstr(text, "selective") != NULL;
	int decoders[PIECES] = { 0 }, extra[PIECES] = { 0 }, n;
	char letters[1000];

	if (dual)
		v = 2;
	if (layout != NULL) {
		unroll(layout, letters, sizeof letters);
		n = 0;
		for (char *c = letters; *c != '\0'; c++) {
			n += *c == '|';
			decoders[n] += *c == 't';
			extra[n] += *c == 'm';
		}
		v = (n + 1) / p;
	}
	r->pieces = p * v;
	for (int i = 0; i < r->pieces && layout == NULL; i++)
		decoders[i] = first > 0 ? (i == 0 ? first : i == p - 1 ? last : (layers - first - last) / (p - 2)) :
		    layers / r->pieces;
	if (layout == NULL)
		extra[r->pieces - 1] = mtp;
	if (numbers(text, "--num-layer-list ", list, LAYERS) > 0)
		memcpy(decoders, list, (size_t)p * sizeof *list);
	n = numbers(text, "--noop-layers ", list, LAYERS);
	for (int i = 0; i < n; i++)
		decoders[list[i] / (layers / r->pieces)]--;
	r->shape = (struct shape){ .stages = p, .chunks = v,
	    .kind = dual ? SCHEDULE_DUALPIPEV : v == 1 ? SCHEDULE_1F1B :
	    strstr(text, "overlap") != NULL ? SCHEDULE_VPP_OVERLAP : SCHEDULE_VPP,
	    .group = v > 1 && !dual ? number_behind(text, nemo ? "microbatch_group_size_per_vp_stage=" :
	    "--microbatch-group-size-per-virtual-pipeline-stage ", 0) : 0 };
	for (int i = 0; i < r->pieces; i++) {
		r->stage[i] = dual && i >= p ? 2 * p - 1 - i : i % p;
		r->layers[i] = decoders[i] + extra[i];
		for (int j = 0; j < r->layers[i] && at < LAYERS; j++)
			r->kind[at++] = selective ? RECOMPUTE_SELECT : j < block && j < decoders[i] ? RECOMPUTE_FULL :
			    RECOMPUTE_NONE;
	}
}

/* A torchtitan configuration, and the order beside it. */
static void
read_torchtitan(struct read *r, const char *text, const char *order, int micro)
{
	const char *at = strstr(text, "part = [\n") + 9;
	int p = number_behind(text, "pipeline_parallel_degree =", 0);
	bool fold = says(text, "schedule =", "ZBVZeroBubble");
	enum recompute kind = says(text, "mode =", "full") ? RECOMPUTE_FULL : says(text, "mode =", "selective") ?
	    RECOMPUTE_SELECT : RECOMPUTE_NONE;
	int layer = 0;

	r->pieces = 0;
	for (; *at == ' '; at += strcspn(at, "\n") + 1, r->pieces++) {
		const char *end = at + strcspn(at, "\n");

		r->layers[r->pieces] = 0;
		for (const char *l = at; (l = strstr(l, "\"layers.")) != NULL && l < end; l += 8) {
			if (atoi(l + 8) != layer)
				printf("# layer %d where %d comes next\n", atoi(l + 8), layer);
			r->kind[layer++] = kind;
			r->layers[r->pieces]++;
		}
	}
	for (int i = 0; i < r->pieces; i++)
		r->stage[i] = fold && i >= p ? 2 * p - 1 - i : i % p;
	r->shape = (struct shape){ .stages = p, .chunks = r->pieces / p, .kind = SCHEDULE_CUSTOM, .order = order };
	if (strstr(text, "schedule_csv") != NULL)
		return;
	r->shape.order = NULL;
	r->shape.kind = says(text, "schedule =", "GPipe") ? SCHEDULE_GPIPE : says(text, "schedule =", "1F1B") ?
	    SCHEDULE_1F1B :
	    SCHEDULE_VPP;
	if (r->shape.kind == SCHEDULE_VPP && (micro % p != 0 || !says(text, "schedule =", "Interleaved1F1B")))
		printf("# not what Interleaved1F1B runs\n");
}

struct made {
	struct plan plan;
	struct question question;
	struct body body[BODIES];
	struct network net;
};

/* How layers are recomputed. */
enum { NONE, SELECT_ALL, FULL_ALL, FULL_FIRST, BY_PIECE, COMM_ALL, BOTH_ALL, ANYHOW, WAYS };

static enum recompute
way(int how, int j, int first, const int list[3])
{
	switch (how) {
	case SELECT_ALL:
		return RECOMPUTE_SELECT;
	case FULL_ALL:
		return RECOMPUTE_FULL;
	case FULL_FIRST:
		return j < first ? RECOMPUTE_FULL : RECOMPUTE_NONE;
	case BY_PIECE:
		return j < list[0] ? RECOMPUTE_FULL : j < list[1] ? RECOMPUTE_BOTH : j < list[2] ? RECOMPUTE_SELECT :
		    RECOMPUTE_NONE;
	case COMM_ALL:
		return RECOMPUTE_COMM;
	case BOTH_ALL:
		return RECOMPUTE_BOTH;
	case ANYHOW:
		return (enum recompute)random_below(RECOMPUTE_KINDS);
	default:
		return RECOMPUTE_NONE;
	}
}

/* A plan of BODIES kinds of layers, the last of which may predict further tokens. */
static void
make(struct made *m, enum schedule_kind kind, int stages, int chunks, int micro, int group, int how, bool even,
    bool extra)
{
	static const char *const names[] = { "Dense", "Moe", "MTP" };
	int pieces = stages * chunks, bodies = 1 + random_below(2), layers = 0, at = 0, first = 1 + random_below(3),
	    *piece;
	int each = 1 + random_below(4), n[PIECES], split, all[BODIES] = { 0 };
	struct grid kinds[RECOMPUTE_KINDS], of[BODIES][RECOMPUTE_KINDS];
	struct plan *p = &m->plan;
	struct settings s;

	*m = (struct made){ .question = { .shape = { .kind = kind, .stages = stages, .chunks = chunks, .micro = micro,
	    .group = group }, .micro_batches = micro, .place = { "plan", 1 }, .pieces = grid_new(chunks, stages) } };
	*p = (struct plan){ .name = xstrdup("p"), .schedule = (int)kind, .interleave = chunks, .micro_batches = micro };
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		kinds[k] = grid_new(chunks, stages);
	for (int i = 0; i < pieces; i++) {
		n[i] = even ? each : random_below(12) == 0 ? 0 : 1 + random_below(5);
		layers += n[i];
	}
	if (layers == 0)
		layers = n[0] = 1;
	n[pieces - 1] += extra;
	layers += extra;
	split = bodies == 2 && layers > 3 ? 1 + random_below(layers - 2) : layers - extra;
	if (schedule_problem(&m->question.shape) != NULL)
		piece = NULL;
	else
		piece = schedule_pieces(&m->question.shape);
	for (int b = 0; b < BODIES; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			of[b][k] = grid_new(chunks, stages);
	for (int i = 0; i < pieces; i++) {
		int slot = piece != NULL && i < pieces ? piece[i] : i, list[3];

		list[0] = random_below(2);
		list[1] = list[0] + random_below(2);
		list[2] = list[1] + random_below(3);
		for (int j = 0; j < n[i]; j++, at++) {
			int b = extra && at == layers - 1 ? 2 : at < split ? 0 : 1;
			enum recompute k = way(how, j, first, list);

			/* Whole recomputation of the first layers leaves those out that predict further tokens. */
			if (b == 2 && k == RECOMPUTE_FULL && how == FULL_FIRST)
				k = RECOMPUTE_NONE;
			of[b][k].at[slot]++;
			kinds[k].at[slot]++;
			m->question.pieces.at[slot]++;
			all[b]++;
		}
	}
	m->question.layers = layers;
	s = settings_from_counts(kinds, layers);
	p->offset = s.offset;
	p->recompute = s.recompute;
	p->select_recompute = s.select_recompute;
	p->select_comm_recompute = s.select_comm_recompute;
	m->net = (struct network){ .body = m->body, .layers = layers, .constant = 3,
	    .head = { .forward = 2, .backward = 4, .parameter = 7 },
	    .tail = { .forward = 3, .backward = 6, .parameter = 9 } };
	for (int b = 0; b < BODIES; b++) {
		struct body *body = &m->body[m->net.nbodies];
		struct body_counts *c;

		if (all[b] == 0) {
			for (int k = 0; k < RECOMPUTE_KINDS; k++)
				free(of[b][k].at);
			continue;
		}
		c = array_add(&body_counts_fields, &p->counts);
		c->name = xstrdup(names[b]);
		*body = (struct body){ .name = names[b], .layers = all[b], .forward = 1 + random_below(9),
		    .parameter = 1 + random_below(9) };
		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			GIVE(body_counts, c, kind[k], of[b][k]);
			body->has[k] = true;
			body->backward[k] = 2 * body->forward + random_below(9);
			body->activation[k] = 1 + random_below(30);
		}
		m->net.nbodies++;
	}
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(kinds[k].at);
	free(piece);
}

static void
made_free(struct made *m)
{
	fields_free(&plan_fields, &m->plan);
	question_free(&m->question);
}

/* The settings in a child, which dies where they are refused; NULL then. */
static char *
settings_of(struct made *m, enum target target, bool nemo)
{
	FILE *out = tmpfile(), *err = tmpfile();
	char *text;
	pid_t pid;
	int status;
	size_t n;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		place_exit = _exit;
		dup2(fileno(err), STDERR_FILENO);
		dup2(fileno(out), STDOUT_FILENO);
		question_check(&m->question, &m->plan, target);
		if (target == TARGET_MINDFORMERS)
			print_mindformers(&m->plan, &m->question);
		else if (target == TARGET_PYTORCH)
			print_torchtitan(&m->plan, &m->question);
		else
			print_launch(&m->plan, &m->question, target, nemo ? LAUNCH_NEMO : LAUNCH_ARGUMENTS, &m->net);
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	rewind(out);
	text = xcalloc(1, 1 << 16);
	n = fread(text, 1, (1 << 16) - 1, out);
	fclose(out);
	fclose(err);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return text;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 1 || n > 0)
		printf("# neither settings nor a refusal: status %d, %zu bytes\n", status, n);
	free(text);
	return NULL;
}

/* The plan that the text says, over the same network. */
static struct plan
plan_of(const struct read *r, const struct made *m)
{
	struct plan p = { .name = xstrdup("read"), .schedule = (int)r->shape.kind, .interleave = r->shape.chunks,
	    .offset = grid_new(r->shape.chunks, r->shape.stages) };
	int *piece = schedule_pieces(&r->shape), at = 0;

	for (int b = 0; b < m->net.nbodies; b++) {
		struct body_counts *c = array_add(&body_counts_fields, &p.counts);

		c->name = xstrdup(m->body[b].name);
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			GIVE(body_counts, c, kind[k], grid_new(r->shape.chunks, r->shape.stages));
	}
	for (int i = 0; i < r->pieces; i++)
		for (int j = 0; j < r->layers[i]; j++, at++) {
			int b = 0, left = at;

			while (b < m->net.nbodies && left >= m->body[b].layers)
				left -= m->body[b++].layers;
			if (b < m->net.nbodies)
				((struct body_counts *)p.counts.at)[b].kind[r->kind[at]].at[piece[i]]++;
		}
	free(piece);
	return p;
}

static const int *
counts_of(const struct plan *p, const char *name, int kind)
{
	const struct body_counts *c = p->counts.at;

	for (int b = 0; b < p->counts.n; b++)
		if (strcmp(c[b].name, name) == 0)
			return c[b].kind[kind].at;
	return NULL;
}

/* The same stages, layers and recomputation; then the same step and peaks. */
static bool
agrees(const struct made *m, struct read *r)
{
	struct shape own = m->question.shape;
	int n = own.stages * own.chunks, *piece = schedule_pieces(&own), *there;
	double a[PIECES], b[PIECES], delay = 0.5;
	struct devices some = { .delay = { 1, &delay } };
	struct load x, y;
	struct outcome u, w;
	bool good = r->shape.stages == own.stages && r->shape.chunks == own.chunks && r->pieces == n;
	struct plan back;

	r->shape.micro = own.micro;
	if (!good || schedule_problem(&r->shape) != NULL) {
		free(piece);
		return false;
	}
	there = schedule_pieces(&r->shape);
	for (int i = 0; i < n; i++)
		good &= r->stage[i] == piece[i] % own.stages && there[i] == piece[i];
	back = plan_of(r, m);
	for (int k = 0; k < m->net.nbodies * RECOMPUTE_KINDS; k++) {
		const char *name = m->body[k / RECOMPUTE_KINDS].name;

		good &= memcmp(counts_of(&m->plan, name, k % RECOMPUTE_KINDS),
		    counts_of(&back, name, k % RECOMPUTE_KINDS), (size_t)n * sizeof(int)) == 0;
	}
	x = load_from_plan(&m->plan, &m->net, &own, &some);
	y = load_from_plan(&back, &m->net, &r->shape, &some);
	u = run(own, &x, a);
	w = run(r->shape, &y, b);
	good &= u.step > 0 && u.step == w.step && memcmp(a, b, (size_t)own.stages * sizeof *a) == 0;
	load_free(&x);
	load_free(&y);
	fields_free(&plan_fields, &back);
	free(piece);
	free(there);
	return good;
}

static char *
order_of(const struct shape *q)
{
	struct schedule s = schedule_new(q);
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	schedule_order_write(f, &s);
	fclose(f);
	schedule_free(&s);
	return text;
}

struct tally {
	struct cases cases;
	int written, refused;
};

static void
try(struct tally *t, struct made *m, enum target target, bool nemo)
{
	char *problem = target_shape_problem(target, &m->question.shape), *text = NULL, *order = NULL;
	struct read r = { .pieces = 0 };
	bool good = true;

	if (problem == NULL)
		text = settings_of(m, target, nemo);
	free(problem);
	if (text != NULL) {
		t->written++;
		if (target == TARGET_MINDFORMERS)
			read_mindformers(&r, text, m->question.layers);
		else if (target == TARGET_PYTORCH)
			read_torchtitan(&r, text, order = order_of(&m->question.shape), m->question.micro_batches);
		else
			read_arguments(&r, text, nemo);
		good = agrees(m, &r);
		if (!good && t->cases.failed == 0)
			printf("# %s\n", text);
	} else {
		t->refused++;
	}
	case_is(&t->cases, good, &m->question.shape, target);
	free(text);
	free(order);
	made_free(m);
}

static void
done(const struct tally *t, const char *name)
{
	char text[120];

	snprintf(text, sizeof text, "%s: %d written, %d refused", name, t->written, t->refused);
	cases_done(&t->cases, text);
	ok(t->written > 10 && t->refused > 10, "both happen");
}

int
main(void)
{
	for (int target = TARGET_MINDFORMERS; target < TARGETS; target++) {
		struct tally table = { .written = 0 }, some = { .written = 0 };
		char name[100];
		struct made m;

		for (int kind = 0; kind < SCHEDULE_CUSTOM; kind++)
			for (int v = 1; v <= 3; v++)
				for (int how = 0; how < WAYS; how++) {
					make(&m, (enum schedule_kind)kind, 4, v, 16, 0, how, true, false);
					try(&table, &m, (enum target)target, target == TARGET_MEGATRON && how % 2);
				}
		snprintf(name, sizeof name, "%s, every schedule, chunks and recomputation", target_titles[target]);
		done(&table, name);
		for (int i = 0; i < 1000; i++) {
			int kind = random_below(SCHEDULE_CUSTOM), stages = 1 + random_below(5), v, micro, group = 0;

			if (random_below(4) > 0)	/* mostly what the framework has */
				kind = (int[]){ SCHEDULE_1F1B, SCHEDULE_VPP, SCHEDULE_ZERO_BUBBLE_V, SCHEDULE_VPP,
				    SCHEDULE_1F1B, SCHEDULE_DUALPIPEV, SCHEDULE_VPP_OVERLAP }[random_below(7)];
			v = kind == SCHEDULE_VPP || kind == SCHEDULE_VPP_LESS ||
			    kind == SCHEDULE_VPP_OVERLAP ? 1 + random_below(3) :
			    schedule_chunks((enum schedule_kind)kind) == 2 ? 2 : 1;
			if ((kind == SCHEDULE_VPP || kind == SCHEDULE_VPP_OVERLAP) && random_below(3) == 0)
				group = stages + random_below(4);
			micro = random_below(4) ? stages * (1 + random_below(3)) : 1 + random_below(20);
			make(&m, (enum schedule_kind)kind, stages, v, micro, group,
			    random_below(random_below(4) ? FULL_FIRST + 1 : WAYS), random_below(2),
			    random_below(5) == 0);
			try(&some, &m, (enum target)target, target == TARGET_MEGATRON && random_below(2));
		}
		snprintf(name, sizeof name, "%s, random plans", target_titles[target]);
		done(&some, name);
	}
	return tap_done();
}
