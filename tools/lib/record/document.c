#include "document.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/slurp.h"
#include "lib/field/xjson.h"

enum { MAX_BYTES = 64 << 20, MAX_DIFFERENT = 1000 };
static const char *const type_layers[] = {
	[LAYER_HEAD] = "pre_defined_layer",
	[LAYER_BODY] = "auto_partition_layer",
	[LAYER_TAIL] = "pre_defined_layer",
};

static json_t *
parse(const char *path)
{
	size_t n;
	char *text = slurp(path, MAX_BYTES, &n);
	size_t mark = byte_order_mark(text, n);
	json_error_t error;
	json_t *doc = xjson_parse(text + mark, n - mark, &error);

	free(text);
	if (doc == NULL)
		place_die((struct place){ slurp_name(path), error.line },
		    "not a JSON document: %s, at column %d", error.text, error.column);
	return doc;
}

/* Warn if the informational layer counts contradict nb_layer. */
static void
compare_counts(const struct document *d, json_t *counts, const char *member, struct place at)
{
	const char *name;
	json_t *value;

	json_object_foreach(counts, name, value) {
		int i = 0;

		if (!json_is_integer(value))
			place_die(at, "%s: '%s' is not a whole number", member, name);
		while (i < d->n && strcmp(d->layer[i].name, name) != 0)
			i++;
		if (i == d->n)
			place_warn(at, "%s: no layer is called '%s'", member, name);
		else if (strcmp(type_layers[d->layer[i].type], member) != 0)
			place_warn(at, "%s: '%s' is not a layer of that type", member, name);
		else if (d->layer[i].type == LAYER_BODY && json_integer_value(value) != d->layer[i].nb_layer)
			place_warn(at, "%s: '%s' is %lld, but its nb_layer is %d: %d is used", member, name,
			    (long long)json_integer_value(value), d->layer[i].nb_layer, d->layer[i].nb_layer);
	}
}

/* Accept two habits of sapp_ppb's output: null values, and a key with a blank at its end. */
static void
take_as_theirs(json_t *layer, struct place at)
{
	static const char theirs[] = "recompute_time ", ours[] = "recompute_time";
	json_t *value, *time;
	const char *name;
	void *next;

	json_object_foreach_safe(layer, next, name, value)
		if (json_is_null(value))
			json_object_del(layer, name);
	time = json_object_get(layer, theirs);
	if (time == NULL)
		return;
	if (json_object_get(layer, ours) != NULL)
		place_die(at, "'%s': also given as %s", theirs, ours);
	xjson_set(layer, ours, json_incref(time));
	json_object_del(layer, theirs);
}

/* Names of recomputation options in sapp_ppb, and the members that hold their memory and backward. */
static const struct {
	const char *option, *memory, *backward;
} by_option[] = {
	{ "NONE", "memory_activation", "backward_time" },
	{ "SLCT", "memory_select_rec", "select_rec_time" },
	{ "COMM", "memory_select_comm", "select_comm_time" },
	{ "BOTH", "memory_both_comm_select", "both_comm_select_time" },
	{ "FULL", "memory_recompute", "recompute_time" },
};
enum { OPTIONS = sizeof by_option / sizeof by_option[0] };

static int
option_of(const char *name, const char *member, struct place at)
{
	for (int k = 0; k < OPTIONS; k++)
		if (strcmp(by_option[k].option, name) == 0)
			return k;
	place_die(at, "%s: not one of NONE, SLCT, COMM, BOTH and FULL '%s'", member, name);
}

/* Split MEMBER, a map by option, into one member per option. The forward must be equal for all options. */
static void
take_member(json_t *layer, const char *member, const bool *listed, struct place at)
{
	json_t *all = json_incref(json_object_get(layer, member)), *value;
	const char *option, *before = NULL;

	if (json_is_object(all)) {
		json_object_del(layer, member);
		json_object_foreach(all, option, value) {
			int k = option_of(option, member, at);
			const char *name = strcmp(member, "forward_time") == 0 ? member :
			    strcmp(member, "backward_time") == 0 ? by_option[k].backward : by_option[k].memory;

			if (listed != NULL && !listed[k])
				place_die(at, "%s: not in the layer's \"options\" '%s'", member, option);
			if (name == member && before != NULL && json_number_value(value) !=
			    json_number_value(json_object_get(layer, name)))
				place_die(at, "%s: differs between %s and %s, which no plan can express", member,
				    option,
				    before);
			if (json_object_get(layer, name) != NULL && name != member)
				place_die(at, "%s: also given by option", name);
			xjson_set(layer, name, json_incref(value));
			before = option;
		}
	}
	json_decref(all);
}

/* Convert the newer form that sapp_nd writes, "layers_description_new" with maps by option. */
static void
take_by_option(json_t *layer, struct place at)
{
	json_t *options = json_object_get(layer, "options"), *value;
	bool listed[OPTIONS] = { false };
	size_t i;

	if (options != NULL && !json_is_array(options))
		place_die(at, "options: not a list");
	json_array_foreach(options, i, value) {
		if (!json_is_string(value))
			place_die(at, "options: not a list of names");
		listed[option_of(json_string_value(value), "options", at)] = true;
	}
	take_member(layer, "memory_activation", options != NULL ? listed : NULL, at);
	take_member(layer, "backward_time", options != NULL ? listed : NULL, at);
	take_member(layer, "forward_time", options != NULL ? listed : NULL, at);
	json_object_del(layer, "options");
}

static void
read_layers(struct document *d, json_t *list, bool newer, struct place at)
{
	size_t n = json_array_size(list);

	if (!json_is_array(list) || n == 0 || n > MAX_DIFFERENT)
		place_die(at, "layers_description: expected a list of 1 to %d layers", MAX_DIFFERENT);
	d->layer = xcalloc(n, sizeof *d->layer);
	d->place = xcalloc(n, sizeof *d->place);
	for (; d->n < (int)n; d->n++) {
		json_t *each = json_array_get(list, (size_t)d->n);

		d->place[d->n].source = xasprintf("%s: layers_description[%d]", at.source, d->n);
		if (!json_is_object(each))
			place_die(d->place[d->n], "expected an object with the members of a layer");
		if (json_object_get(each, "kind") != NULL)
			place_die(d->place[d->n], "unknown member 'kind'");
		take_as_theirs(each, d->place[d->n]);
		if (newer)
			take_by_option(each, d->place[d->n]);
		fields_get(&layer_fields, &d->layer[d->n], each, d->place[d->n]);
		layer_check(&d->layer[d->n], d->place[d->n]);
	}
}

void
document_read(struct document *d, const char *path)
{
	static const char *const maps[] = { "pre_defined_layer", "auto_partition_layer" };
	struct place at = { slurp_name(path), 0 };
	json_t *doc = parse(path), *count[2], *layers, *newer;

	*d = (struct document){ 0 };
	if (!json_is_object(doc))
		place_die(at, "expected one JSON object with the layers_description of a model");
	layers = json_incref(json_object_get(doc, "layers_description"));
	newer = json_incref(json_object_get(doc, "layers_description_new"));
	if (layers != NULL && newer != NULL)
		place_die(at, "layers_description: both the old and the new form are present");
	if (newer != NULL)
		layers = newer;
	if (layers == NULL)
		place_die(at, "missing member 'layers_description'%s", json_object_get(doc, "kind") != NULL ?
		    ": this is a record, which the other tools read without conversion" : "");
	for (int i = 0; i < 2; i++) {
		count[i] = json_incref(json_object_get(doc, maps[i]));
		if (count[i] != NULL && !json_is_object(count[i]))
			place_die(at, "%s: expected an object of layer numbers", maps[i]);
		json_object_del(doc, maps[i]);
	}
	json_object_del(doc, "layers_description");
	json_object_del(doc, "layers_description_new");
	/* All other members belong to a model record. */
	if (json_object_get(doc, "kind") != NULL)
		place_die(at, "unknown member 'kind'");
	fields_get(&model_fields, &d->model, doc, at);
	read_layers(d, layers, newer != NULL, at);
	for (int i = 0; i < 2; i++)
		if (count[i] != NULL)
			compare_counts(d, count[i], maps[i], at);
	json_decref(count[0]);
	json_decref(count[1]);
	json_decref(layers);
	json_decref(doc);
}

void
document_write(FILE *out, const struct model *model, const struct layer *const layers[], int n)
{
	json_t *doc = json_object(), *members = fields_put(&model_fields, model), *list = json_array();
	json_t *count[] = { json_object(), json_object() };

	if (n > MAX_DIFFERENT)
		place_die((struct place){ 0 }, "more than %d layers, the maximum of a document", MAX_DIFFERENT);
	for (int i = 0; i < n; i++) {
		const struct layer *l = layers[i];

		xjson_append(list, fields_put(&layer_fields, l));
		if (l->type == LAYER_BODY)
			xjson_set(count[1], l->name, json_integer(l->nb_layer));
		else
			xjson_set(count[0], l->name, json_integer(l->type == LAYER_HEAD ? 0 : -1));
	}
	xjson_set(doc, "name", json_incref(json_object_get(members, "name")));
	xjson_set(doc, "pre_defined_layer", count[0]);
	xjson_set(doc, "auto_partition_layer", count[1]);
	xjson_update(doc, members);
	xjson_set(doc, "layers_description", list);
	xjson_write(out, doc, JSON_INDENT(4) | JSON_REAL_PRECISION(15));
	putc('\n', out);
	json_decref(members);
	json_decref(doc);
}

void
document_free(struct document *d)
{
	fields_free(&model_fields, &d->model);
	for (int i = 0; i < d->n; i++) {
		fields_free(&layer_fields, &d->layer[i]);
		free((char *)d->place[i].source);
	}
	free(d->layer);
	free(d->place);
	*d = (struct document){ 0 };
}
