/* sapp-layers: convert between layer-description documents and records, and create layers from ratios. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/status.h"
#include "lib/record/document.h"
#include "lib/record/record.h"
#include "ratios.h"

static const char usage[] =
	"usage: sapp-layers [-m NAME] [-hV] [FILE.json]\n"
	"       sapp-layers -o FILE.json [-m NAME] [-hV] [FILE ...]\n"
	"       sapp-layers -ratios NAME=NUMBER[,...] [-m NAME] [-hV] [FILE ...]\n"
"example: sapp-layers -o layers.json layers.jsonl\n";

static void
to_records(const char *path, const char *name)
{
	struct document doc;

	document_read(&doc, path);
	if (name != NULL) {
		free(doc.model.name);
		doc.model.name = xstrdup(name);
	}
	record_put(stdout, RECORD_MODEL, &doc.model);
	for (int i = 0; i < doc.n; i++) {
		/* The layers belong to this model, whatever model their records name. */
		free(doc.layer[i].model_name);
		GIVE(layer, &doc.layer[i], model_name, xstrdup(doc.model.name));
		record_put(stdout, RECORD_LAYER, &doc.layer[i]);
	}
	document_free(&doc);
}

/* Return whether record R belongs to the model NAME. *CURRENT: the model record before R. */
static bool
belongs(const struct record *r, const char *name, const struct record **current)
{
	const char *of = NULL;

	if (r->kind == RECORD_MODEL)
		*current = r;
	if (*current != NULL)
		of = (*current)->model.name;
	if (r->kind == RECORD_LAYER && GIVEN(layer, &r->layer, model_name))
		of = r->layer.model_name;
	return name == NULL || (of != NULL && strcmp(of, name) == 0);
}

static void
to_document(const struct records *all, const char *path, const char *name)
{
	const struct record *current = NULL, *model = NULL;
	const struct layer **layer = xcalloc(all->n, sizeof(struct layer *));
	struct model nameless = { 0 };
	struct output out;
	int n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct record *r = &all->at[i];

		if ((r->kind != RECORD_MODEL && r->kind != RECORD_LAYER) || !belongs(r, name, &current))
			continue;
		if (r->kind == RECORD_LAYER) {
			layer[n++] = &r->layer;
			continue;
		}
		if (model != NULL)
			place_die(r->place, "model: a second model '%s' after '%s'; choose one with -m",
			    r->model.name, model->model.name);
		model = r;
	}
	if (n == 0)
		place_die((struct place){ all->n > 0 ? all->at[0].place.source : all->source, 0 },
		    "no layer record%s%s in the input", name != NULL ? " of model " : "",
		    name != NULL ? name : "");
	nameless.name = xstrdup(name != NULL ? name
	    : GIVEN(layer, layer[0], model_name) ? layer[0]->model_name : "model");
	output_open(&out, path);
	document_write(out.file, model != NULL ? &model->model : &nameless, layer, n);
	output_commit(&out);
	free(nameless.name);
	free(layer);
}

/* Append the layers of the network record to the input. */
static void
to_layers(const struct records *all, const char *text, const char *name)
{
	struct ratios ratios = ratios_read(text);
	const struct record *network = NULL;

	for (size_t i = 0; i < all->n; i++) {
		const struct record *r = &all->at[i];

		if (r->kind == RECORD_LAYER || r->kind == RECORD_MODEL)
			place_die(r->place, "%s: the input already has layers; -ratios makes its own",
			    record_name(r->kind));
		if (r->kind == RECORD_NETWORK && network != NULL)
			place_die(r->place, "network: a second network '%s' after '%s'", r->network.name,
			    network->network.name);
		if (r->kind == RECORD_NETWORK)
			network = r;
		record_write(stdout, r);
	}
	if (network == NULL)
		place_die((struct place){ .source = all->source },
		    "no network record in the input; sapp-model writes it");
	ratios_write(stdout, &ratios, &network->network, name);
}

int
main(int argc, char *argv[])
{
	const char *path = NULL, *name = NULL, *ratios = NULL;
	struct records all;
	const struct option_row options[] = {
		{ "o", "FILE.json", "write a layer-description document from records, instead of reading one",
		    .text = &path },
		{ "ratios", "NAME=NUMBER,...", "make the layers of a network, with these ratios of their times",
		    .text = &ratios },
		{ "m", "NAME", "name of the model", .text = &name },
		{ 0 }
	};
	char **operands = options_take(argc, argv, usage, options);

	if (path != NULL && ratios != NULL)
		option_usage("-o and -ratios exclude each other");
	if (ratios != NULL) {
		records_read(&all, operands, RECORDS(RECORD_MODEL) | RECORDS(RECORD_LAYER) |
		    RECORDS(RECORD_NETWORK));
		to_layers(&all, ratios, name);
		records_free(&all);
	} else if (path == NULL) {
		if (operands[0] != NULL && operands[1] != NULL)
			option_usage("more than one document");
		to_records(operands[0] != NULL ? operands[0] : "-", name);
	} else {
		records_read(&all, operands, RECORDS(RECORD_MODEL) | RECORDS(RECORD_LAYER));
		to_document(&all, path, name);
		for (size_t i = 0; i < all.n; i++)
			record_write(stdout, &all.at[i]);
		records_free(&all);
	}
	stdout_close();
	return STATUS_ANSWERED;
}
