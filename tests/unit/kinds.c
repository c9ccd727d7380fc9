/* Kinds of recomputation, and their settings in kind records. */
#include "lib/model/nesting.h"
#include "lib/record/operators.h"
#include "lib/record/recompute.h"
#include "tap.h"

static const struct place here = { "kinds.jsonl", 7 };

/* Return the operators of a record given as JSON. */
static struct operators
record(const char *text)
{
	struct operators o = { 0 };
	json_error_t error;
	json_t *object = json_loads(text, 0, &error);

	fields_get(&operators_fields, &o, object, here);
	json_decref(object);
	return o;
}

static void
checked(const char *text)
{
	struct operators o = record(text);

	operators_check(&o, here);
	fields_free(&operators_fields, &o);
}

static void
refused(const char *text, const char *message)
{
	DIES(message, checked(text), text);
}

static void
add_kinds(int n)
{
	char name[20];

	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof name, "kind%d", i);
		if (recompute_kind(name, here) != RECOMPUTE_BUILT_IN + i)
			_exit(2);
	}
}

/* The patterns of the last kind contain those of the kind before it. So the kind before it has no chain of its own. */
static void
nested(void)
{
	struct record two[] = {
		{ .kind = RECORD_KIND, .operators = record("{\"name\":\"few\",\"select_recompute\":[\"a\"]}") },
		{ .kind = RECORD_KIND, .operators = record("{\"name\":\"more\",\"select_recompute\":[\"a\",\"b\"]}") },
	};
	struct records all = { .at = two, .n = 2 };
	unsigned few, more;
	struct nesting n;
	int with = 0;

	recompute_forget();
	few = 1u << recompute_kind("few", here);
	more = 1u << recompute_kind("more", here);
	n = nesting_of(&all);

	same(3, n.chains, "a chain of the two, and the built-in ones");
	for (int c = 0; c < n.chains; c++)
		if (n.level[c][1] == more) {
			with++;
			ok(n.levels[c] == 4 && n.level[c][0] == 1u << RECOMPUTE_FULL && n.level[c][2] == few &&
			    n.level[c][3] == 1u << RECOMPUTE_NONE, "the larger one's layers come first");
		}
	same(1, with, "once");
	for (int i = 0; i < 2; i++)
		fields_free(&operators_fields, &two[i].operators);
	recompute_forget();
}

int
main(void)
{
	char name[65];

	same(RECOMPUTE_FULL, recompute_kind("full", here), "one that is built in");
	same(RECOMPUTE_BUILT_IN, recompute_known(), "they are all there are");
	same(RECOMPUTE_BUILT_IN, recompute_kind("mine", here), "another one has the next number");
	same(RECOMPUTE_BUILT_IN, recompute_kind("mine", here), "which it keeps");
	same(RECOMPUTE_BUILT_IN + 1, recompute_known(), "and is known then");
	recompute_forget();
	same(RECOMPUTE_BUILT_IN, recompute_known(), "until it is forgotten");
	memset(name, 'x', 64);
	name[64] = '\0';
	DIES("kinds.jsonl:7: the name of a kind of recomputation has 1 to 63 characters", recompute_kind(name, here),
	    "64 characters");
	name[63] = '\0';
	same(RECOMPUTE_BUILT_IN, recompute_kind(name, here), "63 may be");
	DIES("has 1 to 63 characters ''", recompute_kind("", here), "no character");
	recompute_forget();
	DIES("more than 7 kinds of recomputation in addition to the built-in kinds 'kind7'", add_kinds(8), "too many");
	add_kinds(7);
	same(RECOMPUTE_KINDS, recompute_known(), "as many as there may be");
	recompute_forget();

	checked("{\"name\":\"mine\",\"select_recompute\":[\"a\",\"b\"],\"recompute_modules\":[\"a\"]}");
	checked("{\"name\":\"select\",\"select_recompute\":[\"a\"]}");
	checked("{\"name\":\"mine\",\"layer_swap\":true,\"backward_prefetch\":2}");
	checked("{\"name\":\"mine\",\"op_swap\":[\"a\"],\"backward_prefetch\":2}");
	refused("{\"name\":\"full\"}", "'full' is built in");
	refused("{\"name\":\"none\"}", "'none' is built in");
	refused("{\"name\":\"both\"}", "'both' is built in");
	refused("{\"name\":\"mine\",\"select_recompute\":[\"\"]}", "'mine': an empty string in select_recompute");
	refused("{\"name\":\"mine\",\"op_swap\":[\"a\",\"b\",\"a\"]}", "op_swap has an entry twice 'a'");
	refused("{\"name\":\"mine\",\"select_comm_recompute\":[\"a\",\"a\"]}",
	    "select_comm_recompute has an entry twice");
	refused("{\"name\":\"mine\",\"recompute_modules\":[\"a\",\"\"]}", "an empty string in recompute_modules");
	refused("{\"name\":\"mine\",\"layer_swap\":true,\"op_swap\":[\"a\"]}", "layer_swap and op_swap");
	refused("{\"name\":\"mine\",\"backward_prefetch\":2}", "backward_prefetch without layer_swap or op_swap");
	refused("{\"name\":\"mine\",\"layer_swap\":false,\"backward_prefetch\":2}", "backward_prefetch without");
	nested();
	return tap_done();
}
