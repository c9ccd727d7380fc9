/*
 * Plans for every framework must be refused or give settings that state exactly the plan's layers, recomputation,
 * places and order. A separate reader here checks them, and simulates the same step and peaks.
 */
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/model/offload.h"
#include "lib/yaml/settings.h"
#include "pipeline.h"
#include "sapp-yaml/plan/print.h"
#include "written.h"

enum { BODIES = 3 };

struct made {
	struct plan plan;
	struct yaml_question question;
	struct body body[BODIES];
	struct network net;
};

/* Ways to recompute the layers of a plan. */
enum {
	NONE, SELECT_ALL, FULL_ALL, FULL_FIRST, BY_PIECE, COMM_ALL, BOTH_ALL, ANYHOW,
	ACT_ALL, WIDE_ALL, OUT_ALL, AWAY_ALL, NAMED_BY_PIECE, OUT_SOME, WAYS
};

/* Contents of kinds with other names. */
static const char words_of_kinds[] =
    "{\"kind\":\"kind\",\"name\":\"act\",\"select_recompute\":[\"a\"],\"recompute_modules\":[\"layernorm\"]}\n"
    "{\"kind\":\"kind\",\"name\":\"wide\",\"select_recompute\":[\"a\",\"b\"],\"select_comm_recompute\":[\"c\"],"
    "\"recompute_modules\":[\"moe_act\",\"layernorm\"]}\n"
    "{\"kind\":\"kind\",\"name\":\"out\",\"op_swap\":[\"op\"],\"offload_modules\":[\"core_attn\"],"
    "\"swap_modules\":[\"input_norm\",\"self_attention\"]}\n"
    "{\"kind\":\"kind\",\"name\":\"away\",\"select_recompute\":[\"a\"],\"layer_swap\":true,\"backward_prefetch\":3,"
    "\"recompute_modules\":[\"shared_experts\"],\"offload_modules\":[\"expert_fc1\"]}\n";
static struct records words;

static void
read_words(void)
{
	char name[] = "/tmp/kinds.XXXXXX", *operand[] = { name, NULL };
	int file = mkstemp(name);

	if (write(file, words_of_kinds, sizeof words_of_kinds - 1) != (ssize_t)sizeof words_of_kinds - 1)
		abort();
	close(file);
	records_read(&words, operand, RECORDS(RECORD_KIND));
	unlink(name);
}

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
		return (enum recompute)random_below(AWAY + 1);
	case ACT_ALL:
	case WIDE_ALL:
	case OUT_ALL:
	case AWAY_ALL:
		return (enum recompute)(ACT + how - ACT_ALL);
	case NAMED_BY_PIECE:
		return j < list[0] ? RECOMPUTE_FULL : j < list[1] ? (enum recompute)WIDE : j < list[2] ?
		    (enum recompute)ACT : RECOMPUTE_NONE;
	case OUT_SOME:
		return j < list[1] ? (enum recompute)AWAY : j < list[2] ? (enum recompute)OUT : RECOMPUTE_NONE;
	default:
		return RECOMPUTE_NONE;
	}
}

/* Numbers of layers: equal in all pieces, any, or none in the second piece. */
enum laid { EVEN, ANY_NUMBERS, ONE_EMPTY };

/* Set the kinds like question_of() does for records. */
static void
settle_kinds(struct yaml_question *q, const struct grid kind[RECOMPUTE_KINDS])
{
	q->sets = xcalloc(1, sizeof *q->sets);
	*q->sets = pattern_sets_of(&words);
	q->modules = modules_of(&words);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		q->swaps |= q->sets->moves[k] != 0 && grid_sum(kind[k]) > 0;
	if (pattern_lists_needed(kind) && !q->swaps) {
		q->patterns = xcalloc(1, sizeof *q->patterns);
		*q->patterns = pattern_lists_new(q->sets, kind);
	}
}

/* Make a plan of BODIES kinds of layers; the last kind may predict further tokens. */
static void
make(struct made *m, enum schedule_kind kind, int stages, int chunks, int micro, int group, int how, enum laid laid,
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
		n[i] = laid != ANY_NUMBERS ? each : random_below(12) == 0 ? 0 : 1 + random_below(5);
		if (laid == ONE_EMPTY && i == 1)
			n[i] = 0;
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

			/* If the first layers are fully recomputed, layers that predict further tokens are excluded. */
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
			body->offload[k] = k >= OUT ? 1 + random_below(30) : 0;
		}
		m->net.nbodies++;
	}
	network_link(&m->net, 2, (struct list){ 0 });
	settle_kinds(&m->question, kinds);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(kinds[k].at);
	free(piece);
}

static void
made_free(struct made *m)
{
	fields_free(&plan_fields, &m->plan);
	yaml_question_free(&m->question);
}

/* Write the settings in a child process, which exits if they are refused; return NULL then. */
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
		yaml_question_check(&m->question, &m->plan, target);
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

/* Return the plan of the settings, over the same network. */
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

/*
 * Return whether the settings as read have the plan's stages, layers and recomputation, and the same simulated step and
 * peaks.
 */
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
	unsigned ways;		/* the written formats, a set of 1 << way */
};

/* Formats with named kinds that each target can express. */
static const unsigned named_ways[TARGETS] = {
	[TARGET_MINDFORMERS] = 1 << ACT_ALL | 1 << WIDE_ALL | 1 << OUT_ALL | 1 << AWAY_ALL | 1 << NAMED_BY_PIECE |
	    1 << OUT_SOME,
	[TARGET_MEGATRON] = 1 << ACT_ALL | 1 << WIDE_ALL | 1 << OUT_ALL | 1 << AWAY_ALL,
	[TARGET_MINDSPEED] = 1 << ACT_ALL | 1 << WIDE_ALL | 1 << OUT_ALL,
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
	read_words();
	/* The following formats have their own tests: tests/sapp-yaml/runtimes.t. */
	for (int target = TARGET_MINDFORMERS; target <= TARGET_PYTORCH; target++) {
		struct tally table = { .written = 0 }, some = { .written = 0 };
		char name[100];
		struct made m;
		int before;

		for (int kind = 0; kind < SCHEDULE_CUSTOM; kind++)
			for (int v = 1; v <= 3; v++)
				for (int n = 0; n < 3 * WAYS; n++) {
					make(&m, (enum schedule_kind)kind, 4, v, 16, 0, n / 3, (enum laid)(n % 3),
					    n % 2 == 1);
					before = table.written;
					try(&table, &m, (enum target)target, target == TARGET_MEGATRON && n % 2);
					table.ways |= table.written > before ? 1u << n / 3 : 0;
				}
		snprintf(name, sizeof name, "%s, every schedule, chunks and recomputation", target_titles[target]);
		done(&table, name);
		snprintf(name, sizeof name, "%s: kinds by other names", target_titles[target]);
		ok((table.ways & ~((1u << ACT_ALL) - 1)) == named_ways[target], name);
		for (int i = 0; i < 1000; i++) {
			int kind = random_below(SCHEDULE_CUSTOM), stages = 1 + random_below(5), v, micro, group = 0;

			if (random_below(4) > 0)	/* mostly draw a schedule that the framework has */
				kind = (int[]){ SCHEDULE_1F1B, SCHEDULE_VPP, SCHEDULE_ZERO_BUBBLE_V, SCHEDULE_VPP,
				    SCHEDULE_1F1B, SCHEDULE_DUALPIPEV, SCHEDULE_VPP_OVERLAP }[random_below(7)];
			v = kind == SCHEDULE_VPP || kind == SCHEDULE_VPP_LESS ||
			    kind == SCHEDULE_VPP_OVERLAP ? 1 + random_below(3) :
			    schedule_chunks((enum schedule_kind)kind) == 2 ? 2 : 1;
			if ((kind == SCHEDULE_VPP || kind == SCHEDULE_VPP_OVERLAP) && random_below(3) == 0)
				group = stages + random_below(4);
			micro = random_below(4) ? stages * (1 + random_below(3)) : 1 + random_below(20);
			make(&m, (enum schedule_kind)kind, stages, v, micro, group,
			    random_below(2) ? random_below(FULL_FIRST + 1) : random_below(WAYS),
			    random_below(2) ? EVEN : ANY_NUMBERS, random_below(5) == 0);
			try(&some, &m, (enum target)target, target == TARGET_MEGATRON && random_below(2));
		}
		snprintf(name, sizeof name, "%s, random plans", target_titles[target]);
		done(&some, name);
	}
	return tap_done();
}
