/* Operators: laws fitted to a table of 686 measurements of one B200, and operators between measured shapes. */
#include "lib/operator/operator_table.h"
#include "lib/record/record.h"
#include "tap.h"

static const struct cluster b200 = { .name = (char *)"b200", .peak = 2250, .peak_linear = 2250,
	.memory_bandwidth = 8000, .launch = 300 };

static struct operator_table
read_table(const char *file)
{
	char *const operands[] = { (char *)file, NULL };
	struct operator_table t = operator_table_none();
	struct reader in;
	struct record r;

	reader_open(&in, operands, RECORDS(RECORD_OPERATOR));
	while (reader_next(&in, &r)) {
		if (r.kind == RECORD_OPERATOR)
			operator_table_add(&t, &r.device_operator, r.place);
		record_free(&r);
	}
	reader_close(&in);
	operator_table_settle(&t, &b200);
	return t;
}

static struct operator_key
product(int layout, int m, int n, int k)
{
	struct device_operator o = { .op = OPERATOR_MATMUL, .m = m, .n = n, .k = k, .layout = layout,
		.accumulate = layout == LAYOUT_NT, .out = layout == LAYOUT_NT ? TYPE_FP32 : TYPE_BF16 };

	return operator_key_of(&o);
}

/* The fitted coefficients must equal those of another program (scipy's least_squares with soft_l1). */
static void
laws(const struct operator_table *t)
{
	static const struct {
		int layout;
		double efficiency, memory;
	} want[] = { { LAYOUT_NN, 0.498517, 0.309393 }, { LAYOUT_NT, 0.479894, 0.525981 },
		{ LAYOUT_TN, 0.507931, 0.668329 } };

	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
		for (int g = 0; g < t->ngroups; g++) {
			const struct operator_group *of = &t->group[g];

			if (of->like.op != OPERATOR_MATMUL || of->like.phase != want[i].layout ||
			    (want[i].layout == LAYOUT_NT && of->like.out != TYPE_FP32))
				continue;
			near(want[i].efficiency, of->law.figure[0], 0.1 * want[i].efficiency, "efficiency of a law");
			near(want[i].memory, of->law.figure[1], 0.1 * want[i].memory, "its share of the bandwidth");
		}
}

static void
lookups(const struct operator_table *t)
{
	struct operator_key k = product(LAYOUT_TN, 4096, 10240, 8192);
	struct operator_time o = operator_table_time(t, &k);
	struct device_operator grouped = { .op = OPERATOR_GROUPED, .groups = 40, .m = 616, .n = 3072, .k = 5120,
		.phase = OPERATOR_WEIGHT, .gradient = TYPE_FP32 };
	struct device_operator attention = { .op = OPERATOR_ATTENTION, .phase = OPERATOR_BACKWARD, .batch = 1,
		.seq = 4096, .heads = 64, .kv_heads = 8, .qk_dim = 128, .v_dim = 128, .causal = true };

	near(0.473401, o.time, 1e-6, "a measured product has its time");
	same(OPERATOR_MEASURED, o.source, "and is measured");
	k = product(LAYOUT_NT, 57344, 8192, 4096);
	near(3.77075, operator_table_time(t, &k).time, 1e-5, "a weight gradient");
	k = operator_key_of(&grouped);
	near(1.3358, operator_table_time(t, &k).time, 1e-4, "a grouped weight gradient");
	k = operator_key_of(&attention);
	near(0.842254, operator_table_time(t, &k).time, 1e-6, "a backward of attention");
	attention.seq = 5000;
	k = operator_key_of(&attention);
	ok(operator_table_time(t, &k).time > 0.842254, "a length between measured ones is fitted");
	attention.qk_dim = 80;
	k = operator_key_of(&attention);
	same(OPERATOR_UNKNOWN, operator_table_time(t, &k).source, "a width that was never measured is unknown");
	near(5720.9, operator_table_rate(t, "norm", OPERATOR_FORWARD, 1e8), 1e-6, "a norm has the rate of all");
	near(4387.9, operator_table_rate(t, "permute", OPERATOR_BACKWARD, 1e8), 1e-6, "permute has a rate of its own");
}

/* The times of six products between measured shapes must equal those of the other program. */
static void
between(const struct operator_table *t)
{
	static const struct {
		int layout, m, n, k;
		double time;
	} want[] = { { LAYOUT_TN, 4096, 12288, 4096, 0.300076 }, { LAYOUT_NN, 8192, 6144, 5120, 0.448659 },
		{ LAYOUT_TN, 2048, 16384, 8192, 0.463448 }, { LAYOUT_NT, 11264, 4096, 4096, 0.311303 },
		{ LAYOUT_TN, 4096, 4096, 11008, 0.376005 }, { LAYOUT_NN, 1024, 5120, 5120, 0.0551155 } };

	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		struct operator_key k = product(want[i].layout, want[i].m, want[i].n, want[i].k);
		struct operator_time o = operator_table_time(t, &k);

		near(want[i].time, o.time, 0.05 * want[i].time, "a product between measured shapes");
		same(OPERATOR_FITTED, o.source, "is fitted");
	}
}

/* By hand: t = start + (A^4 + B^4)^(1/4) of one product on a device of 1000 TFLOP/s and 1000 GB/s. */
static void
by_hand(void)
{
	const struct operator_law l = { { 0.5, 0.8, 0.01, 100, 50 } };
	struct operator_key k = product(LAYOUT_TN, 1000, 1000, 1000);
	double a = 2e9 / 0.5e15 * 1e3 * 1.1 * 1.1 * 1.05, b = 6e6 / 0.8e12 * 1e3;

	near(0.01 + pow(pow(a, 4) + pow(b, 4), 0.25), operator_law_time(&l, &k, (struct device_peaks){ 1e15, 1e12 }),
	    1e-12, "the law of a product");
	near(2e9, operator_operations(&k), 1, "its operations");
	k = product(LAYOUT_NT, 10, 20, 30);
	near(2 * 30 * (10 + 20) + 8 * 10 * 20, operator_bytes(&k), 1e-9, "an accumulated result is read and written");
}

static void
bad(void)
{
	struct operator_table t = operator_table_none();
	struct device_operator o = { .op = OPERATOR_MATMUL, .m = 8192, .n = 8192, .k = 8192 };

	GIVE(device_operator, &o, time, 0.05);
	operator_table_add(&t, &o, (struct place){ "table.jsonl", 3 });
	DIES("table.jsonl:3: operator: time: faster than the device", operator_table_settle(&t, &b200),
	    "a time below a third of the least is refused");
	operator_table_free(&t);
}

int
main(void)
{
	struct operator_table t = read_table("share/operators/b200.jsonl");

	laws(&t);
	lookups(&t);
	between(&t);
	by_hand();
	bad();
	operator_table_free(&t);
	return tap_done();
}
