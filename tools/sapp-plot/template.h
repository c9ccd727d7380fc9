/* Template: a page of share/ with a place for data, written to a file or to standard output. */
#ifndef TEMPLATE_H
#define TEMPLATE_H

#include <stdbool.h>

#include "lib/base/output.h"

struct template {
	FILE *file;		/* write the data here: one expression of JavaScript */
	char *text, *rest;	/* the page, and what comes behind its data */
	struct output out;
	bool to_stdout;
};

/* Open the page NAME of share/ and write what is before its data. PATH NULL: standard output. */
void template_open(struct template *, const char *name, const char *path);
/* Write what is behind the data; a file is replaced when all went well. */
void template_close(struct template *);
/* A string of JSON that may stand within a script. */
void template_string(FILE *, const char *text);

#endif
