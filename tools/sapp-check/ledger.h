/*
 * Ledger: exact figures of one unit, rationals by GMP. When all are there they become whole numbers of the largest part
 * of the unit that makes all of them whole, so that sums of them are exact and fast.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include <gmp.h>

struct ledger {
	int n;
	mpq_t *exact;
	mpz_t *whole;		/* exact * parts, from ledger_settle() on */
	mpz_t parts;
};

void ledger_open(struct ledger *);
void ledger_free(struct ledger *);
/* Add a figure; its number. The second is that of the double itself: the nearest to what was written. */
int ledger_add(struct ledger *, const mpq_t);
int ledger_add_double(struct ledger *, double);
void ledger_settle(struct ledger *);
mpz_srcptr ledger_at(const struct ledger *, int figure);
/* The figure that so much of a part is, rounded down to a double. */
double ledger_double(const struct ledger *, const mpq_t parts);

#endif
