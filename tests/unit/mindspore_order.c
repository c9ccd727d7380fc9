/* Orders of MindSpore: zero_bubble_v and parts of sequences over several chunks, by hand and as its scheduler walks. */
#include "lib/schedule/schedule.h"
#include "pipeline.h"

enum { OPS = 4000, UNITS = 200 };

/* "F0.1" is micro-batch 1 forward in chunk 0, "F0.1b" its second part; B a whole backward, I and W its halves. */
static char *
stage_text(const struct shape *q, int stage)
{
	struct schedule s = schedule_new(q);
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (size_t i = s.first[stage]; i < s.first[stage + 1]; i++) {
		struct op op = s.op[i];
		unsigned n = q->splits > 1 ? (unsigned)q->splits : 1;

		fprintf(f, "%s%c%d.%u", i > s.first[stage] ? " " : "", "FBWI"[op.phase], op.chunk, op.micro / n);
		if (n > 1)
			putc((int)('a' + op.micro % n), f);
	}
	fclose(f);
	schedule_free(&s);
	return text;
}

static void
by_hand(const char *name, struct shape q, const char *const *want)
{
	for (int s = 0; s < q.stages; s++) {
		char *got = stage_text(&q, s), text[120];

		snprintf(text, sizeof text, "%s, stage %d", name, s);
		if (!ok(strcmp(got, want[s]) == 0, text))
			printf("# want %s\n# got  %s\n", want[s], got);
		free(got);
	}
}

/*
 * Make a stage's order as MindSpore's scheduler does. It takes the forwards of groups of micro-batches in turn. After
 * the first WARM forwards, a backward follows each forward. It is the backward of the micro-batch that has waited
 * longest, for its latest forward without a backward.
 */
static size_t
walked(const struct shape *q, int stage, struct op *op)
{
	int n = q->splits, group = q->group > 0 ? q->group : q->stages, groups = q->micro / group, bias, warm, at = 0;
	int total = q->micro * n * q->chunks, size[UNITS], order[OPS], forwards = 0, backwards = 0, begin = 0;
	struct op stack[UNITS][20], list[OPS];
	int depth[UNITS] = { 0 };
	size_t out = 0;

	if (groups == 0) {
		groups = 1;
		group = q->micro;
	}
	for (int g = 0; g < groups; g++)
		size[g] = group;
	for (int left = q->micro - groups * group, g = 0; left > 0; left--, g = (g + 1) % groups)
		size[g]++;
	for (int g = 0; g < groups; begin += size[g++])
		for (int v = 0; v < q->chunks; v++)
			for (int m = 0; m < size[g]; m++)
				for (int part = 0; part < n; part++)
					list[at++] = (struct op){ .micro = (uint32_t)((begin + m) * n + part),
					    .chunk = (uint16_t)v, .phase = PHASE_F };
	bias = q->chunks > 1 && q->kind == SCHEDULE_VPP ? 2 : 1;
	warm = (q->stages - 1 - stage) * bias + (q->chunks - 1) * size[0] * n + n - 1;
	warm = warm < total - 1 ? warm : total - 1;
	while (backwards < total) {
		if (forwards < total) {
			struct op f = list[forwards];
			int m = (int)f.micro / n;

			order[forwards++] = m;
			stack[m][depth[m]++] = f;
			op[out++] = f;
		}
		if (forwards > warm) {
			int m = order[backwards++];

			op[out] = stack[m][--depth[m]];
			op[out++].phase = PHASE_B;
		}
	}
	return out;
}

static void
parts(void)
{
	struct cases c = { 0 };

	for (int n = 0; n < 2 * 6 * 3 * 3 * 20; n++) {
		int k = n;
		struct shape q = { .kind = k % 2 == 0 ? SCHEDULE_VPP : SCHEDULE_VPP_LESS };

		k /= 2;
		q.stages = 1 + k % 6;
		k /= 6;
		q.chunks = 1 + k % 3;
		k /= 3;
		q.splits = 2 + k % 3;
		k /= 3;
		q.micro = 1 + k;
		if (q.chunks == 1)
			q.kind = SCHEDULE_1F1B;
		if (q.kind == SCHEDULE_VPP_LESS || n % 4 == 0)
			q.group = q.stages % q.splits == 0 ? q.stages / q.splits : 0;
		if (q.kind == SCHEDULE_VPP_LESS && q.group == 0)
			continue;
		for (int s = 0; s < q.stages; s++) {
			struct schedule own = schedule_new(&q);
			struct op op[2 * OPS];
			size_t ops = walked(&q, s, op), first = own.first[s];
			bool good = ops == own.first[s + 1] - first;

			for (size_t i = 0; good && i < ops; i++)
				good &= op[i].micro == own.op[first + i].micro &&
				    op[i].chunk == own.op[first + i].chunk && op[i].phase == own.op[first + i].phase;
			case_is(&c, good, &q, s);
			schedule_free(&own);
		}
	}
	cases_done(&c, "seqpipe, seqvpp and seqsmartvpp, as the scheduler walks");
}

static void
folded(void)
{
	struct cases c = { 0 };

	for (int p = 1; p <= 12; p++)
		for (int m = 2 * p - 1; m <= 4 * p; m++) {
			struct load l = even_load(2, p, 1, 1, 1);
			struct shape q = shape(SCHEDULE_ZERO_BUBBLE_V, p, 2, m);
			struct outcome out = run(q, &l, NULL);

			case_is(&c, out.step == 6 * m + 2 * (p - 1) && out.peak == 2 * p && out.lowest == 2 * p, &q,
			    out.step);
			load_free(&l);
		}
	cases_done(&c, "zero-bubble-v takes 6 M + 2 (P - 1) and holds 2 P half micro-batches");
}

int
main(void)
{
	static const char *const folds[] = {
		"F0.0 F0.1 F0.2 F1.0 I1.0 W1.0 F1.1 B1.1 F0.3 B0.0 F1.2 B1.2 B0.1 F1.3 B1.3 I0.2 I0.3 W0.2 W0.3",
		"F0.0 F1.0 F0.1 F1.1 B1.0 F0.2 B0.0 F1.2 B1.1 F0.3 B0.1 F1.3 B1.2 B0.2 I1.3 I0.3 W0.3 W1.3",
	};
	static const char *const odd[] = {
		"F0.0 F0.1 F0.2 F0.3 F0.4 F1.0 I1.0 W1.0 F1.1 I1.1 W1.1 F1.2 B1.2 B0.0 F1.3 B1.3 B0.1 F1.4 B1.4 "
		"I0.2 I0.3 I0.4 W0.2 W0.3 W0.4",
		"F0.0 F0.1 F0.2 F1.0 F0.3 F1.1 I1.0 W1.0 F1.2 B1.1 F0.4 B0.0 F1.3 B1.2 B0.1 F1.4 B1.3 B0.2 I1.4 I0.3 "
		"W0.3 I0.4 W0.4 W1.4",
		"F0.0 F1.0 F0.1 F1.1 F0.2 F1.2 B1.0 F0.3 B0.0 F1.3 B1.1 F0.4 B0.1 F1.4 B1.2 B0.2 B1.3 I0.3 I1.4 I0.4 "
		"W0.3 W0.4 W1.4",
	};
	/* Two stages, two chunks, two parts: groups of two micro-batches in seqpipe, of one in the others. */
	static const char *const whole[] = {
		"F0.0a F0.0b F0.1a F0.1b F1.0a F1.0b F1.1a F1.1b B1.0b B1.0a B1.1b B1.1a B0.0b B0.0a B0.1b B0.1a",
		"F0.0a F0.0b F0.1a F0.1b F1.0a F1.0b B1.0b F1.1a B1.0a F1.1b B1.1b B1.1a B0.0b B0.0a B0.1b B0.1a",
	};
	static const char *const few[] = {
		"F0.0a F0.0b F1.0a F1.0b F0.1a F0.1b B1.0b F1.1a B1.0a F1.1b B0.0b B0.0a B1.1b B1.1a B0.1b B0.1a",
		"F0.0a F0.0b F1.0a F1.0b B1.0b F0.1a B1.0a F0.1b B0.0b F1.1a B0.0a F1.1b B1.1b B1.1a B0.1b B0.1a",
	};
	static const char *const less[] = {
		"F0.0a F0.0b F1.0a F1.0b F0.1a B1.0b F0.1b B1.0a F1.1a B0.0b F1.1b B0.0a B1.1b B1.1a B0.1b B0.1a",
		"F0.0a F0.0b F1.0a F1.0b B1.0b F0.1a B1.0a F0.1b B0.0b F1.1a B0.0a F1.1b B1.1b B1.1a B0.1b B0.1a",
	};

	by_hand("zero_bubble_v, 2 stages, 4 micro-batches", shape(SCHEDULE_ZERO_BUBBLE_V, 2, 2, 4), folds);
	by_hand("zero_bubble_v, 3 stages, 5 micro-batches", shape(SCHEDULE_ZERO_BUBBLE_V, 3, 2, 5), odd);
	by_hand("seqpipe", (struct shape){ .kind = SCHEDULE_VPP, .stages = 2, .chunks = 2, .micro = 2, .splits = 2 },
	    whole);
	by_hand("seqvpp", (struct shape){ .kind = SCHEDULE_VPP, .stages = 2, .chunks = 2, .micro = 2, .splits = 2,
	    .group = 1 }, few);
	by_hand("seqsmartvpp", (struct shape){ .kind = SCHEDULE_VPP_LESS, .stages = 2, .chunks = 2, .micro = 2,
	    .splits = 2, .group = 1 }, less);
	parts();
	folded();
	return tap_done();
}
