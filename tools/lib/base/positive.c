#include "positive.h"

void
positive_solve(int n, int stride, double *a, double *b)
{
	for (int i = 0; i < n; i++)
		for (int k = i + 1; k < n; k++) {
			double f = a[k * stride + i] / a[i * stride + i];

			for (int j = i; j < n; j++)
				a[k * stride + j] -= f * a[i * stride + j];
			b[k] -= f * b[i];
		}
	for (int i = n - 1; i >= 0; i--) {
		for (int j = i + 1; j < n; j++)
			b[i] -= a[i * stride + j] * b[j];
		b[i] /= a[i * stride + i];
	}
}
