/* Template: a page of share/ with a position for data. */
#ifndef TEMPLATE_H
#define TEMPLATE_H

#include <stdbool.h>

#include "lib/base/output.h"

struct template {
	FILE *file;		/* write the data to it, as one JavaScript expression */
	char *text, *rest;	/* the page; the part after the data */
	struct output out;
	bool to_stdout;
};

/* Open the page NAME of share/, and write the part before its data to PATH; NULL: standard output. */
void template_open(struct template *, const char *name, const char *path);
/* Write the part after the data. On success the file is replaced. */
void template_close(struct template *);
/* Write TEXT as a JSON string that is safe within a script element. */
void template_string(FILE *, const char *text);

#endif
