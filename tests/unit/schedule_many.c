/* Orders of v-half and v-min for many micro-batches, compared by hash, so that no operation changes. */
#include "lib/base/hash.h"
#include "lib/schedule/schedule.h"
#include "pipeline.h"

static const int micros[] = { 81, 100, 222, 700 };

static const struct known {
	enum schedule_kind kind;
	int stages;
	uint64_t hash;		/* hash of the orders for all these numbers of micro-batches */
} known[] = {
	{ SCHEDULE_V_HALF, 1, 0x33f0374e8f8035c1 },
	{ SCHEDULE_V_HALF, 2, 0x6038594e603dd1fb },
	{ SCHEDULE_V_HALF, 3, 0xc0345ac917223cfc },
	{ SCHEDULE_V_HALF, 4, 0x1ce9d7ad7f4e8a12 },
	{ SCHEDULE_V_HALF, 5, 0x8f1a62fc96f5ca57 },
	{ SCHEDULE_V_HALF, 6, 0x978fbbdea42219af },
	{ SCHEDULE_V_HALF, 8, 0x67532ce7fa5692c4 },
	{ SCHEDULE_V_HALF, 9, 0x5fb86f0576d524a2 },
	{ SCHEDULE_V_HALF, 16, 0xcb786cacc39b6cc7 },
	{ SCHEDULE_V_HALF, 33, 0xe8456998837723f7 },
	{ SCHEDULE_V_HALF, 64, 0x8d10e8778e71934c },
	{ SCHEDULE_V_MIN, 1, 0x25f5e20cde26f00b },
	{ SCHEDULE_V_MIN, 2, 0x69f410641f3cc55d },
	{ SCHEDULE_V_MIN, 3, 0xc1f445f112565ad2 },
	{ SCHEDULE_V_MIN, 4, 0x685ddfb6d7dd3d73 },
	{ SCHEDULE_V_MIN, 5, 0x2ddd1ed5a6a8410a },
	{ SCHEDULE_V_MIN, 6, 0x25321afc31717b1d },
	{ SCHEDULE_V_MIN, 8, 0xd75667af27849a02 },
	{ SCHEDULE_V_MIN, 9, 0xb0d54bf67d0eb3a1 },
	{ SCHEDULE_V_MIN, 16, 0xf2fa269efb3b35db },
	{ SCHEDULE_V_MIN, 33, 0x3fd2db62ec7f33f5 },
	{ SCHEDULE_V_MIN, 64, 0xad3e7e4bbfe0af0e },
};

static uint64_t
add_order(uint64_t hash, const struct shape *q)
{
	struct schedule s = schedule_new(q);

	for (size_t i = 0; i < schedule_ops(&s); i++)
		hash = hash_add(hash,
		    (uint64_t)s.op[i].micro << 8 | (uint64_t)s.op[i].chunk << 4 | (uint64_t)s.op[i].phase);
	schedule_free(&s);
	return hash;
}

int
main(void)
{
	struct cases c = { 0 };

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct shape q = shape(known[i].kind, known[i].stages, 2, 0);
		uint64_t hash = hash_begin(0);

		for (size_t k = 0; k < sizeof micros / sizeof micros[0]; k++) {
			q.micro = micros[k];
			hash = add_order(hash, &q);
		}
		case_is(&c, hash_end(hash) == known[i].hash, &q, (double)hash_end(hash));
	}
	cases_done(&c, "v-half and v-min: orders of many micro-batches stay as they are");
	return tap_done();
}
