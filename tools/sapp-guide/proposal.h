/* Proposal: a design as measure records, as lines for a training YAML, and as an init YAML. */
#ifndef PROPOSAL_H
#define PROPOSAL_H

#include <stdio.h>

#include "design.h"

void proposal_records(FILE *, const struct design *);
/* The same as plans "round_0", ..., for sapp-yaml. */
void proposal_plans(FILE *, const struct design *);
void proposal_report(FILE *, const struct design *);
void proposal_yaml(FILE *, const struct design *);

#endif
