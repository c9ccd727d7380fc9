/* MIP rows: names of columns and rows. */
#ifndef MIP_ROW_H
#define MIP_ROW_H

#include "sapp-lp/bound/lp_model.h"

void mip_row_end(struct lp_model *, enum lp_sense, double right, char *name);	/* lp_end_row(); frees NAME */

/* Return whether a name can be a part of names in solvers' files. */
bool mip_plain(const char *name);
/*
 * Return a label for a body, or for a kind of recomputation: its name if all names are valid, otherwise its number.
 * Caller frees.
 */
char *mip_body_label(const struct problem *, int body);
char *mip_kind_label(int kind);
char *mip_piece_label(const struct problem *, int piece);
/* Set the name of a column or a row. Takes ownership of NAME. */
void mip_name_column(struct lp_model *, int column, char *name);
void mip_name_row(struct lp_model *, int row, char *name);
/* Add a column NAME with value 0 or 1 that is in no row yet. Takes ownership of NAME. */
int mip_choice(struct lp_model *, char *name);

#endif
