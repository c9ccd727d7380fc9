/* Print: a plan as the settings of a training. */
#ifndef PRINT_H
#define PRINT_H

#include "lib/model/network.h"
#include "lib/setup/launch.h"
#include "question.h"

/* Print lines of a training YAML, with the keys above them. */
void print_mindformers(const struct plan *, const struct yaml_question *);
/*
 * Print arguments of Megatron-LM or MindSpeed-LLM, after they were read back. With the layers in NET (NULL: unknown)
 * print their step on stderr. Exits if they cannot express the plan.
 */
void print_launch(const struct plan *, const struct yaml_question *, enum target, enum launch_dialect,
    const struct network *net);
/* Print the modules of each piece, and the schedule, for torchtitan. */
void print_torchtitan(const struct plan *, const struct yaml_question *);

/* Print `train:` for HyperParallel, with one number per global stage. */
void print_hyperparallel(const struct plan *, const struct yaml_question *);
/*
 * Return TEXT, the file at PATH, with the settings of the plan; caller frees. Everything else is unchanged. MICRO: set
 * micro-batches also. Exits unless the result has the settings of the plan.
 */
char *hyperparallel_into(const char *path, const char *text, size_t *length, const struct plan *,
    const struct yaml_question *, bool micro);
/* Print the lists of sapp_ppb, as a manual configuration. */
void print_ppb(const struct plan *, const struct yaml_question *);

#endif
