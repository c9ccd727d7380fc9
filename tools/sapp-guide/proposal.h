/* Proposal: a design as measure records, as lines of a training YAML, or as an init YAML. */
#ifndef PROPOSAL_H
#define PROPOSAL_H

#include <stdio.h>

#include "design.h"

void proposal_records(FILE *, const struct design *);
/* Write the proposal as plans "round_0" and so on, for sapp-yaml. */
void proposal_plans(FILE *, const struct design *);
/*
 * Print the design for people. COMMAND: a command that asks the same question; PATH: the init YAML that was written;
 * NULL: none.
 */
void proposal_report(FILE *, const struct design *, const char *command, const char *path);
void proposal_yaml(FILE *, const struct design *);

#endif
