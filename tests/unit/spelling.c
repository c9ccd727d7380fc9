/* Unknown names, and the suggested names for them. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/spelling.h"
#include "tap.h"

static const char *const schedules[] = { "gpipe", "1f1b", "vpp", "vpp-less", "zb-h1", "zb-h2", "zbv", "v-half",
	"dualpipe", NULL };
static const char *const layers[] = { "optimizer-AdamW", "tok_embeddings-LlamaEmbedding", "LLamaDecodeLayer", NULL };
static const char *const sizes[] = { "ffn-hidden-size", "hidden-size", NULL };

static void
meant(const char *const names[], const char *text, const char *want)
{
	const char *got = spelling_nearest(text, names);

	if (!ok(want == NULL ? got == NULL : got != NULL && strcmp(got, want) == 0, text))
		printf("# got '%s'\n", got != NULL ? got : "nothing");
}

static void
said(char *got, const char *want, const char *name)
{
	if (!ok(strcmp(got, want) == 0, name))
		printf("# got '%s'\n", got);
	free(got);
}

int
main(void)
{
	char longest[1000];

	meant(schedules, "1b1f", "1f1b");
	meant(schedules, "1F1B", "1f1b");
	meant(schedules, "vpp_less", "vpp-less");
	meant(schedules, "h2", "zb-h2");
	meant(schedules, "half", "v-half");
	meant(schedules, "pipe", "gpipe");
	meant(schedules, "dual", "dualpipe");
	meant(schedules, "interleaved", NULL);
	meant(schedules, "x", NULL);
	meant(schedules, "", NULL);
	meant(layers, "LlamaDecoderLayer", "LLamaDecodeLayer");
	meant(layers, "LlamaEmbeding", "tok_embeddings-LlamaEmbedding");
	meant(layers, "Linear", NULL);
	meant(sizes, &"--hiden-size"[2], "hidden-size");
	meant(sizes, "fnn-hidden-size", "ffn-hidden-size");
	memset(longest, 'x', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	meant(layers, longest, NULL);
	said(spelling_hint("1f1bb", schedules), "; the nearest is '1f1b'", "a hint");
	said(spelling_hint("none of them", schedules), "", "or none");
	said(spelling_known("AdamV", layers), " optimizer-AdamW tok_embeddings-LlamaEmbedding LLamaDecodeLayer; "
	    "the nearest is 'optimizer-AdamW'", "all that are there, and a hint");
	return tap_done();
}
