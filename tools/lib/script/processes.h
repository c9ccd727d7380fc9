/* The numbers of nodes and processes that a run has, from its launcher or from exported variables. */
#ifndef PROCESSES_H
#define PROCESSES_H

#include "started.h"

/*
 * Return the number of nodes, or of processes per node, or NULL if it is unknown. In a list of arguments it may come
 * from any argument, and in settings of verl from these.
 */
const char *processes_nodes(const struct started *);
const char *processes_each(const struct started *);
/*
 * Return the number of nodes that Slurm has, or a launcher that starts the launcher with processes_nodes(). NULL:
 * unknown.
 */
const char *processes_allocated(const struct started *);
/* Return the number of all processes that the launcher itself has, as in "mpirun -np 16", or NULL. */
const char *processes_all(const struct started *);

/* The option that gives one of these numbers. */
enum processes_option { PROCESSES_NODES, PROCESSES_EACH, PROCESSES_ALL, PROCESSES_OPTIONS };
/* Return which number word I of the launcher gives; PROCESSES_OPTIONS: none. */
enum processes_option processes_option(const struct texts *launcher, int i);
/* Return the option of the launcher that word I belongs to, such as "--num_nodes", or NULL. Caller frees. */
char *processes_name(const struct texts *launcher, int i, enum processes_option);

#endif
