/*
 * Borders: begin and end of layers of several kinds around their anchors. Around an anchor of a type the layer has one
 * of a few phrases of kernels on either side, so between two anchors lie two phrases. If a row begins or ends with a
 * transfer, the phrase there is known; the others follow from these.
 */
#ifndef BORDER_H
#define BORDER_H

#include "work.h"

struct row_room {		/* anchors of a row, and the kernels around its layers */
	size_t first, n;	/* range of its anchors */
	size_t from, to;	/* range of kernels */
	bool closed[2];		/* only its layers are before, or after, its anchors */
	size_t edge;		/* start of the model's end after a backward that is not closed; SIZE_MAX: unknown */
	size_t end;		/* of the last layer, set by borders_find() */
};

/*
 * Get START [anchors->n] and the ends of ROWS rows. Return false if it is undetermined; *VAGUE: although kernels
 * between anchors differ and repeat.
 */
bool borders_find(const struct work *, const struct sequence *, const struct positions *anchors, struct row_room *,
    size_t rows, size_t start[], bool *vague);

#endif
