/* Numbers per stage, per chunk and stage, and by name. */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>

struct list {		/* one real number per stage; a list of one number holds for every stage */
	int n;
	double *at;
};

struct table {		/* real numbers, [chunk][stage], row by row */
	int chunks, stages;	/* 1 x 1: the same number for every piece */
	double *at;
};

struct grid {		/* whole numbers, [chunk][stage], row by row */
	int chunks, stages;
	int *at;
};

struct amounts {	/* real numbers by name */
	int n;
	char **name;
	double *at;
};

struct texts {		/* strings */
	int n;
	char **at;
};

struct list list_new(int n);				/* all numbers are 0 */
struct list list_copy(struct list);
struct table table_new(int chunks, int stages);		/* all numbers are 0 */
struct table table_copy(struct table);
struct grid grid_new(int chunks, int stages);		/* all numbers are 0 */
struct grid grid_copy(struct grid);

/* Return the number for STAGE. A list of one number holds for every stage. */
double list_get(struct list, int stage);
bool list_any(struct list);			/* whether any number is above 0 */
/* Return the number for a piece. A table of 1 x 1 holds for every piece. */
double table_get(struct table, int chunk, int stage);
bool table_any(struct table);			/* whether any number is above 0 */
int *grid_at(struct grid, int chunk, int stage);
int grid_sum(struct grid);
/* Add to the amount NAME. Create it if it does not exist. */
void amounts_add(struct amounts *, const char *name, double);
void amounts_free(struct amounts *);
void texts_add(struct texts *, const char *);
void texts_free(struct texts *);

#endif
