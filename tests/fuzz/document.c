/* Fuzz the reader of layer-description documents: it must accept its own output for every accepted document. */
#include "fuzz.h"
#include "lib/record/document.h"
#include "path.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *written;
	static size_t length;
	static FILE *out;
	static bool again;

	again = false;
	if (FUZZ_BEGIN()) {
		struct document doc;
		const struct layer *layer[1000];

		document_read(&doc, path_of(data, size));
		for (int i = 0; i < doc.n; i++)
			layer[i] = &doc.layer[i];
		out = open_memstream(&written, &length);
		document_write(out, &doc.model, layer, doc.n);
		fclose(out);
		document_free(&doc);
		again = true;
		document_read(&doc, path_of(written, length));
		document_free(&doc);
		free(written);
	} else if (again) {
		abort();	/* it rejects its own output */
	}
	fuzz_end();
	return 0;
}
