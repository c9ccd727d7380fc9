/*
 * Run a fuzz target without a fuzzer, on its corpus and on small changes of the corpus, always the same ones. The
 * target must accept all files of the corpus except those named bad. The program's name, fuzz-NAME, selects the corpus.
 * REPLAYS in the environment sets the number of changes of each file. Writes TAP; the target's own output is not shown.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

#include "change.h"

/* REPLAYS in make check, LONG_REPLAYS in make check-long. */
enum { REPLAYS = 250, LONG_REPLAYS = 1000, PATIENCE = 20 /* limit of an input, s */ };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern unsigned long fuzz_begun, fuzz_refused;

static const struct text *asked;
static const char *file;	/* of the input */
static int change;		/* and the number of its change; 0: unchanged */
static int tap = -1, terminal = -1;	/* the original standard output and error */

/* Report the failing input, and write its bytes to standard error. */
static void
say(int signal)
{
	char text[200];
	int n = snprintf(text, sizeof text, "not ok - %s, change %d: signal %d\n1..1\n", file, change, signal);

	if (write(tap, text, (size_t)n) < 0 || write(terminal, asked->at, asked->n) < 0)
		_exit(2);
	_exit(1);
}

static void
ask(const struct text *t)
{
	asked = t;
	alarm(PATIENCE);
	LLVMFuzzerTestOneInput((const uint8_t *)t->at, t->n);
	alarm(0);
}

/* Return false if the target did not read the unchanged file to its end, and most of the target was not tested. */
static bool
replay(const char *path, int changes)
{
	bool taken;
	static struct text whole, t;
	FILE *f = fopen(path, "rb");

	if (f == NULL)
		return false;
	whole.n = fread(whole.at, 1, TEXT_LONGEST, f);
	fclose(f);
	change = 0;
	fuzz_begun = fuzz_refused = 0;
	ask(&whole);
	taken = fuzz_refused < fuzz_begun || fuzz_begun == 0;
	while (change++ < changes) {
		t = whole;
		text_change(&t);
		ask(&t);
	}
	return taken;
}

int
main(void)
{
	const char *many = getenv("REPLAYS"), *target = strchr(program_invocation_short_name, '-');
	int replays = many != NULL ? atoi(many) : getenv("LONG") != NULL ? LONG_REPLAYS : REPLAYS;
	struct dirent **entry;
	char corpus[300];
	int ends[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM };
	FILE *out;
	int n, tests = 0;

	snprintf(corpus, sizeof corpus, "tests/fuzz/corpus/%s", target != NULL ? target + 1 : "");
	n = scandir(corpus, &entry, NULL, alphasort);
	tap = dup(STDOUT_FILENO);
	terminal = dup(STDERR_FILENO);
	out = fdopen(tap, "w");
	if (out == NULL || freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL)
		return 1;
	/* Buffers would belong to an input, and be freed with it. */
	setvbuf(stdout, NULL, _IONBF, 0);
	setvbuf(stderr, NULL, _IONBF, 0);
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_set_report_fd((void *)(intptr_t)terminal);
#endif
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		signal(ends[i], say);
	for (int i = 0; i < n; i++) {
		char path[600];
		bool taken;

		file = entry[i]->d_name;
		if (file[0] != '.') {
			snprintf(path, sizeof path, "%s/%s", corpus, file);
			taken = replay(path, replays) || strncmp(file, "bad", 3) == 0;
			fprintf(out, "%s %d - %s: %lu of %lu refused\n", taken ? "ok" : "not ok", ++tests, file,
			    fuzz_refused, fuzz_begun);
		}
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	fprintf(out, "1..%d%s\n", tests, tests == 0 ? " # SKIP no corpus" : "");
	return fclose(out) != 0;
}
