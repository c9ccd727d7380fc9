/* Reader of the tables that nccl-tests and hccl_test print about collectives. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Write the rows of the file PATH as communication records. NODES (0: unknown) is used if the table has no nodes.
 * Return false if the file is not such a table. Exits on invalid rows.
 */
bool bench_table_read(const char *path, int nodes, FILE *out);

#endif
