/* Reports, line by line. */
#include "lib/base/memstream.h"
#include "lib/simulate/report.h"
#include "tap.h"

static struct list
pair(double a, double b)
{
	struct list l = list_new(2);

	l.at[0] = a;
	l.at[1] = b;
	return l;
}

/* Return a simulation of two stages. Relative to the work, recomputation is 1/8 and waiting 3/8. */
static struct sim
two_stages(void)
{
	static char name[] = "even", why[] = "stage 1";
	struct sim r = { .name = name, .stages = 2, .interleave = 1, .micro_batches = 8, .step_time = 100,
		.bubble = { .real = 0.5, .ideal = 0.25, .imba = 0.125 }, .peak_memory = pair(10, 12.5),
		.memory_limit = pair(12, 12), .over = grid_new(1, 1), .critical.why = why };

	r.over.at[0] = 1;
	return r;
}

static void
sim_clear(struct sim *r)
{
	free(r->peak_memory.at);
	free(r->memory_limit.at);
	free(r->over.at);
	free(r->idle.fill.at);
	free(r->idle.forward.at);
	free(r->idle.backward.at);
	free(r->idle.comm.at);
	free(r->idle.drain.at);
}

/* Return the output to STREAM between the two calls. */
static struct {
	FILE *stream;
	char *text;
	size_t size;
} report;

static FILE *
begin(void)
{
	return report.stream = memstream_open(&report.text, &report.size);
}

static void
says(const char *want, const char *name)
{
	memstream_close(report.stream);
	if (!ok(strcmp(want, report.text) == 0, name))
		printf("# expected '%s'\n# got      '%s'\n", want, report.text);
	free(report.text);
}

static void
steps(void)
{
	struct sim r = two_stages();

	report_sim(begin(), &r);
	says("------------- pp: 2, vp: 1, micro:  8 ------------\n"
	    "--------------------  bubble  --------------------\n"
	    "   real    =   ideal   +   imba\n"
	    "  0.5000   =  0.2500   +  0.1250\n"
	    "fractions of useful work; 33.33 % of the step is waiting\n"
	    "--------------------  memory  --------------------\n"
	    "peak memory: 10.00, 12.50\n"
	    "stage 1 is 0.50 MB over its limit of 12.00\n"
	    "step time: 100.0000\n"
	    "critical path: stage 1\n", "a step");
	GIVE(bubble, &r.bubble, recompute, 0.125);
	GIVE(sim, &r, pipeline_time, 80);
	GIVE(sim, &r, tokens_per_second, 1234.56);
	GIVE(sim, &r, tokens_per_second_per_device, 12.345678);
	r.over.stages = 0;
	report_sim(begin(), &r);
	says("------------- pp: 2, vp: 1, micro:  8 ------------\n"
	    "--------------------  bubble  --------------------\n"
	    "   real    =   ideal   +   imba    + recompute\n"
	    "  0.5000   =  0.2500   +  0.1250   +  0.1250\n"
	    "fractions of useful work; 25.00 % of the step is waiting, 8.33 % recomputation\n"
	    "--------------------  memory  --------------------\n"
	    "peak memory: 10.00, 12.50\n"
	    "step time: 100.0000\n"
	    "of which the pipeline: 80.0000\n"
	    "critical path: stage 1\n"
	    "tokens per second: 1234.6\n"
	    "tokens per second and device: 12.35\n", "with all that may be known of it");
	r.bubble.given = 0;
	GIVE(bubble, &r.bubble, comm, 0.0625);
	report_sim(begin(), &r);
	memstream_close(report.stream);
	ok(strstr(report.text, "\n   real    =   ideal   +   imba    +   comm\n"
	    "  0.5000   =  0.2500   +  0.1250   +  0.0625\n") != NULL, "delays without recomputation");
	free(report.text);
	sim_clear(&r);
}

static void
stages(void)
{
	struct sim r = two_stages();
	static const char head[] = "--------------------  stages  --------------------\n"
	    "stage  working  filling  for forward  for backward  on the way  draining   memory";
	char want[1024];

	report_stages(begin(), &r);
	says("", "nothing of stages of which nothing is known");
	GIVE(sim, &r, idle, ((struct idle){ .fill = pair(0, 4), .forward = pair(8, 16), .backward = pair(2, 4),
	    .comm = pair(1, 0), .drain = pair(10, 0) }));
	snprintf(want, sizeof want, "%s\n%s%s", head,
	    "    0   79.0 %    0.0 %        8.0 %         2.0 %       1.0 %    10.0 %      10.00\n",
	    "    1   76.0 %    4.0 %       16.0 %         4.0 %       0.0 %     0.0 %      12.50\n");
	report_stages(begin(), &r);
	says(want, "how stages spend a step of 100 ms");
	GIVE(sim, &r, pipeline_time, 80);
	snprintf(want, sizeof want, "%s\n%s%s", head,
	    "    0   73.8 %    0.0 %       10.0 %         2.5 %       1.2 %    12.5 %      10.00\n",
	    "    1   70.0 %    5.0 %       20.0 %         5.0 %       0.0 %     0.0 %      12.50\n");
	report_stages(begin(), &r);
	says(want, "of which the pipeline takes 80");
	sim_clear(&r);
}

static void
ranking(void)
{
	static char slow[] = "slow", fast[] = "fast", same_time[] = "the same";
	struct sim r[5] = {
		{ .name = slow, .step_time = 300, .relative = 1 },
		{ .name = NULL },
		{ .name = fast, .step_time = 150, .relative = 0.5, .over.stages = 1 },
		{ .name = same_time, .step_time = 600, .relative = 1 },
		{ .name = fast, .step_time = 225, .relative = 0.75 },
	};

	report_ranking(begin(), r, 5);
	says("--------------------  ranking  -------------------\n"
	    "  1  fast                           225.0000   0.7500\n"
	    "  2  slow                           300.0000   1.0000\n"
	    "  3  the same                       600.0000   1.0000\n"
	    "  4  fast                           150.0000   0.5000  over the memory limit\n",
	    "the shortest of those that fit comes first, what is equal as it came, what could not run not at all");
}

int
main(void)
{
	steps();
	stages();
	ranking();
	return tap_done();
}
