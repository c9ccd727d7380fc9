/* Body kinds: BODY layers with different kernels and different times become different classes. */
#ifndef BODY_KINDS_H
#define BODY_KINDS_H

#include "sapp-trace/layers/class.h"
#include "sapp-trace/layers/layout.h"

struct body_kind {
	int class;
	int layers;		/* number of layers in the last file */
	double busy[2];		/* ns per layer and micro-batch in the kind's first file, forward and backward */
};

struct body_kinds {
	int n;
	struct body_kind at[MAX_BODY_KINDS];
	int nseen;
	/* signatures found in all files, with their kinds */
	struct layer_set { uint64_t signature; int kind; } *seen;
	char *name[MAX_BODY_KINDS];	/* names of the classes created for the kinds */
};

/*
 * Set the class of all pieces of a file; BODY layers get the class of their kind. A new kind gets the next class that
 * the user NAMED, or a new class. Kinds beyond the maximum get the first class.
 */
void body_kinds_classify(struct body_kinds *, struct classes *, struct layout *, bool named);
void body_kinds_free(struct body_kinds *);

#endif
