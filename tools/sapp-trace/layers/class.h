/* Classes of layers: names to find in scopes, and their place in the model. */
#ifndef CLASS_H
#define CLASS_H

#include "lib/record/layer.h"
#include "sapp-trace/read/event.h"

enum { MAX_BODY_KINDS = 8 };	/* classes found in addition to the given ones */

struct class {
	const char *name;
	size_t length;
	enum layer_type type;
	const char *said;	/* name of its layers in records; equals name unless unnamed */
};

struct classes {
	int n;
	struct class *at;
	bool last[256];		/* last characters of the names, to reject most components quickly */
};

void class_add(struct classes *, const char *name, enum layer_type, struct place at);
/*
 * Return the class whose name is COMPONENT, or its end after a separator; the longest such name. Return -1 if none
 * exists.
 */
int class_match(const struct classes *, struct text component);
/*
 * Return the class of the first component of a path, without its last (the operation), that has one; -1 if none exists.
 */
int class_of_path(const struct classes *, struct text path, struct text *component);
/* Return the first class of a type, -1: none; its name, "": none. */
int class_first(const struct classes *, enum layer_type);
const char *class_first_name(const struct classes *, enum layer_type);
/* Name the first class of each type after its type, if neither user nor files name layers. */
void classes_nameless(struct classes *);
/* Return "A, B, C": the names of one type, or of all (-1); caller frees. */
char *class_names(const struct classes *, int type);
void classes_free(struct classes *);

#endif
