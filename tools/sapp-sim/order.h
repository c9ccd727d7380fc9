/* Order: what a simulated schedule runs when, for those who run it. */
#ifndef ORDER_H
#define ORDER_H

#include "run.h"

/* The order of the only run as a CSV file, one row a stage; exits when there are several, or it cannot be written. */
void order_write(const char *path, const struct runs *);

#endif
