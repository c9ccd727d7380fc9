/*
 * Laws give the times of operators between measured shapes. A law is a smooth maximum of a time for arithmetic
 * operations and a time for bytes. Its figures are fitted to measurements by least squares of logarithms.
 */
#ifndef OPERATOR_LAW_H
#define OPERATOR_LAW_H

#include <stddef.h>

#include "operator_key.h"

enum { LAW_FIGURES = 5 };

struct device_peaks {
	double operations;	/* arithmetic operations per second, for the operands' type */
	double bandwidth;	/* bytes of memory traffic per second */
};

/*
 * The figures of a law, and the time that it gives, ms:
 * matmul: efficiency, memory, start (ms), side, depth:
 *     start + (A^4 + B^4)^(1/4), A = 2mnk / (peak efficiency) (1 + side/m)(1 + side/n)(1 + depth/k), B = bytes /
 *     (bandwidth memory)
 * grouped: efficiency, memory, launch (ms per group), rows:
 *     launch groups + (A^4 + B^4)^(1/4), in which (1 + rows/m) replaces the three last factors of A
 * attention: efficiency, start (ms), width:
 *     start + operations / (peak efficiency) (1 + width / blocks), blocks = batch heads ceil(seq / 256)
 */
struct operator_law {
	double figure[LAW_FIGURES];
};

/* Return the number of figures that the law for OP has. */
int operator_law_figures(int op);
/* Return the ms that an operator takes by the law. */
double operator_law_time(const struct operator_law *, const struct operator_key *, struct device_peaks);
/* Return the ideal law: operations / peak or bytes / bandwidth, whichever is longer. */
struct operator_law operator_law_ideal(int op);
/* Fit a law to N measured times, ms. N must be at least the number of figures. */
struct operator_law operator_law_fit(const struct operator_key key[], const double time[], size_t n,
    struct device_peaks);

#endif
