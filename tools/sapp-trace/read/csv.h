/* Reader of a CSV file, plain or compressed with gzip. */
#ifndef CSV_H
#define CSV_H

#include <zlib.h>

#include "event.h"

struct csv {
	struct place place;	/* place of the last row */
	gzFile file;
	char *buffer;
	size_t capacity, at, end;	/* buffer[end] is '\0' */
	bool ended;
	char *header;		/* names of columns, each NUL-terminated */
	int columns;
};

enum { CSV_COLUMNS_MAX = 512, CSV_ROW_MAX = 4 << 20 };

/* Open the file PATH, or the N bytes at TEXT, and read the header. Exits on errors. */
void csv_open(struct csv *, const char *path);
void csv_memory(struct csv *, const char *text, size_t n);
/* Return the column that has one of NAMES (NULL-terminated), ignoring case; -1: none. */
int csv_column(const struct csv *, const char *const names[]);
/*
 * Get the columns with NAMES[N]. Exits if one is missing. Return the number of fields that csv_next() must read to
 * include all columns.
 */
int csv_columns(const struct csv *, const char *const names[], int n, int column[]);
/* Return the name of a column in the header. */
const char *csv_name(const struct csv *, int column);
/*
 * Get the first N fields of the next row, without quotes and surrounding blanks. They are valid until the next call.
 * Return false at the end. Exits if the row has fewer fields.
 */
bool csv_next(struct csv *, struct text field[], int n);
void csv_close(struct csv *);

#endif
