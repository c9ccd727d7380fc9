/*
 * Ledger: exact numbers of one unit, as rationals of GMP. When all numbers are added, each becomes an integer multiple
 * of their largest common part, so that sums are exact and fast.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include <gmp.h>

struct ledger {
	int n;
	mpq_t *exact;
	mpz_t *whole;		/* multiples of the part, set by ledger_settle() */
	mpz_t parts;
};

void ledger_open(struct ledger *);
void ledger_free(struct ledger *);
/* Add a number and return its index. ledger_add_double() adds the exact value of a double. */
int ledger_add(struct ledger *, const mpq_t);
int ledger_add_double(struct ledger *, double);
void ledger_settle(struct ledger *);
mpz_srcptr ledger_at(const struct ledger *, int figure);
/* Return PARTS multiples of the part as a double, rounded down. */
double ledger_double(const struct ledger *, const mpq_t parts);

#endif
