/* Print: a plan as people put it into their training's settings. */
#ifndef PRINT_H
#define PRINT_H

#include "lib/model/network.h"
#include "lib/setup/launch.h"
#include "sapp-yaml/mindformers/update.h"

/* Lines of a training YAML, with the keys they stand below. */
void print_mindformers(const struct plan *, const struct question *);
/*
 * Arguments of Megatron-LM or MindSpeed-LLM. They are read back first; with the layers in NET (NULL: not known) the
 * step that they make is told on stderr. Exits when they cannot say the plan.
 */
void print_launch(const struct plan *, const struct question *, enum target, enum launch_dialect,
    const struct network *net);
/* The modules of each piece and the schedule for torchtitan. */
void print_torchtitan(const struct plan *, const struct question *);

/* train: of HyperParallel, one number for each global stage. */
void print_hyperparallel(const struct plan *, const struct question *);
/*
 * The same in the file at PATH, which has TEXT, micro-batches only if MICRO; what else is in it stays. To be freed.
 * Exits unless what comes out says the plan.
 */
char *hyperparallel_into(const char *path, const char *text, size_t *length, const struct plan *,
    const struct question *, bool micro);
/* The lists of its sapp_ppb, as what it calls a manual configuration. */
void print_ppb(const struct plan *, const struct question *);

#endif
