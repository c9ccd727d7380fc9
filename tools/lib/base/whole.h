/* Parsing of whole numbers with any number of digits. */
#ifndef WHOLE_H
#define WHOLE_H

/*
 * Return the number at the start of TEXT, limited to the range from -MOST to MOST; 0 if TEXT does not begin with a
 * number.
 */
int whole_of(const char *text, int most);

#endif
