/*
 * Tuner: search files of HyperParallel, read as jobs. The formats are sapp_nd's (config_adapter/_config_loader.py) and
 * dense_tuner's (dense_tuner/config.py).
 */
#ifndef TUNER_H
#define TUNER_H

#include <jansson.h>

#include "lib/yaml/yaml.h"

/*
 * Return the job in the file ROOT at PATH, as job_print() writes it, or NULL if it is another kind of file. Warns about
 * keys that are dropped. Exits if a key cannot be converted.
 */
json_t *tuner_job(const struct yaml *root, const char *path);

#endif
