/* Write a design as measure records, lines of a training YAML, or an init YAML. */
#ifndef PROPOSAL_H
#define PROPOSAL_H

#include <stdio.h>

#include "design.h"

void proposal_records(FILE *, const struct design *);
/* Write the proposal as plans "round_0", ..., for sapp-yaml. */
void proposal_plans(FILE *, const struct design *);
/* COMMAND: asks the same question; PATH: init YAML that was written; NULL: none. */
void proposal_report(FILE *, const struct design *, const char *command, const char *path);
void proposal_yaml(FILE *, const struct design *);

#endif
