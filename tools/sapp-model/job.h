/* The job of a search: a YAML file with the network, the hardware and measurements. */
#ifndef JOB_H
#define JOB_H

#include <stdio.h>

/*
 * Write the job in the file PATH as one JSON object: texts and numbers by key, "measured" as a list, "limits" as an
 * object of texts, lists joined by commas. Exits, naming the line, on unknown, missing or mistyped keys.
 */
void job_print(const char *path, FILE *out);

#endif
