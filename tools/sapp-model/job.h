/* Job of a search: a YAML file with the network, the hardware and measurements. */
#ifndef JOB_H
#define JOB_H

#include <stdio.h>

/*
 * Write the job in the file PATH as one JSON object. It has texts and numbers by key, "measured" as a list, and
 * "limits" as an object of texts, in which commas join lists. Exits, naming the line, if a key is unknown, missing or
 * of the wrong type.
 */
void job_print(const char *path, FILE *out);

#endif
