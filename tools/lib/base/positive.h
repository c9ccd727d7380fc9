/* Solve systems of linear equations with a positive definite matrix. */
#ifndef POSITIVE_H
#define POSITIVE_H

/*
 * Solve A x = B by elimination. A is positive definite, [N][N] with rows of STRIDE numbers. Overwrites A; B becomes the
 * solution.
 */
void positive_solve(int n, int stride, double *a, double *b);

#endif
