/*
 * Origin: the file that says with which settings was measured: an init YAML, a training YAML, Megatron's arguments or
 * log.
 */
#ifndef ORIGIN_H
#define ORIGIN_H

#include "lib/record/measured_job.h"
#include "lib/yaml/initfile.h"
#include "shapes.h"

/*
 * Read PATH, whatever kind of file it is, as if it were an init YAML. LAYERS: the model's where the file does not say;
 * 0: nobody does. *JOB is what it says of the run besides, *SHAPES of its network, *RANKS how many it has where it was
 * 0. Exits when it cannot be understood, or says of several chunks a stage, which cannot be split.
 */
void origin_read(struct initfile *, struct measured_job *, struct shapes *, const char *path, int layers,
    int *ranks);

#endif
