/* Limits printed with few digits, rounded to the safe side. */
#ifndef DECIMAL_H
#define DECIMAL_H

/* Return X rounded up, with the fewest digits possible from 8 to 17. Caller frees. */
char *decimal_up(double x);
/* Return X rounded down, in the same form. Caller frees. */
char *decimal_down(double x);

#endif
