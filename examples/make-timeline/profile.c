#include "profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/alloc.h"
#include "lib/base/output.h"
#include "lib/base/place.h"
#include "lib/base/random.h"
#include "lib/schedule/schedule.h"
#include "network.h"

enum part { HEAD, BODY, TAIL, PARTS };

struct drawn {
	struct network net;
	struct shape shape;
	enum maker maker;
	bool named;		/* spans on the device name the layers */
	bool metadata;		/* the rank and the pipeline are in the profile */
	double gap, noise;	/* us between kernels, share of their times */
	double transfer;	/* us */
	int wait;		/* us that some transfers wait, at most */
	int steps;
	uint64_t random;
	double wall[PARTS][2];	/* us of all layers and micro-batches of the last step */
};

struct stage {			/* being written */
	struct drawn *d;
	FILE *out;
	const char *path;
	int number, step, kernels;
	double now, host;	/* us; the host runs ahead */
};

static void
event(struct stage *t, const char *name, const char *type, double us, bool computes, bool backward)
{
	struct drawn *d = t->d;
	int n = ++t->kernels;

	if (d->maker == CANN)
		fprintf(t->out, "%d,0,4294967295,%d,%d,%s,%s,dynamic,%s,%.3f\t,%.3f,0,24\n", 13 + t->step, n,
		    computes ? 2 : 9, name, type, computes ? "AI_CORE" : "COMMUNICATION", t->now, us);
	else
		fprintf(t->out, ",\n{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::op\",\"pid\":1,\"tid\":%d,"
		    "\"ts\":%.3f,\"dur\":0.6,\"args\":{\"External id\":%d}},\n{\"ph\":\"X\","
		    "\"cat\":\"cuda_runtime\",\"name\":"
		    "\"cudaLaunchKernel\",\"pid\":1,\"tid\":%d,\"ts\":%.3f,\"dur\":0.3,\"args\":{\"correlation\":%d,"
		    "\"External id\":%d}},\n{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%s\",\"pid\":0,\"tid\":%d,"
		    "\"ts\":%.3f,\"dur\":%.3f,\"args\":{\"correlation\":%d,\"stream\":%d,\"device\":0}}", 1 + backward,
		    t->host, n, 1 + backward, t->host + 0.1, n, n, type, computes ? 7 : 9, t->now, us, n,
		    computes ? 7 : 9);
	t->host += 1;
	t->now += us;
}

static void
transfer(struct stage *t)
{
	struct drawn *d = t->d;
	double us = d->transfer;
	char *name;

	if (d->shape.stages == 1)
		return;
	if (d->wait > 0 && random_below(&d->random, 3) == 0)
		us += random_below(&d->random, d->wait);
	name = xasprintf("hcom_batchSendRecv__128_%d_1", t->kernels);
	event(t, name, d->maker == CANN ? "hcom_batchSendRecv_" :
	    "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", us, false, false);
	free(name);
	t->now += d->gap;
}

static void
run(struct stage *t, const struct body *b, enum part part, int phase, int layer)
{
	struct drawn *d = t->d;
	double from = t->now, host = t->host;

	for (int i = 0; i < b->n[phase]; i++) {
		const struct kernel *k = &b->kernel[phase][i];
		double us = k->us * (1 + d->noise * (2 * random_unit(&d->random) - 1));

		event(t, k->name[d->maker], k->name[d->maker], (int)(us * 1000) / 1000.0, true, phase);
		t->now += d->gap;
	}
	if (d->named && part == BODY)
		fprintf(t->out, ",\n{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"layers.%d(%c)\",\"pid\":1,"
		    "\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,\"args\":{}}", layer, "FB"[phase], 1 + phase, host - 0.2,
		    t->host - host);
	if (t->step == d->steps - 1)
		d->wall[part][phase] += t->now - from;
}

/* Run the layers of a chunk on one micro-batch. */
static void
operation(struct stage *t, struct op op)
{
	struct drawn *d = t->d;
	int piece = op.chunk * d->shape.stages + t->number, pieces = d->shape.chunks * d->shape.stages,
	    each = d->net.layers / pieces, phase = op.phase == PHASE_F ? 0 : 1;

	if (phase == 0 ? piece > 0 : piece < pieces - 1)
		transfer(t);
	if (phase == 0 && piece == 0)
		run(t, &d->net.head, HEAD, phase, 0);
	if (phase == 1 && piece == pieces - 1)
		run(t, &d->net.tail, TAIL, phase, 0);
	for (int i = 0; i < each; i++) {
		int layer = piece * each + (phase == 0 ? i : each - 1 - i);

		run(t, &d->net.at[d->net.body[layer]], BODY, phase, layer);
	}
	if (phase == 0 && piece == pieces - 1)
		run(t, &d->net.tail, TAIL, phase, 0);
	if (phase == 1 && piece == 0)
		run(t, &d->net.head, HEAD, phase, 0);
	if (phase == 0 ? piece < pieces - 1 : piece > 0)
		transfer(t);
}

static FILE *
open_stage(const struct drawn *d, const char *dir, int number, char **path)
{
	char *stage = xasprintf("%s/stage%d_ascend_pt", dir, number),
	    *inner = xasprintf("%s/ASCEND_PROFILER_OUTPUT", stage);
	FILE *f;

	if (d->maker == CANN) {
		mkdir(stage, 0777);
		mkdir(inner, 0777);
		*path = xasprintf("%s/kernel_details.csv", inner);
	} else
		*path = xasprintf("%s/stage%d.pt.trace.json", dir, number);
	if (d->maker == CANN && d->metadata) {
		char *name = xasprintf("%s/profiler_metadata.json", stage);

		if ((f = fopen(name, "w")) != NULL)
			fprintf(f, "{\"distributed_args\": {\"pipeline_model_parallel_size\": %d, \"world_size\": %d, "
			    "\"rank\": %d}}\n", d->shape.stages, d->shape.stages, number);
		if (f != NULL)
			fclose(f);
		free(name);
	}
	free(stage);
	free(inner);
	if ((f = fopen(*path, "w")) == NULL)
		place_die((struct place){ .source = *path }, "cannot be written: %s", strerror(errno));
	return f;
}

static void
write_stage(struct drawn *d, const struct schedule *s, const char *dir, int number)
{
	struct stage t = { .d = d, .number = number, .now = 1000000, .host = 1000000 };
	char *path;

	t.out = open_stage(d, dir, number, &path);
	if (d->maker == CANN)
		fputs("Step Id,Device_id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),"
		    "Duration(us),Wait Time(us),Block Dim\n", t.out);
	else
		fprintf(t.out, "{\"schemaVersion\":1,\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":%d,"
		    "\"world_size\":%d},\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,"
		    "\"args\":{\"name\":\"python\"}}",
		    number, d->shape.stages);
	for (t.step = 0; t.step < d->steps; t.step++) {
		double from = t.now;
		uint64_t random = d->random;

		t.host = t.now;
		for (size_t i = s->first[number]; i < s->first[number + 1]; i++)
			operation(&t, s->op[i]);
		for (int i = 0; i < 3; i++)
			event(&t, "ApplyAdamW", d->maker == CANN ? "ApplyAdamW" : "multi_tensor_apply_kernel<Adam>",
			    100, true, true);
		t.now += 5;
		/* All steps are equal. */
		if (t.step + 1 < d->steps)
			d->random = random;
		if (d->maker == CUDA)
			fprintf(t.out, ",\n{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\","
			    "\"pid\":1,"
			    "\"tid\":1,\"ts\":%.3f,\"dur\":%.3f,\"args\":{}}", t.step, from - 1, t.now - from);
	}
	if (d->maker == CUDA)
		fputs("\n]}\n", t.out);
	if (ferror(t.out) || fclose(t.out) != 0)
		place_die((struct place){ .source = path }, "cannot be written: %s", strerror(errno));
	free(path);
}

void
profile_draw(const char *dir, uint64_t seed)
{
	static const char *const parts[] = { "head", "body", "tail" };
	struct drawn d = { .random = seed };
	struct schedule s;
	int each, pieces;
	uint64_t *r = &d.random;

	d.random = random_next(r);
	d.shape = (struct shape){ .stages = 1 << random_below(r, 3), .chunks = 1 };
	if (d.shape.stages > 1)
		d.shape.chunks = 1 + (random_below(r, 2) ? random_below(r, 4) : 0);
	d.shape.micro = d.shape.stages * (1 + random_below(r, 2)) + (d.shape.stages == 1 ? random_below(r, 3) : 0);
	d.shape.kind = d.shape.chunks > 1 ? SCHEDULE_VPP : random_below(r, 4) == 0 ? SCHEDULE_GPIPE : SCHEDULE_1F1B;
	each = 1 + random_below(r, d.shape.stages == 1 ? 16 : 8);
	pieces = d.shape.stages * d.shape.chunks;
	if (each < 3 && random_below(r, 3))
		each += 3;
	d.maker = (enum maker)random_below(r, MAKERS);
	d.named = d.maker == CUDA && random_below(r, 4) == 0;
	d.metadata = random_below(r, 2);
	d.gap = random_below(r, 3) * 0.5;
	d.noise = random_below(r, 3) * 0.01;
	d.transfer = 20 + random_below(r, 100);
	d.wait = random_below(r, 2) * 2000;
	d.steps = 1 + random_below(r, 2);
	network_draw(&d.net, each * pieces, r);
	s = schedule_new(&d.shape);
	for (int i = 0; i < d.shape.stages; i++)
		write_stage(&d, &s, dir, i);
	schedule_free(&s);
	printf("{\"kind\":\"truth\",\"seed\":%llu,\"pattern\":\"%s\",\"layers\":%d,\"stages\":%d,\"chunks\":%d,"
	    "\"each\":%d,\"micro\":%d,\"steps\":%d,\"named\":%s,\"form\":\"%s\"", (unsigned long long)seed,
	    d.net.pattern, d.net.layers, d.shape.stages, d.shape.chunks, each, d.shape.micro, d.steps,
	    d.named ? "true" : "false",
	    d.maker == CANN ? "cann" : "cuda");
	for (int i = 0; i < PARTS; i++) {
		double runs = 1000.0 * d.shape.micro * (i == BODY ? d.net.layers : 1);

		printf(",\"%s\":[%.6f,%.6f]", parts[i], d.wall[i][0] / runs, d.wall[i][1] / runs);
	}
	printf("}\n");
}
