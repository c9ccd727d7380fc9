/* Least squares by singular values: min |A x - b|, what of x it determines, and how well. */
#ifndef LEASTSQUARES_H
#define LEASTSQUARES_H

struct leastsquares {
	int m, n;		/* equations, unknowns */
	int rank;
	double condition;	/* of A with columns scaled to length 1; infinite when rank < n */
	double *x;		/* [n], the shortest of the solutions when rank < n */
	double *residual;	/* [m], b - A x */
	double *leverage;	/* [m], how much an equation decides its own fit: 1 entirely */
	double *null;		/* [n][n], projector on what A does not determine, in scaled unknowns */
	double *error;		/* [n], standard error of x, three of them hold the truth in 99.7 %;
				 * NULL unless m > rank == n */
};

/* A is [m][n], row by row. Exits only when LAPACK fails to converge. */
struct leastsquares leastsquares_solve(int m, int n, const double *a, const double *b);
void leastsquares_free(struct leastsquares *);

/*
 * Probability that an error as large as equation I's, or larger, is a member of the same normal population
 * as the others' (externally studentised residual, Student's t with m - n - 1 degrees of freedom); 1:
 * cannot be told.
 */
double leastsquares_odd(const struct leastsquares *, int i);

#endif
