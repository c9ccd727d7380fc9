#include "run_borders.h"

#include "sapp-lp/model/stage_settings.h"
#include "sapp-lp/model/tier.h"
#include "sapp-lp/model/tolerance.h"

double
least_busy(const struct problem *p, int stage, const int *content, int chunks)
{
	double t = 0;

	for (int v = 0; v < chunks; v++) {
		const struct content *c = &p->contents.content[content[v]];
		int piece = v * p->stages + stage;
		const struct mix fastest = { .backward = c->backward };
		struct times each = piece_times(p, piece, c, &fastest);

		t += each.forward + each.backward;
	}
	return t * p->micro * p->pace[stage] * p->together;
}

bool
run_fits(const struct problem *p, int stage, int first, int end, double horizon)
{
	int content = piece_content(p, stage, first, end - first);

	return content >= 0 && least_busy(p, stage, &content, 1) < horizon &&
	    stage_memory_floor(p, stage, &content) <= proof_limit(p, stage);
}

void
run_borders(const struct problem *p, double horizon, int *earliest, int *latest)
{
	int all = p->net->layers;

	latest[0] = 0;
	for (int s = 0; s < p->stages; s++) {
		latest[s + 1] = latest[s];
		while (latest[s + 1] < all && run_fits(p, s, latest[s], latest[s + 1] + 1, horizon))
			latest[s + 1]++;
	}
	earliest[p->stages] = all;
	for (int s = p->stages - 1; s >= 0; s--) {
		earliest[s] = earliest[s + 1];
		while (earliest[s] > 0 && run_fits(p, s, earliest[s] - 1, earliest[s + 1], horizon))
			earliest[s]--;
	}
}
