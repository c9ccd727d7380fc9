#include "count.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/strategy/parameters.h"

struct count {
	uint64_t given;
	char *name;
	double total, active, mtp;
	double attention, dense_layer, moe_layer, moe_routed, embedding, output, final_norm;
};

static const struct field count_field[] = {
	REQUIRED(count, name, ANY),
	OPTIONAL(count, total, NONNEGATIVE),
	OPTIONAL(count, active, NONNEGATIVE),
	OPTIONAL(count, mtp, NONNEGATIVE),
	REQUIRED(count, attention, NONNEGATIVE),
	REQUIRED(count, dense_layer, NONNEGATIVE),
	REQUIRED(count, moe_layer, NONNEGATIVE),
	REQUIRED(count, moe_routed, NONNEGATIVE),
	REQUIRED(count, embedding, NONNEGATIVE),
	REQUIRED(count, output, NONNEGATIVE),
	REQUIRED(count, final_norm, NONNEGATIVE),
};
static const struct fields count_fields = FIELDS(count, "count");

/* Parameters on a device of the candidate, or C NULL: of the whole network. */
void
count_print(struct line *out, const struct architecture *n, const struct configuration *c)
{
	struct device_parameters d = parameters_on_device(n, c != NULL ? c->tp : 1, c != NULL ? c->ep : 1, c != NULL ?
	    c->etp : 1,
	    c != NULL && c->pp > 1);
	struct parameter_count all = parameters_count(n);
	char *name = c == NULL ? xstrdup(n->name) : c->name != NULL ? xstrdup(c->name) : configuration_name(c);
	struct count p = { .name = name, .attention = (double)d.attention,
	    .dense_layer = (double)d.layer[KIND_DENSE].dense,
		.moe_layer = (double)(d.layer[KIND_MOE].dense + d.layer[KIND_MOE].routed),
		    .moe_routed = (double)d.layer[KIND_MOE].routed,
		.embedding = (double)d.embedding, .output = (double)d.output, .final_norm = (double)d.norm };

	if (c == NULL) {
		GIVE(count, &p, total, (double)all.total);
		GIVE(count, &p, active, (double)all.active);
		GIVE(count, &p, mtp, (double)all.mtp);
	}
	line_print(out, "count", &count_fields, &p);
	free(name);
}
