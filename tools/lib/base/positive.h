/* Systems of linear equations with a positive definite matrix. */
#ifndef POSITIVE_H
#define POSITIVE_H

/*
 * Solve A x = B by elimination. A is positive definite, [N][N], with STRIDE numbers from one row to the next. The
 * content of A is lost. B is replaced by x.
 */
void positive_solve(int n, int stride, double *a, double *b);

#endif
