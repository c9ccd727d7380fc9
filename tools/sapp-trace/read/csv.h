/* Rows of a CSV file, one after the other, plain or gzip. */
#ifndef CSV_H
#define CSV_H

#include <zlib.h>

#include "event.h"

struct csv {
	struct place place;	/* of the row that was read last */
	gzFile file;
	char *buffer;
	size_t capacity, at, end;	/* buffer[end] is '\0' */
	bool ended;
	char *header;		/* its names, each ended by NUL */
	int columns;
};

enum { CSV_COLUMNS_MAX = 512, CSV_ROW_MAX = 4 << 20 };

/* Open PATH, or TEXT of N bytes, and read the header; exits with a message. */
void csv_open(struct csv *, const char *path);
void csv_memory(struct csv *, const char *text, size_t n);
/* The column of one of NAMES (ended by NULL), told without regard to case; -1: none. */
int csv_column(const struct csv *, const char *const names[]);
/*
 * COLUMN[N]: where those called NAMES[N] are; exits when one is missing. Returns how many fields csv_next() must give
 * to have all of them.
 */
int csv_columns(const struct csv *, const char *const names[], int n, int column[]);
/* The name of a column, as the header has it. */
const char *csv_name(const struct csv *, int column);
/*
 * The first N fields of the next row, without quotes and the blanks and tabs around them; false at the end.
 * Valid until the next call. Exits when the row has fewer.
 */
bool csv_next(struct csv *, struct text field[], int n);
void csv_close(struct csv *);

#endif
