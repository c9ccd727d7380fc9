/* Classes of layers: the names to find in scopes, and the position of each class in the model. */
#ifndef CLASS_H
#define CLASS_H

#include "lib/record/layer.h"
#include "sapp-trace/read/event.h"

enum { MAX_BODY_KINDS = 8 };	/* maximum number of classes found in addition to the given classes */

struct class {
	const char *name;
	size_t length;
	enum layer_type type;
	bool usual;		/* a default of MindFormers, not given by the user */
	const char *said;	/* name of its layers in records; equal to name, unless layers have no names */
};

struct classes {
	int n;
	struct class *at;
	bool last[256];		/* last characters of all names, to reject most components quickly */
};

/* Add a class. AT: where its name was given; without a source, the name is a default. */
void class_add(struct classes *, const char *name, enum layer_type, struct place at);
/*
 * Return the class whose name is COMPONENT, or the end of COMPONENT after a separator. Of several such names the
 * longest counts. Return -1 if none exists.
 */
int class_match(const struct classes *, struct text component);
/*
 * Return the class of the first component of a path that has a class; -1: none. The last component, an operation, does
 * not count.
 */
int class_of_path(const struct classes *, struct text path, struct text *component);
/* Return the first class of a type, -1: none. class_first_name() returns its name, "": none. */
int class_first(const struct classes *, enum layer_type);
const char *class_first_name(const struct classes *, enum layer_type);
/* Name the first class of each type after its type. For use if neither the user nor the files name layers. */
void classes_nameless(struct classes *);
/*
 * Return the names of the classes of one type, or of all types (-1), as "A, B, C"; caller frees. Of all types the usual
 * names are left out if others are given.
 */
char *class_names(const struct classes *, int type);
void classes_free(struct classes *);

#endif
