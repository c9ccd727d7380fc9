/* Degrees: how a run is divided among devices, requested by a stream or set in a file. */
#ifndef DEGREES_H
#define DEGREES_H

#include "lib/record/record.h"
#include "lib/setup/launch.h"
#include "lib/yaml/yaml.h"

/* Return the candidate or estimate named like a plan or its model record, or NULL. */
const struct configuration *degrees_asked(const struct records *, const struct record *chosen);

/* Read the degrees in a file. Return false if none exists. Uses the reader of networks. Caller owns stage_layers. */
bool degrees_of_yaml(struct configuration *, const struct yaml *root);
/* DEVICES 0: as in the command; false if it has none. EXPERTS: the network has some, whether it says so or not. */
struct started;
bool degrees_of_started(struct configuration *, const struct started *, int devices, bool experts);

/*
 * Return a difference, "dp 4, not 8" (caller frees), or NULL. Settings that the candidate does not have match anything.
 */
char *degrees_difference(const struct configuration *asked, const struct configuration *said, bool experts);
/* Write the degrees as a candidate record NAME. */
void degrees_write(struct configuration *, const char *name, struct place);

#endif
