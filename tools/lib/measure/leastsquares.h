/* Least squares by singular value decomposition: min |A x - b|, the determined part of x, and its error. */
#ifndef LEASTSQUARES_H
#define LEASTSQUARES_H

struct leastsquares {
	int m, n;		/* equations, unknowns */
	int rank;
	double condition;	/* condition number of A with columns scaled to length 1; infinite if rank < n */
	double *x;		/* [n], the minimum-norm solution if rank < n */
	double *residual;	/* [m], b - A x */
	double *leverage;	/* [m], influence of an equation on its own fit, up to 1 */
	double *null;		/* [n][n], projector on the null space of A, in scaled unknowns */
	/* [n], standard error of x; 3 errors cover the truth in 99.7 %; NULL unless m > rank == n */
	double *error;
};

/* A is [m][n] by rows. Exits only if LAPACK does not converge. */
struct leastsquares leastsquares_solve(int m, int n, const double *a, const double *b);
void leastsquares_free(struct leastsquares *);

/*
 * Return the probability of an error at least that of equation I, if it belongs to the same normal population as the
 * other equations (externally studentised residual, Student's t with m - n - 1 degrees of freedom). Return 1 if this is
 * undetermined.
 */
double leastsquares_odd(const struct leastsquares *, int i);

#endif
