/* Degrees: how a run is divided over devices, as a stream requests or as a file has it. */
#ifndef DEGREES_H
#define DEGREES_H

#include "lib/record/record.h"
#include "lib/setup/launch.h"
#include "lib/yaml/yaml.h"

/* Return the candidate or estimate with the name of a plan or of its model record, or NULL. */
const struct configuration *degrees_asked(const struct records *, const struct record *chosen);

/*
 * Read the degrees in a YAML file with the reader of networks. Return false if it has none. Caller owns stage_layers.
 */
bool degrees_of_yaml(struct configuration *, const struct yaml *root);
/*
 * Read the degrees in a command. DEVICES: number of devices; 0: as in the command, and false if it has none. EXPERTS:
 * whether the network has experts, even if the command does not show it.
 */
struct started;
bool degrees_of_started(struct configuration *, const struct started *, int devices, bool experts);

/*
 * Return the first difference, as "dp 4, not 8" (caller frees), or NULL. Settings that the candidate does not have
 * match any value.
 */
char *degrees_difference(const struct configuration *asked, const struct configuration *said, bool experts);
/* Write the degrees as a candidate record NAME. */
void degrees_write(struct configuration *, const char *name, struct place);

#endif
