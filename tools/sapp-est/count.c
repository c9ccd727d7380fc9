#include "count.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/cost/parameters.h"

struct class_count {
	uint64_t given;
	char *name;
	int layers;
	/* number per class; shared: once per stage, not included in the others */
	double parameters, routed, shared, frozen;
};

struct space_count {
	uint64_t given;
	char *name;
	double total, active, mtp;
	struct array classes;
	double attention, dense_layer, moe_layer, moe_routed, embedding, output, final_norm;
};

static const struct field class_count_field[] = {
	REQUIRED(class_count, name, ANY),
	REQUIRED(class_count, layers, NONNEGATIVE),
	REQUIRED(class_count, parameters, NONNEGATIVE),
	REQUIRED(class_count, routed, NONNEGATIVE),
	OPTIONAL(class_count, shared, NONNEGATIVE),
	OPTIONAL(class_count, frozen, NONNEGATIVE),
};
static const struct fields class_count_fields = FIELDS(class_count, "class");

static const struct field space_count_field[] = {
	REQUIRED(space_count, name, ANY),
	OPTIONAL(space_count, total, NONNEGATIVE),
	OPTIONAL(space_count, active, NONNEGATIVE),
	OPTIONAL(space_count, mtp, NONNEGATIVE),
	REQUIRED(space_count, attention, NONNEGATIVE),
	REQUIRED(space_count, dense_layer, NONNEGATIVE),
	REQUIRED(space_count, moe_layer, NONNEGATIVE),
	REQUIRED(space_count, moe_routed, NONNEGATIVE),
	REQUIRED(space_count, embedding, NONNEGATIVE),
	REQUIRED(space_count, output, NONNEGATIVE),
	REQUIRED(space_count, final_norm, NONNEGATIVE),
	NESTED(FIELD_ARRAY, space_count, classes, true, &class_count_fields),
};
static const struct fields space_count_fields = FIELDS(space_count, "count");

/* Write the counts of classes, if the network names them. */
static void
count_classes(struct space_count *p, const struct architecture *n, const struct device_parameters *d)
{
	for (int k = 0; k < n->classes.n && n->pattern.n > 0; k++) {
		struct class_count *c = array_add(&class_count_fields, &p->classes);
		struct parameters all = d->layer[k];

		*c = (struct class_count){ .name = xstrdup(architecture_class(n, k)->name),
			.layers = architecture_count(n, k, n->layers),
			.parameters = (double)(all.dense + all.routed + all.frozen), .routed = (double)all.routed };
		if (d->shared[k] > 0)
			GIVE(class_count, c, shared, (double)d->shared[k]);
		if (all.frozen > 0)
			GIVE(class_count, c, frozen, (double)all.frozen);
		field_give(&space_count_fields, p, offsetof(struct space_count, classes));
	}
}

/* C NULL: the whole network. */
void
count_print(struct line *out, const struct architecture *n, const struct configuration *c)
{
	struct device_parameters d = parameters_on_device(n, c != NULL ? c->tp : 1, c != NULL ? c->ep : 1, c != NULL ?
	    c->etp : 1,
	    c != NULL && c->pp > 1);
	struct parameter_count all = parameters_count(n);
	char *name = c == NULL ? xstrdup(n->name) : c->name != NULL ? xstrdup(c->name) : configuration_name(c);
	struct parameters kind[2] = { 0 };
	struct space_count p = { .name = name, .attention = (double)d.attention,
		.embedding = (double)d.embedding, .output = (double)d.output, .final_norm = (double)d.norm };

	/* Use the first class of each kind. */
	for (int k = n->classes.n - 1; k >= 0; k--)
		kind[kind_of(architecture_class(n, k))] = d.layer[k];
	p.dense_layer = (double)(kind[KIND_DENSE].dense + kind[KIND_DENSE].frozen);
	p.moe_layer = (double)(kind[KIND_MOE].dense + kind[KIND_MOE].routed + kind[KIND_MOE].frozen);
	p.moe_routed = (double)kind[KIND_MOE].routed;
	if (c == NULL) {
		GIVE(space_count, &p, total, (double)all.total);
		GIVE(space_count, &p, active, (double)all.active);
		GIVE(space_count, &p, mtp, (double)all.mtp);
	}
	count_classes(&p, n, &d);
	line_print(out, "count", &space_count_fields, &p);
	fields_free(&space_count_fields, &p);
}
