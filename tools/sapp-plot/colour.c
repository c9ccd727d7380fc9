#include "colour.h"

#include <math.h>

static const int phases[PHASES] = {
	[PHASE_F] = 0x0072b2, [PHASE_B] = 0xe69f00, [PHASE_W] = 0x009e73, [PHASE_I] = 0xe69f00,
};
/* Fraction of white in the colour of the second chunk, and its maximum in the last chunk. */
static const double LIGHTER = 0.3, LIGHTEST = 0.64;
static const double DARKER = 0.25;	/* fraction of black in the colour of recomputation */

static int
mix(int a, int b, double share)
{
	int rgb = 0;

	for (int shift = 0; shift < 24; shift += 8) {
		int from = a >> shift & 255, to = b >> shift & 255;

		rgb |= (int)(from + (to - from) * share + 0.5) << shift;
	}
	return rgb;
}

int
colour_block(enum phase phase, int chunk, int chunks)
{
	double step = chunks > 1 ? fmin(LIGHTER, LIGHTEST / (chunks - 1)) : 0;

	return mix(phases[phase], 0xffffff, step * chunk);
}

int
colour_recompute(int rgb)
{
	return mix(rgb, 0x000000, DARKER);
}

int
colour_memory(double memory, double most, double limit, int shades)
{
	int shade = most > 0 ? (int)fmin(shades - 1, fmax(0, memory / most * shades)) : 0;

	return limit > 0 && memory > limit ? COLOUR_OVER : mix(0xf6eef3, 0x2a1022, (shade + 0.5) / shades);
}

int
colour_text_on(int rgb)
{
	double luminance = 0.2126 * (rgb >> 16 & 255) + 0.7152 * (rgb >> 8 & 255) + 0.0722 * (rgb & 255);

	return luminance > 115 ? 0x000000 : 0xffffff;
}
