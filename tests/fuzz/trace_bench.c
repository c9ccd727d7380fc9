/* Fuzz target: any bytes as a table of nccl-tests or hccl_test end in records or in a message. */
#include "fuzz.h"
#include "path.h"
#include "sapp-trace/run/bench_table.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	mute();
	if (FUZZ_BEGIN()) {
		const char *path = path_of(data, n);

		bench_table_read(path, (int)(n % 3), stdout);
	}
	fuzz_end();
	return 0;
}
