#include "fused.h"

#include <stdlib.h>

#include "lib/cost/shape.h"

static const char *
name_of(int fused)
{
	return fused == FUSED_MC2 ? "mc2" : fused == FUSED_PERMUTE ? "permute" : "mc2 and permute";
}

/* Return the fused operators that all similar runs have, if the candidate does not set any; otherwise 0. */
static int
missed(struct estimator *e, const struct configuration *c, bool experts)
{
	if (GIVEN(configuration, c, fused) || estimate_measured(e, c))
		return 0;
	for (int fused = 1; fused <= (FUSED_MC2 | FUSED_PERMUTE); fused++) {
		struct configuration with = *c;

		with.fused = fused;
		if ((fused & ~configuration_fusable(c, experts)) == 0 && estimate_measured(e, &with))
			return fused;
	}
	return 0;
}

/* No formula includes fusing. Without a run, the estimate would be for separate operators. */
void
fused_check(struct estimator *e, const struct configuration *c, const struct architecture *n, const struct cluster *l,
    struct fused_kept *kept, struct place at)
{
	const char *what = name_of(c->fused);
	struct training_run run;
	char *not, *name;

	if (c->fused == 0) {
		int runs = kept->missed ? 0 : missed(e, c, n->experts > 0);

		if (runs != 0)
			place_warn(at, "candidate: no fused, but the runs of such layers have %s: these runs are "
			    "ignored", name_of(runs));
		kept->missed |= runs != 0;
		return;
	}
	not = configuration_fused_not(c, n->experts > 0);
	if (not != NULL)
		place_die(at, "candidate: fused: %s", not);
	if (estimate_measured(e, c))
		return;
	if ((c->fused & ~kept->fused) == 0) {
		if (!kept->said)
			place_say(at, "candidate: fused: no run shows what %s saves: steps are estimated without",
			    what);
		kept->said = true;
		return;
	}
	if (!shape_run(&run, c, n, l->devices_per_node, &not))
		place_die(at, "candidate: fused: no run shows what %s saves, and no run on one node can: %s", what,
		    not);
	name = configuration_name(&run.of);
	place_die(at, "candidate: fused: no run shows what %s saves; a run of this configuration with %d layers of %d "
	    "tokens would '%s'", what, run.layers > 0 ? run.layers : n->layers, run.seq_length, name);
}
