/*
 * A fuzz target without a fuzzer: what is in its corpus, and small changes of it, always the same ones, end as the
 * target asks for. As many changes of each file as REPLAYS in the environment says. TAP; what the inputs make the
 * target print is not shown.
 */
#include <dirent.h>
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

enum { REPLAYS = 400, LONGEST = 16384, PATIENCE = 20 /* s an input */ };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
	size_t n;
	char at[LONGEST];
};

static uint64_t state = 1;
static const struct text *asked;
static const char *file;	/* of the input, */
static int change;		/* and which change of it; 0: as it is */
static int tap = -1, terminal = -1;	/* standard output and error as they were */

static size_t
below(size_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return n > 0 ? (size_t)(state >> 11) % n : 0;
}

/* Put N bytes in the place of LENGTH of them. */
static void
put(struct text *t, size_t from, size_t length, const char *what, size_t n)
{
	if (t->n - length + n > LONGEST)
		return;
	memmove(t->at + from + n, t->at + from + length, t->n - from - length);
	memcpy(t->at + from, what, n);
	t->n = t->n - length + n;
}

/* The word, or with LINES the line, at a random place: FROM, and its length. */
static size_t
any(const struct text *t, bool lines, size_t *from)
{
	const char *ends = lines ? "\n" : " \t\r\n,:;=()[]{}\"'/";
	size_t to = below(t->n);

	*from = to;
	while (*from > 0 && strchr(ends, t->at[*from - 1]) == NULL)
		--*from;
	while (to < t->n && strchr(ends, t->at[to]) == NULL)
		to++;
	return to - *from + (lines && to < t->n);
}

static void
spoil(struct text *t)
{
	static const char *const words[] = { "0", "-1", "1", "2", "1.5", "1e400", "-0", "0x10", "4096",
		"99999999999999999999", "nan", "x", "", "null", "true", "False", "[]", "{}", "[1, 2]", "[[1], [2]]",
		"{a: 1}", "\"", "'", "None", "-", "*", "&a", "\xc3\xa4", "\xff", "\x1b[31m", "..", "/" };
	static const char letters[] = " \t\r\n\"'{}[](),:;-+#%$\\=<>|&*!?/._019aZ\x01\x7f\xff";
	char copy[LONGEST];
	size_t from, length, to;

	switch (below(8)) {
	case 0:	/* another word, or none */
		length = any(t, false, &from);
		to = below(sizeof words / sizeof words[0]);
		put(t, from, length, words[to], strlen(words[to]));
		break;
	case 1:	/* a letter more */
		put(t, below(t->n + 1), 0, letters + below(sizeof letters), 1);
		break;
	case 2:	/* some less */
		from = below(t->n);
		length = 1 + below(4);
		put(t, from, length < t->n - from ? length : t->n - from, "", 0);
		break;
	case 3:	/* a line less */
		length = any(t, true, &from);
		put(t, from, length, "", 0);
		break;
	case 4:	/* a line elsewhere, too */
		length = any(t, true, &from);
		memcpy(copy, t->at + from, length);
		any(t, true, &to);
		put(t, to, 0, copy, length);
		break;
	case 5:	/* a word in the place of another */
		length = any(t, false, &from);
		memcpy(copy, t->at + from, length);
		to = any(t, false, &from);
		put(t, from, to, copy, length);
		break;
	case 6:	/* another letter */
		if (t->n > 0)
			t->at[below(t->n)] = letters[below(sizeof letters)];
		break;
	default:	/* cut off, now and then */
		if (below(4) == 0)
			t->n = below(t->n + 1);
		break;
	}
}

/* What the input was, for who looks for it; its bytes go to standard error. */
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

static void
replay(const char *path, int changes)
{
	static struct text whole, t;
	FILE *f = fopen(path, "rb");

	if (f == NULL)
		return;
	whole.n = fread(whole.at, 1, LONGEST, f);
	fclose(f);
	change = 0;
	ask(&whole);
	while (change++ < changes) {
		t = whole;
		for (size_t n = 1 + below(3); n > 0; n--)
			spoil(&t);
		ask(&t);
	}
}

int
main(void)
{
	const char *many = getenv("REPLAYS");
	struct dirent **entry;
	int n = scandir(CORPUS, &entry, NULL, alphasort), tests = 0;
	int ends[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM };
	FILE *out;

	tap = dup(STDOUT_FILENO);
	terminal = dup(STDERR_FILENO);
	out = fdopen(tap, "w");
	if (out == NULL || freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL)
		return 1;
	/* Buffers would be an input's own, and given back with it. */
	setvbuf(stdout, NULL, _IONBF, 0);
	setvbuf(stderr, NULL, _IONBF, 0);
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_set_report_fd((void *)(intptr_t)terminal);
#endif
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		signal(ends[i], say);
	for (int i = 0; i < n; i++) {
		char path[600];

		file = entry[i]->d_name;
		if (file[0] != '.') {
			snprintf(path, sizeof path, "%s/%s", CORPUS, file);
			replay(path, many != NULL ? atoi(many) : REPLAYS);
			fprintf(out, "ok %d - %s\n", ++tests, file);
		}
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	fprintf(out, "1..%d%s\n", tests, tests == 0 ? " # SKIP no corpus" : "");
	return fclose(out) != 0;
}
