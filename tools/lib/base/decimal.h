/* Print limits with few digits, rounded to the safe side. */
#ifndef DECIMAL_H
#define DECIMAL_H

/* Format X, rounded up, with as few digits as possible from 8 to 17; caller frees. */
char *decimal_up(double x);
/* Format X, rounded down. */
char *decimal_down(double x);

#endif
