/* Changes of a text that may expose errors of readers; always the same ones in the same order. */
#ifndef CHANGE_H
#define CHANGE_H

#include <stddef.h>
#include <stdint.h>

enum { TEXT_LONGEST = 1 << 15 };

struct text {
	size_t n;
	char at[TEXT_LONGEST];
};

/* State of the random numbers of the next changes; not 0. */
extern uint64_t text_seed;

/* One to three changes, or a field made long, which leaves the rest valid. */
void text_change(struct text *);

#endif
