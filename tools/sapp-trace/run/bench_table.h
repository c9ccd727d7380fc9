/* Read tables of collectives printed by nccl-tests and hccl_test. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Write the rows of PATH as communication records; NODES (0: unknown) if the table lacks them. Return false if it is
 * another kind of file. Exits on invalid rows.
 */
bool bench_table_read(const char *path, int nodes, FILE *out);

#endif
