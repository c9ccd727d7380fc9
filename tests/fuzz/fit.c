/* Fuzz target: any bytes as records of small runs end in coefficients and doubts or in a message. */
#include "fuzz.h"
#include "path.h"
#include "sapp-fit/fit.h"
#include "sapp-fit/knots.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	mute();
	if (FUZZ_BEGIN()) {
		char *const operands[] = { (char *)path_of(data, n), NULL };
		struct sample s;

		sample_read(&s, operands, NULL);
		fit_write(stdout, &s, n % 2 ? 0 : 0.1);
		knots_write(stdout, &s);
		sample_free(&s);
	}
	fuzz_end();
	return 0;
}
