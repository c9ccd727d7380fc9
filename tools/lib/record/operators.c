#include "operators.h"

#include <string.h>

#include "recompute.h"

static const struct field operators_field[] = {
	REQUIRED(operators, name, ANY),
	OPTIONAL(operators, select_recompute, ANY),
	OPTIONAL(operators, select_comm_recompute, ANY),
	OPTIONAL(operators, recompute_modules, ANY),
	OPTIONAL(operators, offload_modules, ANY),
	OPTIONAL(operators, swap_modules, ANY),
	OPTIONAL(operators, layer_swap, ANY),
	OPTIONAL(operators, op_swap, ANY),
	OPTIONAL(operators, backward_prefetch, POSITIVE),
};
const struct fields operators_fields = EXACT_FIELDS(operators, "kind");

static void
list_check(const struct operators *o, const char *list, struct texts t, struct place at)
{
	for (int i = 0; i < t.n; i++) {
		if (*t.at[i] == '\0')
			place_die(at, "kind: '%s': an empty string in %s", o->name, list);
		for (int j = 0; j < i; j++)
			if (strcmp(t.at[i], t.at[j]) == 0)
				place_die(at, "kind: '%s': %s has an entry twice '%s'", o->name, list, t.at[i]);
	}
}

/* Check that names of modules can be words of a command line. */
static void
modules_check(const struct operators *o, const char *list, struct texts t, struct place at)
{
	for (int i = 0; i < t.n; i++)
		if (t.at[i][strspn(t.at[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] != '\0')
			place_die(at, "kind: '%s': not a name of a module in %s '%s'", o->name, list, t.at[i]);
}

void
operators_check(const struct operators *o, struct place at)
{
	int k = recompute_kind(o->name, at);

	if (k == RECOMPUTE_NONE || k == RECOMPUTE_BOTH || k == RECOMPUTE_FULL)
		place_die(at, "kind: '%s' is built in and cannot be redefined", o->name);
	list_check(o, "select_recompute", o->select_recompute, at);
	list_check(o, "select_comm_recompute", o->select_comm_recompute, at);
	list_check(o, "recompute_modules", o->recompute_modules, at);
	list_check(o, "offload_modules", o->offload_modules, at);
	list_check(o, "swap_modules", o->swap_modules, at);
	modules_check(o, "recompute_modules", o->recompute_modules, at);
	modules_check(o, "offload_modules", o->offload_modules, at);
	modules_check(o, "swap_modules", o->swap_modules, at);
	list_check(o, "op_swap", o->op_swap, at);
	if (o->layer_swap && o->op_swap.n > 0)
		place_die(at, "kind: '%s': layer_swap and op_swap exclude each other", o->name);
	if (GIVEN(operators, o, backward_prefetch) && !o->layer_swap && o->op_swap.n == 0)
		place_die(at, "kind: '%s': backward_prefetch without layer_swap or op_swap", o->name);
}
