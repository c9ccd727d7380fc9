/* Numbers for people that must not be off on the wrong side: limits that work, and limits that do not. */
#ifndef DECIMAL_H
#define DECIMAL_H

/* X in as few digits as say no less (8 or more of them, 17 at most); to be freed. */
char *decimal_up(double x);
/* The same, but no more than X. */
char *decimal_down(double x);

#endif
