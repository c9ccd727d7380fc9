/* Colours that stay apart for colour-blind eyes: Okabe and Ito's for phases, viridis for stages. */
#ifndef COLOUR_H
#define COLOUR_H

#include <stdbool.h>

#include "lib/schedule/schedule.h"

enum { COLOUR_INK = 0x222222, COLOUR_QUIET = 0x777777, COLOUR_IDLE = 0xf0f0f0, COLOUR_LIMIT = 0x000000,
	COLOUR_OVER = 0xcc3311 };

/* 0xrrggbb: the phase's colour, lighter for every further chunk. */
int colour_block(enum phase, int chunk, int chunks);
int colour_stage(int stage, int stages);
/* Of text that stands on this colour. */
int colour_text_on(int rgb);

#endif
