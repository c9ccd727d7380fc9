/* Least squares by singular value decomposition: min |A x - b|. Gives the determined part of x, and its error. */
#ifndef LEASTSQUARES_H
#define LEASTSQUARES_H

struct leastsquares {
	int m, n;		/* numbers of equations and of unknowns */
	int rank;
	double condition;	/* condition number of A, with columns scaled to length 1; infinite if rank < n */
	double *x;		/* [n]; if rank < n, the solution of minimum norm */
	double *residual;	/* [m], b - A x */
	double *leverage;	/* [m], influence of each equation on its own fitted value, 0 to 1 */
	double *null;		/* [n][n], projector on the null space of A, for scaled unknowns */
	/*
	 * [n], standard errors of x; in 99.7 % of cases the true value is within 3 of them; NULL unless m > rank == n
	 */
	double *error;
};

/* Solve. A is [m][n] by rows. Exit only if LAPACK does not converge. */
struct leastsquares leastsquares_solve(int m, int n, const double *a, const double *b);
void leastsquares_free(struct leastsquares *);

/*
 * Return the probability of an error at least equal to the error of equation I, if all errors follow one normal
 * distribution. It uses the externally studentised residual: Student's t with m - n - 1 degrees of freedom. Return 1 if
 * the probability is undetermined.
 */
double leastsquares_odd(const struct leastsquares *, int i);

#endif
