/* Bench tables: what nccl-tests and hccl_test print of collectives. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Write the rows of PATH as communication records; NODES (0: not said) unless it names them. False: it is no such
 * table. Exits on rows that are none.
 */
bool bench_table_read(const char *path, int nodes, FILE *out);

#endif
