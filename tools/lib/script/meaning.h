/* Meaning: what each argument of Megatron-LM and its kin does to the step and memory of a run, by share/arguments. */
#ifndef MEANING_H
#define MEANING_H

#include "started.h"

/* Unknown arguments are warnings, not errors. */
extern bool meaning_lenient;

/*
 * Exit if an option of the command is in no class, naming the nearest one; warn once of each that is not counted. The
 * list of a log has every argument, with its default, so that it is not looked at.
 */
void meaning_check(const struct started *);

#endif
