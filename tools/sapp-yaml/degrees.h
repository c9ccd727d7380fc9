/* Degrees: among how many devices the work of a run is divided, as a stream asks for it and as a file says it. */
#ifndef DEGREES_H
#define DEGREES_H

#include "lib/record/record.h"
#include "lib/setup/launch.h"
#include "lib/yaml/yaml.h"

/* The candidate or estimate by the name of a plan or of the model record before it; NULL: there is none. */
const struct configuration *degrees_asked(const struct records *, const struct record *chosen);

/*
 * What files say; false: nothing of it. Whoever reads a network from such a file reads the same. Its stage_layers are
 * the caller's.
 */
bool degrees_of_yaml(struct configuration *, const struct yaml *root);
/* DEVICES 0: as the script says; false where it does not. */
struct started;
bool degrees_of_script(struct configuration *, const struct started *, int devices);

/* The same of arguments that were read already, of a network with or without experts. */
bool degrees_of_launch(struct configuration *, const struct launch *, int devices, bool experts);

/*
 * A setting that is another, "dp 4, not 8", of a network with or without experts; to be freed, NULL: none is. What the
 * candidate does not say may be anything.
 */
char *degrees_difference(const struct configuration *asked, const struct configuration *said, bool experts);
/* As a candidate record of this name. */
void degrees_write(struct configuration *, const char *name, struct place);

#endif
