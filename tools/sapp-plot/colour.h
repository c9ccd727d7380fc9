/* Colours for colour-blind readers: Okabe and Ito's for phases, purple for memory. */
#ifndef COLOUR_H
#define COLOUR_H

#include <stdbool.h>

#include "lib/schedule/schedule.h"

enum { COLOUR_INK = 0x222222, COLOUR_QUIET = 0x777777, COLOUR_IDLE = 0xf0f0f0, COLOUR_LIMIT = 0x000000,
	COLOUR_OVER = 0xcc3311,
	/* Purple for memory; phases have other colours. */
	COLOUR_PARAMETER = 0x7b4a6d, COLOUR_ACTIVATION = 0xd3a8c4 };

/* Return 0xrrggbb: the phase's colour, lighter for each further chunk. */
int colour_block(enum phase, int chunk, int chunks);
/* Return the colour for recomputation within a block of that colour. */
int colour_recompute(int rgb);
/* Return one of SHADES shades for MEMORY, darkest at MOST; another colour above LIMIT (0: none). */
int colour_memory(double memory, double most, double limit, int shades);
/* Return the text colour on this background. */
int colour_text_on(int rgb);

#endif
