/*
 * The cache of settings, with more stages and contents than its first size. Each list must equal the list computed
 * without the cache, however the cache grew.
 */
#include "lp_random.h"
#include "sapp-lp/model/stage_settings.h"
#include "tap.h"

enum { LAYERS = 24, KEPT = 4000, ALONE = 37 };	/* number of entries; every n-th entry is compared */

static bool
alike(const struct problem *p, const struct stage_settings *a, const struct stage_settings *b)
{
	size_t n = (size_t)a->n * (size_t)p->chunks;

	return a->n == b->n && a->complete == b->complete && (n == 0 ||
	    (memcmp(a->mix, b->mix, n * sizeof *a->mix) == 0 &&
	    memcmp(a->backward, b->backward, n * sizeof *a->backward) == 0));
}

/* Two large chunks where kinds of recomputation differ in parts of backwards: many settings, all in a list. */
static void
check_parts(struct network net)
{
	struct shape shape = { .kind = SCHEDULE_ZBV, .stages = 4, .chunks = 2, .micro = 8 };
	struct devices devices = { 0 };
	double limit = 2000;
	struct problem p;
	struct settings_cache cache;
	const struct stage_settings *list;
	int content[2];

	net.weighs_kinds = true;
	net.body[0].weighed = true;
	net.body[0].weight = 3;
	net.body[0].weight_more[RECOMPUTE_FULL] = 1;
	net.body[0].weight_more[RECOMPUTE_SELECT] = 2;
	p = problem_new(&net, &shape, &devices, (struct list){ 1, &limit }, true);
	cache = settings_cache_new(&p, true);
	content[0] = content[1] = p.contents.ncontents - 1;
	list = settings_cache_get(&cache, 1, content);
	printf("# %d of %g settings\n", list->n, settings_combinations(&p, content));
	ok(settings_combinations(&p, content) > 2000 && list->complete && list->n > 1,
	    "a list where parts of backwards matter");
	settings_cache_free(&cache);
	problem_free(&p);
}

int
main(void)
{
	static const struct stage_settings *list[KEPT];
	static int content[KEPT][2];
	struct body body = { .name = "a", .layers = LAYERS, .forward = 3, .parameter = 10,
		.has = { [RECOMPUTE_NONE] = true, [RECOMPUTE_FULL] = true, [RECOMPUTE_SELECT] = true },
		.backward = { [RECOMPUTE_NONE] = 6, [RECOMPUTE_FULL] = 9, [RECOMPUTE_SELECT] = 7 },
		.activation = { [RECOMPUTE_NONE] = 20, [RECOMPUTE_FULL] = 1, [RECOMPUTE_SELECT] = 9 } };
	struct network net = { .name = "kept", .body = &body, .nbodies = 1, .layers = LAYERS };
	struct shape shape = { .kind = SCHEDULE_VPP, .stages = 4, .chunks = 2, .micro = 8 };
	struct devices devices = { 0 };
	double limit = 2000;
	struct problem p = problem_new(&net, &shape, &devices, (struct list){ 1, &limit }, true);
	struct settings_cache kept = settings_cache_new(&p, false);
	long had = 0, lost = 0, moved = 0, unlike = 0, empty = 0;
	int n = 0, all = p.contents.ncontents;

	/* MB, less than some contents need, so that larger limits add contents */
	for (int i = 0; i < p.stages; i++)
		p.limit[i] = 300;
	for (int i = 0; n < KEPT && i < all * all * p.stages; i++, n++) {
		content[n][0] = i / p.stages % all;
		content[n][1] = i / p.stages / all;
		had += settings_cache_has(&kept, i % p.stages, content[n]);
		list[n] = settings_cache_get(&kept, i % p.stages, content[n]);
		empty += list[n]->n == 0;
	}
	for (int i = 0; i < n; i++) {
		lost += !settings_cache_has(&kept, i % p.stages, content[i]);
		moved += settings_cache_get(&kept, i % p.stages, content[i]) != list[i];
		if (i % ALONE == 0) {
			struct settings_cache alone = settings_cache_new(&p, false);

			unlike += !alike(&p, list[i], settings_cache_get(&alone, i % p.stages, content[i]));
			settings_cache_free(&alone);
		}
	}
	printf("# %d lists of %d contents, %ld of them empty\n", n, all, empty);
	ok(n > 1024 && empty > 0 && empty < n / 2, "more lists than there is room for at first, with settings or none");
	same(0, had, "none exists before the first request");
	same(0, lost, "all are later");
	same(0, moved, "where they were");
	same(0, unlike, "and as they are alone");
	same(n, (long)kept.n, "each once");
	settings_cache_free(&kept);
	problem_free(&p);
	check_parts(net);
	return tap_done();
}
