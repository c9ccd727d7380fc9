/*
 * The layer-description document: one JSON object with the name of a model, its constant memory and its
 * layers, whose members are those of layer records.
 */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include <stdio.h>

#include "layer.h"

struct document {
	struct model model;
	int n;
	struct layer *layer;
	struct place *place;	/* [n], "FILE: layers_description[2]" for messages */
};

/* Read PATH ("-": stdin). Layer numbers that are stated twice and disagree are a warning. */
void document_read(struct document *, const char *path);
void document_write(FILE *, const struct model *, const struct layer *const layers[], int n);
void document_free(struct document *);

#endif
