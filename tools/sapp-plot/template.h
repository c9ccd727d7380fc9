/* Template: a page of share/ with a place for data. */
#ifndef TEMPLATE_H
#define TEMPLATE_H

#include <stdbool.h>

#include "lib/base/output.h"

struct template {
	FILE *file;		/* write the data here, one JavaScript expression */
	char *text, *rest;	/* the page; its part after the data */
	struct output out;
	bool to_stdout;
};

/* Open the page NAME of share/ and write the part before its data. PATH NULL: stdout. */
void template_open(struct template *, const char *name, const char *path);
/* Write the part after the data; replaces the file on success. */
void template_close(struct template *);
/* Write a JSON string that is safe within a script element. */
void template_string(FILE *, const char *text);

#endif
