/* Fuzz the init YAML: accepted files must be consistent, as later code does not check them again. */
#include "fuzz.h"
#include "lib/yaml/initfile.h"
#include "lib/yaml/yaml.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (FUZZ_BEGIN()) {
		struct initfile f;

		initfile_parse(&f, yaml_parse((const char *)data, size, "fuzz"));
		for (int r = 0; r < f.rounds; r++) {
			int layers = 0;

			for (int s = 0; s < f.stages; s++) {
				int sum = 0;

				for (int k = 0; k < RECOMPUTE_KINDS; k++) {
					if (*grid_at(f.round[r].kind[k], 0, s) < 0)
						abort();
					sum += *grid_at(f.round[r].kind[k], 0, s);
				}
				if (sum != *grid_at(f.round[r].layers, 0, s))
					abort();
				layers += sum;
			}
			if (layers != f.layers)
				abort();
		}
		for (int i = 0; i < f.memories; i++)
			if (f.memory[i].stage < 0 || f.memory[i].stage >= f.stages || f.memory[i].round < 0 ||
			    f.memory[i].round >= f.rounds || !(f.memory[i].memory > 0))
				abort();
		initfile_free(&f);
	}
	fuzz_end();
	return 0;
}
