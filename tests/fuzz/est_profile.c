/* Fuzz tables of profiled layer times: accepted tables have degrees of at least 1 and valid times. */
#include <math.h>

#include "fuzz.h"
#include "path.h"
#include "sapp-est/profile.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (FUZZ_BEGIN()) {
		struct measured m = measured_none();

		profile_read(&m, path_of(data, size));
		for (int i = 0; i < m.nprofiles; i++) {
			const struct measured_profile *p = &m.profile[i];

			if (p->dp < 1 || p->tp < 1 || p->pp < 1 || p->ep < 1 || p->cp < 1 || !(p->forward > 0) ||
			    !isfinite(p->forward) || !(p->backward > 0))
				abort();
		}
		measured_free(&m);
	}
	fuzz_end();
	return 0;
}
