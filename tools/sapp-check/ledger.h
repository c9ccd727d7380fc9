/*
 * Ledger: exact figures of one unit, as GMP rationals. When complete they become whole multiples of the largest common
 * part of the unit, so that sums are exact and fast.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include <gmp.h>

struct ledger {
	int n;
	mpq_t *exact;
	mpz_t *whole;		/* exact * parts, after ledger_settle() */
	mpz_t parts;
};

void ledger_open(struct ledger *);
void ledger_free(struct ledger *);
/* Add a figure; return its number. The second adds the exact value of the double. */
int ledger_add(struct ledger *, const mpq_t);
int ledger_add_double(struct ledger *, double);
void ledger_settle(struct ledger *);
mpz_srcptr ledger_at(const struct ledger *, int figure);
/* Return a multiple of the part as a double, rounded down. */
double ledger_double(const struct ledger *, const mpq_t parts);

#endif
