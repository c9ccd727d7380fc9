/*
 * Borders: where layers of several kinds begin and end around their anchors. In front of an anchor of a type runs one
 * of a few phrases of kernels, and one of a few behind it; what lies between two anchors is one of each. Phrases are
 * known where a row begins or ends with a transfer, the others follow.
 */
#ifndef BORDER_H
#define BORDER_H

#include "work.h"

struct row_room {		/* anchors of a row, and the kernels among which its layers lie */
	size_t first, n;	/* numbers of its anchors */
	size_t from, to;	/* kernels */
	bool closed[2];		/* nothing but its layers lies in front of, and behind, its anchors */
	size_t edge[2];		/* else where an end of the model seems to end, and to begin; SIZE_MAX: nothing shows */
	size_t end;		/* of the last layer, by borders_find() */
};

/*
 * Fill START [anchors->n] and the ends of ROWS rows. False: what lies between anchors does not tell; *VAGUE: although
 * it is not the same everywhere, and repeats.
 */
bool borders_find(const struct work *, const struct sequence *, const struct positions *anchors, struct row_room *,
    size_t rows, size_t start[], bool backward, bool *vague);

#endif
