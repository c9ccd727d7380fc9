/* Print: a plan as people put it into their training's settings. */
#ifndef PRINT_H
#define PRINT_H

#include "update.h"

/* Lines of a training YAML, with the keys they stand below. */
void print_mindformers(const struct plan *, const struct question *);
/* Arguments of Megatron-LM; warns of what it cannot express. */
void print_megatron(const struct plan *, const struct question *);

#endif
