/* Fuzz sapp-model: a config.json, a training YAML or a script, any bytes, end in records or in a message. */
#include "fuzz.h"
#include "lib/record/record.h"
#include "path.h"
#include "lib/draft/draft.h"
#include "lib/draft/formulas.h"
#include "lib/script/started.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char text[1 << 16];
	static struct formulas formulas;	/* not allocated for an input, so that no input frees them */

	if (size >= sizeof text || memchr(data, 0, size) != NULL)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	mute();
	if (formulas.n == 0)
		formulas = formulas_read(NULL);
	if (FUZZ_BEGIN()) {
		struct draft d = { 0 };
		struct place at = { .source = "fuzz" };
		/* Some inputs have these options of the command line. */
		struct additions more = { .seq_length = size % 7 ? 0 : 4096, .vocab_size = size % 3 ? 0 : 32000,
			.devices = size % 5 ? 0 : 64, .batch = size % 11 ? 0 : 128 };

		if (strstr(text, "--") != NULL) {
			struct started s;

			started_list(&s, text, at.source);
			megatron_read(&d, &s, &formulas, &more);
			started_free(&s);
		} else {
			struct yaml *root = yaml_parse(text, size, at.source);

			if (root->type != YAML_MAP)
				place_die(at, "no map");
			if (*text == '{')
				huggingface_read(&d, root, &formulas, &more);
			else
				mindformers_read(&d, root, &formulas);
		}
		draft_write(stdout, &d, &more, at, size % 2);
	}
	fuzz_end();
	return 0;
}
