#include "ledger.h"

#include <stdlib.h>

#include "lib/base/alloc.h"

void
ledger_open(struct ledger *l)
{
	*l = (struct ledger){ 0 };
	mpz_init_set_ui(l->parts, 1);
}

void
ledger_free(struct ledger *l)
{
	for (int i = 0; i < l->n; i++) {
		mpq_clear(l->exact[i]);
		if (l->whole != NULL)
			mpz_clear(l->whole[i]);
	}
	free(l->exact);
	free(l->whole);
	mpz_clear(l->parts);
}

int
ledger_add(struct ledger *l, const mpq_t figure)
{
	l->exact = array_room(l->exact, (size_t)l->n, sizeof *l->exact);
	mpq_init(l->exact[l->n]);
	mpq_set(l->exact[l->n], figure);
	mpz_lcm(l->parts, l->parts, mpq_denref(figure));
	return l->n++;
}

int
ledger_add_double(struct ledger *l, double x)
{
	mpq_t figure;
	int at;

	mpq_init(figure);
	mpq_set_d(figure, x);
	at = ledger_add(l, figure);
	mpq_clear(figure);
	return at;
}

void
ledger_settle(struct ledger *l)
{
	l->whole = xcalloc((size_t)l->n, sizeof *l->whole);
	for (int i = 0; i < l->n; i++) {
		mpz_init(l->whole[i]);
		mpz_divexact(l->whole[i], l->parts, mpq_denref(l->exact[i]));
		mpz_mul(l->whole[i], l->whole[i], mpq_numref(l->exact[i]));
	}
}

mpz_srcptr
ledger_at(const struct ledger *l, int figure)
{
	return l->whole[figure];
}

double
ledger_double(const struct ledger *l, const mpq_t parts)
{
	mpq_t of;
	double x;

	mpq_init(of);
	mpq_set_z(of, l->parts);
	mpq_div(of, parts, of);
	x = mpq_get_d(of);	/* rounds towards 0; that is down, because no step is negative */
	mpq_clear(of);
	return x;
}
