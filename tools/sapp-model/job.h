/* The job of a search: a YAML file that says what is to be trained, on what, and what was measured. */
#ifndef JOB_H
#define JOB_H

#include <stdio.h>

/*
 * Write the job in the file PATH as one JSON object: text and numbers by key, "measured" as a list, "limits" as an
 * object of texts, lists joined by commas. Exits, naming the line, on what is unknown, missing or of another kind.
 */
void job_print(const char *path, FILE *out);

#endif
