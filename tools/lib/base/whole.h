/* Parse whole numbers of any length. */
#ifndef WHOLE_H
#define WHOLE_H

/* Return the number at the start of TEXT, 0 if there are no digits, clamped to [-MOST, MOST]. */
int whole_of(const char *text, int most);

#endif
