/*
 * Read search files of HyperParallel as jobs: sapp_nd's (config_adapter/_config_loader.py) and dense_tuner's
 * (dense_tuner/config.py).
 */
#ifndef TUNER_H
#define TUNER_H

#include <jansson.h>

#include "lib/yaml/yaml.h"

/*
 * Return the job of file ROOT at PATH, as written by job_print(), or NULL if it is another kind of file. Warns about
 * keys that are dropped; exits on keys that cannot be converted.
 */
json_t *tuner_job(const struct yaml *root, const char *path);

#endif
