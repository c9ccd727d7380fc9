/* Whole numbers of texts that were checked or come from another program; defined for any number of digits. */
#ifndef WHOLE_H
#define WHOLE_H

/* That which TEXT begins with, 0: none; what is beyond MOST, or below -MOST, is that. */
int whole_of(const char *text, int most);

#endif
