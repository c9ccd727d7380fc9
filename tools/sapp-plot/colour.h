/* Colours that stay apart for colour-blind eyes: Okabe and Ito's for phases, purple for memory. */
#ifndef COLOUR_H
#define COLOUR_H

#include <stdbool.h>

#include "lib/schedule/schedule.h"

enum { COLOUR_INK = 0x222222, COLOUR_QUIET = 0x777777, COLOUR_IDLE = 0xf0f0f0, COLOUR_LIMIT = 0x000000,
	COLOUR_OVER = 0xcc3311,
	/* Memory is purple: no phase is. */
	COLOUR_PARAMETER = 0x7b4a6d, COLOUR_ACTIVATION = 0xd3a8c4 };

/* 0xrrggbb: the phase's colour, lighter for every further chunk. */
int colour_block(enum phase, int chunk, int chunks);
/* The part of a block of that colour in which activations are computed again. */
int colour_recompute(int rgb);
/* A shade for MEMORY, darker up to MOST in so many SHADES, another colour above LIMIT (0: none). */
int colour_memory(double memory, double most, double limit, int shades);
/* Of text that stands on this colour. */
int colour_text_on(int rgb);

#endif
