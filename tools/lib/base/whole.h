/* Whole numbers of texts that were checked, or are of another program: never undefined, however many digits they have. */
#ifndef WHOLE_H
#define WHOLE_H

/* That which TEXT begins with, 0: none; what is beyond MOST, or below -MOST, is that. */
int whole_of(const char *text, int most);

#endif
