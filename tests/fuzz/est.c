/*
 * Fuzz estimates: networks, clusters and candidates from any bytes. Times and memory must be finite, and no bound may
 * exceed its step.
 */
#include <math.h>

#include "fuzz.h"
#include "lib/estimate/estimator.h"
#include "stream.h"

enum { MOST = 32 };

static struct reader in;

static void
estimate(const struct architecture *net, const struct cluster *cluster, const struct configuration *c)
{
	struct estimating how = { .imbalance = 1, .measured = measured_none() };
	struct estimator *e;
	struct appraisal a;

	/* Limit the number of stages; sapp-est refuses pieces without layers. */
	if (c->pp > 1000 || (long long)c->pp * c->vp > net->layers)
		return;
	e = estimator_new(net, cluster, &how);
	a = estimate_fully(e, c);
	if (!(a.brief.step_time > 0) || !isfinite(a.brief.step_time) || !(a.brief.lower_bound >= 0) ||
	    a.brief.lower_bound > a.brief.step_time * (1 + 1e-9))
		abort();
	for (int s = 0; s < c->pp; s++)
		if (!(a.memory[s] > 0) || !isfinite(a.memory[s]))
			abort();
	estimator_free(e);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (FUZZ_BEGIN()) {
		struct record net = { 0 }, cluster = { 0 }, rec;
		bool have_net = false, have_cluster = false;

		in = stream_open(data, size);
		for (int n = 0; n < MOST && reader_next(&in, &rec); n++) {
			if (rec.kind == RECORD_NETWORK) {
				net = rec;
				have_net = true;
			} else if (rec.kind == RECORD_CLUSTER) {
				cluster = rec;
				have_cluster = true;
			} else if (rec.kind == RECORD_CANDIDATE && have_net && have_cluster) {
				estimate(&net.network, &cluster.cluster, &rec.candidate);
			}
		}
		reader_close(&in);
	}
	stream_abandon(&in);
	fuzz_end();
	return 0;
}
