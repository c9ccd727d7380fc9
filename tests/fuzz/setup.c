/* Fuzz the readers of a run's pipeline: any bytes as a training YAML, a script or a list of arguments. */
#include "fuzz.h"
#include "lib/script/started.h"
#include "lib/setup/setup.h"
#include "path.h"

enum { LAYERS = 32 };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	started_no_scripts = true;
	if (FUZZ_BEGIN()) {
		struct setup s;
		int sum = 0;

		setup_read(&s, path_of(data, size), size % 2 ? LAYERS : 0, NULL, NULL, NULL);
		if (s.pipeline.stages < 1 || s.pipeline.interleave < 1 || s.layers < 1 || s.extra < 0)
			abort();
		for (int i = 0; i < s.settings.offset.chunks * s.settings.offset.stages; i++)
			sum += s.settings.offset.at[i];
		if (s.settings.offset.chunks != s.pipeline.interleave ||
		    s.settings.offset.stages != s.pipeline.stages ||
		    sum != s.layers % (s.pipeline.stages * s.pipeline.interleave))
			abort();
		setup_free(&s);
	}
	fuzz_end();
	return 0;
}
