/* MIP row: rows under construction, and the names of what is in them. */
#ifndef MIP_ROW_H
#define MIP_ROW_H

#include "sapp-lp/bound/lp_model.h"

struct mip_row {		/* a sum; all zero: nothing is in it */
	int n, room;
	double *at;
	int *column;
};

void mip_row_add(struct mip_row *, int column, double factor);
/* Add the sum as a row of that name, which is freed; then it is empty. */
void mip_row_end(struct lp_model *, struct mip_row *, enum lp_sense, double right, char *name);
void mip_row_free(struct mip_row *);

/* Whether a name can be part of names in files that solvers read. */
bool mip_plain(const char *name);
/* A body layer's name where those of all can, or else its number; the same of a kind of recomputation. To be freed. */
char *mip_body_label(const struct problem *, int body);
char *mip_kind_label(int kind);
char *mip_piece_label(const struct problem *, int piece);
/* Give a column or a row a name, which is freed. */
void mip_name_column(struct lp_model *, int column, char *name);
void mip_name_row(struct lp_model *, int row, char *name);
/* A column of that name, which is freed, that is 0 or 1, in no row yet. */
int mip_choice(struct lp_model *, char *name);

#endif
