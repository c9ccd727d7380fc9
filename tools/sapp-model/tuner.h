/*
 * Search files of HyperParallel as jobs: that of sapp_nd (config_adapter/_config_loader.py) and that of dense_tuner
 * (dense_tuner/config.py).
 */
#ifndef TUNER_H
#define TUNER_H

#include <jansson.h>

#include "lib/yaml/yaml.h"

/*
 * The job that the file ROOT says, named PATH, as job_print() writes one; NULL: it is no such file. What cannot be kept
 * is named in a warning, what nothing can be made of in an error.
 */
json_t *tuner_job(const struct yaml *root, const char *path);

#endif
