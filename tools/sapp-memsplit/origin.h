/*
 * Origin: the file with the measured settings. It may be an init YAML, a training YAML, or the arguments or log of a
 * Megatron run.
 */
#ifndef ORIGIN_H
#define ORIGIN_H

#include "lib/record/measured_job.h"
#include "lib/yaml/initfile.h"

/*
 * Read PATH, of any of these types, as an init YAML. LAYERS: default for the number of layers; 0 if unknown. *JOB:
 * other properties of the run; *RANKS: number of ranks, set if it is 0. Exits if the file cannot be parsed, or has
 * several chunks per stage, which this tool does not support.
 */
void origin_read(struct initfile *, struct measured_job *, const char *path, int layers, int *ranks);

#endif
