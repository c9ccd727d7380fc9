/* Diff: edits as "diff -u" prints them. */
#ifndef DIFF_H
#define DIFF_H

#include <stdio.h>

#include "lib/yaml/yaml_edit.h"

void edits_diff(const struct edits *, const char *path, FILE *);

#endif
