/* Body kinds: layers whose kernels are not the same, and take other times, as classes of their own. */
#ifndef BODY_KINDS_H
#define BODY_KINDS_H

#include "sapp-trace/layer/class.h"
#include "sapp-trace/sequence/layout.h"

struct body_kind {
	int class;
	int layers;		/* of the last file */
	double busy[2];		/* ns, forward and backward of a layer of its first file, on a micro-batch */
};

struct body_kinds {
	int n;
	struct body_kind at[MAX_BODY_KINDS];
	int nseen;
	struct layer_set { uint64_t signature; int kind; } *seen;	/* sets of kernels, of all files */
	char *name[MAX_BODY_KINDS];	/* of classes that were made for them */
};

/*
 * Set the class of all pieces of a file: of body layers by kind; a kind that is new takes a class that the user NAMED,
 * or a new one. Layers of more kinds than there is room for are of the first.
 */
void body_kinds_classify(struct body_kinds *, struct classes *, struct layout *, bool named);
void body_kinds_free(struct body_kinds *);

#endif
