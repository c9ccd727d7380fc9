/* Body kinds: layers with other kernels and other times form classes of their own. */
#ifndef BODY_KINDS_H
#define BODY_KINDS_H

#include "sapp-trace/layers/class.h"
#include "sapp-trace/layers/layout.h"

struct body_kind {
	int class;
	int layers;		/* in the last file */
	double busy[2];		/* ns, forward and backward per layer and micro-batch in its first file */
};

struct body_kinds {
	int n;
	struct body_kind at[MAX_BODY_KINDS];
	int nseen;
	struct layer_set { uint64_t signature; int kind; } *seen;	/* sets of kernels, in all files */
	char *name[MAX_BODY_KINDS];	/* of classes created for them */
};

/*
 * Set the class of all pieces of a file: body layers by kind. A new kind gets a class that the user NAMED, or a new
 * one; excess kinds join the first.
 */
void body_kinds_classify(struct body_kinds *, struct classes *, struct layout *, bool named);
void body_kinds_free(struct body_kinds *);

#endif
