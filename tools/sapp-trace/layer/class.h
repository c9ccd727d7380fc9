/* Classes of layers: the names that are looked for in scopes, and what they are in the model. */
#ifndef CLASS_H
#define CLASS_H

#include "lib/record/layer.h"
#include "sapp-trace/read/event.h"

enum { MAX_BODY_KINDS = 8 };	/* that are found, beyond the classes that are looked for */

struct class {
	const char *name;
	size_t length;
	enum layer_type type;
	const char *said;	/* what its layers are called in records: the name, unless nobody gave it */
};

struct classes {
	int n;
	struct class *at;
	bool last[256];		/* last characters of the names: most components are refused by it */
};

void class_add(struct classes *, const char *name, enum layer_type, struct place at);
/* The class whose name ends COMPONENT behind a character that is no letter or digit, or is all of it; the
 * longest such name. -1: none. */
int class_match(const struct classes *, struct text component);
/* The first component of the path before its last (the operation) that is of a class; -1: none. */
int class_of_path(const struct classes *, struct text path, struct text *component);
/* The first class of a type; -1: none. Its name; "": none. */
int class_first(const struct classes *, enum layer_type);
const char *class_first_name(const struct classes *, enum layer_type);
/* Nobody named the layers, nor do the files: the first class of each type is called by what it is. */
void classes_nameless(struct classes *);
/* "A, B, C": the names of one type, or of all (-1); to be freed. */
char *class_names(const struct classes *, int type);
void classes_free(struct classes *);

#endif
