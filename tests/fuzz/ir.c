/* Fuzz sapp-ir: any bytes as a dumped graph, its first line also as a pattern, end in a report or in a message. */
#include "fuzz.h"
#include "path.h"
#include "sapp-ir/chain.h"
#include "sapp-ir/report.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	mute();
	if (FUZZ_BEGIN()) {
		struct node_reader reader;
		struct ir_pattern pattern[2];
		int patterns = 0;
		struct ir_tally tally = { 0 };
		struct dump dump = { 0 };
		struct chain chain;
		struct ir_node node;
		char message[200], line[200];
		struct clipped why = CLIPPED(message);
		size_t n = 0;

		while (n < size && n < sizeof line - 1 && data[n] != '\n' && data[n] != '\0')
			n++;
		memcpy(line, data, n);
		line[n] = '\0';
		patterns += pattern_read(&pattern[patterns], "feed_forward\\.*\\.reshape", &why);
		patterns += pattern_read(&pattern[patterns], line, &why);
		node_open(&reader, path_of(data, size));
		while (node_next(&reader, &node)) {
			if (node.ninputs < 0 || node.ninputs > NODE_INPUTS)
				abort();
			ir_tally_add(&tally, &node);
			dump_add(&dump, &node);
		}
		node_close(&reader);
		dump_complete(&dump);
		if (dump.instances > 0) {
			chain = chain_new(&dump, pattern, (int)(size % 2) * patterns, 1 + (int)(size % CHAIN_MOST));
			if (chain.n > 0 && !(chain.at[chain.n - 1].effect.kept < chain.none.kept))
				abort();
			chain_free(&chain);
		}
		dump_free(&dump);
		report_effect(&tally, pattern, (int)(size % 2) * patterns);
		for (int i = 0; i < patterns; i++)
			ir_pattern_free(&pattern[i]);
		ir_tally_free(&tally);
	}
	fuzz_end();
	return 0;
}
