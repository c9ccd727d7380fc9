/*
 * Borders: where layers of several kinds begin and end around their anchors. On either side of an anchor, a layer has
 * one of a few phrases of kernels, which depend on the anchor's type. So two phrases lie between two anchors. If a row
 * begins or ends with a transfer, the phrase there is known, and the other phrases follow from it.
 */
#ifndef BORDER_H
#define BORDER_H

#include "work.h"

struct row_room {		/* the anchors of a row, and the kernels around its layers */
	size_t first, n;	/* first anchor and number of anchors */
	size_t from, to;	/* first kernel, and the kernel after the last */
	bool closed[2];		/* whether only its own layers lie before its first anchor, and after its last */
	size_t edge;		/* start of the model's end after a backward that is not closed; SIZE_MAX: unknown */
	size_t end;		/* end of the last layer, set by borders_find() */
};

/*
 * Get the start of each layer in START [anchors->n], and the ends of ROWS rows. Return false if they cannot be
 * determined. *VAGUE is then whether kernels between anchors differ and repeat.
 */
bool borders_find(const struct work *, const struct sequence *, const struct positions *anchors, struct row_room *,
    size_t rows, size_t start[], bool *vague);

#endif
