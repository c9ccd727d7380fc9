/* Colours that colour-blind readers can distinguish: Okabe and Ito's for phases, purple for memory. */
#ifndef COLOUR_H
#define COLOUR_H

#include <stdbool.h>

#include "lib/schedule/schedule.h"

enum { COLOUR_INK = 0x222222, COLOUR_QUIET = 0x777777, COLOUR_IDLE = 0xf0f0f0, COLOUR_LIMIT = 0x000000,
	COLOUR_OVER = 0xcc3311,
	/* Purple is for memory; no phase has this colour. */
	COLOUR_PARAMETER = 0x7b4a6d, COLOUR_ACTIVATION = 0xd3a8c4 };

/* Return 0xrrggbb, the colour of the phase. It is lighter for each further chunk. */
int colour_block(enum phase, int chunk, int chunks);
/* Return the colour of recomputation within a block of colour RGB. */
int colour_recompute(int rgb);
/* Return one of SHADES shades for MEMORY, darkest at MOST. Above LIMIT (0: none) return another colour. */
int colour_memory(double memory, double most, double limit, int shades);
/* Return the colour of text on the background RGB. */
int colour_text_on(int rgb);

#endif
