/* Fuzz the reader of layer-description documents: what it takes, it must take again as it writes it. */
#include <unistd.h>

#include <sys/mman.h>

#include "fuzz.h"
#include "lib/record/document.h"

static int file = -1;

static void
fill(const void *data, size_t size)
{
	if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[32];
	static char *written;
	static size_t length;
	static FILE *out;
	static bool again;

	if (file < 0)
		file = memfd_create("document", 0);
	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
	fill(data, size);
	again = false;
	if (FUZZ_BEGIN()) {
		struct document doc;
		const struct layer *layer[1000];

		document_read(&doc, path);
		for (int i = 0; i < doc.n; i++)
			layer[i] = &doc.layer[i];
		out = open_memstream(&written, &length);
		document_write(out, &doc.model, layer, doc.n);
		fclose(out);
		document_free(&doc);
		fill(written, length);
		free(written);
		again = true;
		document_read(&doc, path);
		document_free(&doc);
	} else if (again) {
		abort();	/* it does not take what it wrote itself */
	}
	fuzz_end();
	return 0;
}
