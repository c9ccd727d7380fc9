/*
 * The layer-description document: one JSON object with a model's name, its constant memory, and its layers. Its layers
 * have the members of layer records.
 */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include <stdio.h>

#include "layer.h"

struct document {
	struct model model;
	int n;
	struct layer *layer;
	struct place *place;	/* [n], such as "FILE: layers_description[2]", for messages */
};

/* Read PATH ("-": stdin). Warn if the document states a layer's count twice, with different values. */
void document_read(struct document *, const char *path);
void document_write(FILE *, const struct model *, const struct layer *const layers[], int n);
void document_free(struct document *);

#endif
