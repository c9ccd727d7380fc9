/* Times outside the pipeline, and measured collectives: cases computed by hand. */
#include "lib/cost/reduction.h"
#include "lib/record/observed.h"
#include "tap.h"

/* Half the states of a quarter of 1e9 parameters are on the host. */
static void
optimizer(void)
{
	struct architecture n = { .precision = { .weight = 4, .gradient = 4, .optimizer = 12 } };
	struct cluster l = { .memory_bandwidth = 1000, .efficiency = { .memory = 0.5 }, .host_link = 50 };
	struct configuration c = { .dp = 4, .zero = 1, .micro_batches = 1, .optimizer_host = 0.5 };
	struct reduction r = { .shards = { 4, 1 } };
	struct parameters p = { .dense = 1000000000 };

	/* On the device: (2 x 12 / 2 + 4 + 4) bytes at 500 GB/s; over the link: (4 + 2) / 2 bytes at 50 GB/s. */
	near(0.25e9 * (20 / 500e9 + 3 / 50e9), reduction_times(&r, &n, &l, &c, p, 1, 1).optimizer, 1e-9,
	    "an optimizer with states on the host");
	l.host_link = 0;
	near(0.25e9 * (32 / 500e9), reduction_times(&r, &n, &l, &c, p, 1, 1).optimizer, 1e-9,
	    "as on the device if the link's rate is unknown");
}

/* Gradients of 4 bytes: 1 ms a round of 1e9 bytes, without latency. Half of it can be hidden. */
static void
communication(void)
{
	struct architecture n = { .precision = { .weight = 4, .gradient = 4, .optimizer = 12 } };
	struct cluster l = { .memory_bandwidth = 1000, .efficiency = { .memory = 1 }, .overlap = { .dp = 0.5 } };
	struct configuration c = { .dp = 4, .zero = 0, .micro_batches = 3 };
	struct route ring = { .per_byte = 1e-12 };
	struct reduction r = { .shards = { 1, 1 }, .dense = ring, .dense_gather = ring, .between_dense = ring };
	struct parameters p = { .dense = 1000000000 };
	struct outside o = reduction_times(&r, &n, &l, &c, p, 1, 1);

	near(2 * 4e-3, o.all, 1e-9, "an all-reduce is two rounds");
	near(4e-3, o.exposed, 1e-9, "of which half is hidden");
	near(7e-3, reduction_times(&r, &n, &l, &c, p, 1, 1e-3).exposed, 1e-9, "by the backward at most");
	c.zero = 1;
	r.shards.dense = 2;
	near(4e-3 + 2e-3 + 2 * 2e-3, reduction_times(&r, &n, &l, &c, p, 1, 1).all, 1e-9,
	    "a scatter, a gather of 2 bytes, an all-reduce of the shards among groups");
	c.zero = 3;
	near(3 * 4e-3 + 6 * 2e-3 + 2 * 2e-3, reduction_times(&r, &n, &l, &c, p, 1, 1).all, 1e-9,
	    "for each micro-batch a scatter and two gathers");
}

/* The gradient of 1,000 tokens of 64 numbers, divided by tp 2, is reduced between the two ends. */
static void
tied(void)
{
	struct architecture n = { .precision = { .gradient = 4 }, .vocab_size = 999, .vocab_multiple = 4,
		.hidden_size = 64, .tied = true };
	struct configuration c = { .tp = 2, .pp = 2 };
	struct reduction r = { .tied = { .per_byte = 1e-6, .latency = 1 } };
	struct outside o = { .exposed = 5 };

	reduction_tied(&r, &n, &c, &o);
	near(5 + 2 * (1000 * 64 / 2 * 4 * 1e-6 + 1), o.exposed, 1e-9, "a shared embedding");
	c.pp = 1;
	reduction_tied(&r, &n, &c, &o);
	near(5 + 2 * (1000 * 64 / 2 * 4 * 1e-6 + 1), o.exposed, 1e-9, "not with one stage");
	c.pp = 2;
	n.tied = false;
	reduction_tied(&r, &n, &c, &o);
	near(5 + 2 * (1000 * 64 / 2 * 4 * 1e-6 + 1), o.exposed, 1e-9, "nor if the ends have one each");
}

/* Measurements are in order of their bytes, whatever their order of arrival. */
static void
knots(void)
{
	struct collectives all = { 0 };
	const struct collective *c;
	static const double bytes[] = { 4, 1, 3, 2 };

	for (int i = 0; i < 4; i++)
		collectives_knot(&all, OP_ALL_GATHER, 8, 1, bytes[i], bytes[i] * bytes[i], 0.1);
	c = collectives_find(&all, COLLECTIVE_GATHER, 8, 1);
	for (int i = 0; i < 4; i++) {
		near(i + 1, c->bytes[i], 0, "bytes ascend");
		near((i + 1) * (i + 1), c->time[i], 0, "each with its time");
	}
	near(6.5, collective_time(c, 2.5), 1e-12, "linear between two");
	near(1, collective_time(c, 0.5), 0, "the first before");
	near(16, collective_time(c, 5), 0, "the last behind");
	collectives_free(&all);
}

int
main(void)
{
	optimizer();
	communication();
	tied();
	knots();
	return tap_done();
}
