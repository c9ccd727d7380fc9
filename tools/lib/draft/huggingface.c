/* Read a config.json of Hugging Face by tables of formulas. An absent key has the default of the family's code. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "layers.h"

/* Mark the keys that have no effect on the shape as used. */
static void
ignore(struct bag *b, const struct formulas *f)
{
	for (int i = 0; i < f->n; i++) {
		const struct yaml *list = yaml_get(f->table[i], "ignored");

		if (list != NULL && list->type != YAML_LIST)
			place_die(list->place, "ignored: not a list");
		for (int k = 0; list != NULL && k < list->n; k++)
			bag_find(b, yaml_string(list->item[k], "ignored"));
	}
}

/*
 * Push the families whose formulas apply: the family of the file, and the language model's family if it is more
 * specific.
 */
static void
push_families(struct scope *s, const char *type, const char *text)
{
	bool alone, other;

	if (type == NULL)
		place_die(s->place, "no model_type: this is not the config.json of a network");
	if (formulas_entry(s->formulas, "families", type) == NULL)
		place_die(s->place, "model_type: not a known family; add its formulas with -classes FILE "
		    "(sapp-model(1)), or use measured layers, which need none '%s'", type);
	scope_push(s, "families", type);
	/*
	 * A family that is only a tower needs the family of the language model. For any other, the family of the
	 * language model may be more specific.
	 */
	alone = yaml_get(s->map[s->n - 1], "front") != NULL;
	other = text != NULL && strcmp(type, text) != 0;
	if (alone && !other)
		place_die(s->place, "no model_type: that of a language model is usually in text_config");
	if (other && (alone || formulas_entry(s->formulas, "families", text) != NULL))
		scope_push(s, "families", text);
	scope_push(s, "families", "any");
}

/* Return the map with the language model's keys if it has its own, or NULL. */
static const struct yaml *
language_of(const struct yaml *root)
{
	static const char *const known[] = { "text_config", "language_config", "llm_config" };

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		const struct yaml *text = yaml_get(root, known[i]);

		if (text != NULL && text->type == YAML_MAP)
			return text;
	}
	return NULL;
}

/*
 * Decide between two values of tie_word_embeddings. Before release 5, transformers takes the value of the language
 * model. From then on it takes the value of the whole network.
 */
static void
settle_ties(struct bag *outer, struct bag *inner, const struct yaml *version)
{
	static const char key[] = "tie_word_embeddings";
	const struct setting *whole = bag_find(outer, key);
	bool ties, parts_tie;

	if (!bag_bool(outer, key, &ties) || !bag_bool(inner, key, &parts_tie) || ties == parts_tie)
		return;
	if (version != NULL && strtol(yaml_string(version, "transformers_version"), NULL, 10) >= 5)
		bag_put(inner, key, whole->text, whole->place);
	else if (version == NULL)
		place_warn(whole->place, "%s: the language model's map has another value, which counts before release "
		    "5 of transformers; transformers_version names the release '%s'", key, whole->text);
}

void
huggingface_read(struct draft *d, const struct yaml *root, const struct formulas *formulas,
    const struct additions *more)
{
	/* A network that also speaks has towers and language model in a map of their own. */
	const struct yaml *thinker = yaml_get(root, "thinker_config"), *whole = thinker != NULL ? thinker : root;
	const struct yaml *text = language_of(whole), *but, *refused;
	struct bag outer = { .place = root->place }, inner = { .place = root->place };
	struct scope s = { .formulas = formulas, .bag = { &inner, text != NULL ? &outer : NULL }, .place = root->place,
		.seq = more->seq_length, .patches = more->patches };
	const char *type, *path;

	bag_put_map(&outer, whole);
	bag_put_map(&inner, text != NULL ? text : whole);
	if (text != NULL)
		settle_ties(&outer, &inner, yaml_get(root, "transformers_version"));
	type = thinker != NULL ? yaml_string(yaml_need(root, "model_type"), "model_type") :
	    bag_text(text != NULL ? &outer : &inner, "model_type");
	if (type == NULL)
		type = bag_text(&inner, "model_type");
	push_families(&s, type, bag_text(&inner, "model_type"));
	refused = scope_entry(&s, "refused");
	if (refused != NULL)
		place_die(root->place, "model_type: '%s' is not read: %s", type, yaml_string(refused, "refused"));
	but = scope_entry(&s, "but");
	if (but != NULL)
		place_warn(root->place, "%s: %s", type, yaml_string(but, "but"));
	if (more->seq_length > 0)
		SET(d, seq_length, more->seq_length);
	layers_members(d, &s);
	s.seq = d->net.seq_length;
	layers_classes(d, &s);
	ignore(&inner, formulas);
	if (draft_missing(d) == NULL)
		draft_name_unknown(&inner, "a key");
	if (text != NULL && draft_missing(d) == NULL) {
		ignore(&outer, formulas);
		draft_name_unknown(&outer, "a key");
	}
	path = bag_text(&outer, "_name_or_path|name_or_path");
	if (path != NULL && *path != '\0') {
		const char *base = strrchr(path, '/');

		d->net.name = xstrdup(base != NULL && base[1] != '\0' ? base + 1 : path);
	} else {
		d->net.name = xstrdup(type);
	}
	bag_free(&outer);
	bag_free(&inner);
}
