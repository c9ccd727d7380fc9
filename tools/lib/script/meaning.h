/* The effect of each argument of Megatron-LM and its kin on step and memory, according to share/arguments. */
#ifndef MEANING_H
#define MEANING_H

#include "started.h"

/* Warn about unknown arguments instead of exiting. */
extern bool meaning_lenient;

/*
 * Exit if an option of the command has no class, and name the nearest that has one. Warn once about each option whose
 * effect is not modelled. Lists from logs are not checked, since they have every argument with its default.
 */
void meaning_check(const struct started *);

/* Return the index of the argument that names a YAML with the program's settings, or -1 if none exists. */
int meaning_file(const struct started *);

#endif
