/* Fuzz the reader of peaks in logs: lines of any bytes, then one figure a stage. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lib/measure/peaklog.h"

enum { STAGES = 16 };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct peaklog log;
	struct place place = { "fuzz", 0 };

	log = (struct peaklog){ 0 };
	if (FUZZ_BEGIN()) {
		const char *at = (const char *)data, *end = at + size;
		struct peak *peaks;
		int n;

		while (at < end) {
			const char *stop = memchr(at, '\n', (size_t)(end - at));

			place.line++;
			stop = stop == NULL ? end : stop;
			peaklog_line(&log, at, (size_t)(stop - at), size % 3 == 0 ? "stage_2.log" : NULL, place);
			at = stop + 1;
		}
		n = peaklog_peaks(&log, STAGES, size % 2 ? 1 : 3, 0, -1, &peaks);
		for (int i = 0; i < n; i++) {
			if (peaks[i].stage < 0 || peaks[i].stage >= STAGES || !(peaks[i].memory > 0))
				abort();
			free(peaks[i].source);
		}
		free(peaks);
	}
	fuzz_end();
	return 0;
}
