/* Short sides reduce the throughput of a product. Its weights must be read from memory. */
#include "matmul.h"

#include <math.h>

#define TERA 1e12
#define GIGA 1e9

double
matmul_flops(const struct matmul *m)
{
	return 2 * m->rows * m->columns * m->depth * m->count;
}

/* Return the seconds of one product that reads or writes WEIGHTS bytes of weights. */
static double
once(const struct cluster *c, double peak, const struct matmul *m, double weights)
{
	double size = m->grouped ? c->efficiency.grouped_size : c->efficiency.size;
	double share = c->efficiency.matmul * (m->grouped ? c->efficiency.grouped : 1);
	double compute = 2 * m->rows * m->columns * m->depth / (peak * TERA * share) *
	    (1 + size / m->rows) * (1 + size / m->columns) * (1 + size / m->depth);

	return fmax(compute, (m->weightless ? 0 : weights) / (c->memory_bandwidth * GIGA * c->efficiency.memory));
}

double
matmul_forward(const struct cluster *c, double peak, const struct matmul *m)
{
	return m->count * once(c, peak, m, 2 * m->columns * m->depth);
}

double
matmul_backward(const struct cluster *c, double peak, const struct matmul *m, double gradient)
{
	return matmul_forward(c, peak, m) + m->count * once(c, peak, m, 2 * gradient * m->columns * m->depth);
}
