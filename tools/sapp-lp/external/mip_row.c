#include "mip_row.h"

#include <ctype.h>
#include <stdlib.h>

#include "lib/base/alloc.h"

enum { NAME_LENGTH = 40 };	/* maximum length of a body's name in names; below every solver's limit */

bool
mip_plain(const char *name)
{
	size_t n = 0;

	while (isalnum((unsigned char)name[n]) || name[n] == '_')
		n++;
	return n > 0 && n <= NAME_LENGTH && name[n] == '\0';
}

char *
mip_body_label(const struct problem *p, int body)
{
	for (int b = 0; b < p->net->nbodies; b++)
		if (!mip_plain(p->net->body[b].name))
			return xasprintf("body%d", body);
	return xstrdup(p->net->body[body].name);
}

char *
mip_kind_label(int kind)
{
	return mip_plain(recompute_names[kind]) ? xstrdup(recompute_names[kind]) : xasprintf("kind%d", kind);
}

char *
mip_piece_label(const struct problem *p, int piece)
{
	return xasprintf("%d_%d", p->plan_piece[piece] / p->shape.stages, p->plan_piece[piece] % p->shape.stages);
}

void
mip_name_column(struct lp_model *l, int column, char *name)
{
	lp_name_column(l->lp, column, name);
	free(name);
}

void
mip_name_row(struct lp_model *l, int row, char *name)
{
	lp_name_row(l->lp, row, name);
	free(name);
}

int
mip_choice(struct lp_model *l, char *name)
{
	int column = lp_add_binary(l->lp);

	mip_name_column(l, column, name);
	return column;
}

void
mip_row_end(struct lp_model *l, enum lp_sense sense, double right, char *name)
{
	lp_end_row(l->lp, sense, right);
	mip_name_row(l, lp_rows(l->lp), name);
}
