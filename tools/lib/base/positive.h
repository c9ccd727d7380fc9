/* Systems of linear equations whose matrix is positive definite. */
#ifndef POSITIVE_H
#define POSITIVE_H

/*
 * Solve A x = B by elimination. A is [N][N] in rows of STRIDE numbers and positive definite. Overwrites both: the
 * solution is in B.
 */
void positive_solve(int n, int stride, double *a, double *b);

#endif
