/* Fuzz target: any bytes as records of small runs end in coefficients and doubts or in a message. */
#include "fuzz.h"
#include "path.h"
#include "lib/base/alloc.h"
#include "sapp-fit/coverage.h"
#include "sapp-fit/fit.h"
#include "sapp-fit/knots.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	mute();
	if (FUZZ_BEGIN()) {
		char *const operands[] = { (char *)path_of(data, n), NULL };
		struct fit_sample s;
		struct known known;
		struct coverages c = { .known = &known };

		sample_read(&s, operands, NULL);
		known = fit_known_read(&s, NULL);
		c.n = s.ncandidates;
		c.at = s.candidate;
		c.sum = xcalloc(c.n + 1, sizeof *c.sum);
		fit_write(stdout, &s, &c);
		knots_write(stdout, &s);
		coverage_write(stdout, &c);
		free(c.sum);
		known_free(&known);
		sample_free(&s);
	}
	fuzz_end();
	return 0;
}
