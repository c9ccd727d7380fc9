/* Meaning: the effect of each argument of Megatron-LM and its kin on step and memory, from share/arguments. */
#ifndef MEANING_H
#define MEANING_H

#include "started.h"

/* Warn about unknown arguments instead of exiting. */
extern bool meaning_lenient;

/*
 * Exit if an option of the command has no class, naming the nearest one; warn once about each option whose effect is
 * not modelled. Skips lists in logs, which have every argument with its default.
 */
void meaning_check(const struct started *);

#endif
