#include "bench_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/place.h"
#include "lib/base/slurp.h"
#include "lib/field/xjson.h"
#include "lib/record/record.h"
#include "observe.h"

enum { LINES_BEFORE = 2000, WORDS = 32, JSON_MOST = 1 << 20, MIB = 1 << 20 };

struct bench_table {
	int op, size, time;	/* indices of columns; size below 0: no header was read yet */
	bool hccl;
	int ranks;
	struct texts hosts;
};

/* Split LINE in place into words, at blanks and bars. Return their number. */
static int
split(char *line, char *word[WORDS])
{
	int n = 0;
	char *rest = line;

	for (char *w; n < WORDS && (w = strsep(&rest, " \t|\r\n")) != NULL; )
		if (*w != '\0')
			word[n++] = w;
	return n;
}

static bool
known(const struct texts *t, const char *name)
{
	for (int i = 0; i < t->n; i++)
		if (strcmp(t->at[i], name) == 0)
			return true;
	return false;
}

/* Count a rank from a line such as "#  Rank  0 Group  0 Pid 77 on node1 device  0 [0x07] NVIDIA H100". */
static void
take_rank(struct bench_table *t, char *word[], int n)
{
	for (int i = 0; i + 2 < n; i++)
		if (strcmp(word[i], "on") == 0 && strcmp(word[i + 2], "device") == 0) {
			t->ranks++;
			if (!known(&t->hosts, word[i + 1]))
				texts_add(&t->hosts, word[i + 1]);
		}
}

static void
take_header(struct bench_table *t, char *word[], int n)
{
	for (int i = 0; i < n; i++) {
		bool hccl = strncmp(word[i], "data_size", 9) == 0;

		if (hccl || strcmp(word[i], "size") == 0) {
			t->hccl = hccl;
			t->size = i;
		}
		if (t->time <= t->size && (strcmp(word[i], "time") == 0 || strncmp(word[i], "aveg_time", 9) == 0 ||
		    strncmp(word[i], "avg_time", 8) == 0))
			t->time = i;
	}
	if (t->time <= t->size)
		t->size = -1;
	/* The header begins with '#', rows do not. */
	if (t->size > 0 && strcmp(word[0], "#") == 0) {
		t->size--;
		t->time--;
	}
}

static double
number(const char *word, const char *what, struct place at)
{
	char *end;
	double x = strtod(word, &end);

	if (end == word || *end != '\0' || !(x >= 0) || x > 1e15)
		place_die(at, "%s: not a number '%.40s'", what, word);
	return x;
}

static void
take_row(const struct bench_table *t, char *word[], int n, int nodes, FILE *out, struct place at)
{
	struct observed_communication m = { .op = t->op, .calls = 1 };

	if (n <= t->time)
		place_die(at, "fewer columns than the header has: '%.40s'", word[0]);
	m.bytes = number(word[t->size], "size", at);
	m.time = number(word[t->time], "time", at) / 1e3;
	if (m.bytes <= 0)
		return;
	/* nccl-tests prints the size that all ranks gather, hccl_test the size that each rank contributes. */
	if (t->hccl && t->op == OP_ALL_GATHER)
		m.bytes *= t->ranks > 0 ? t->ranks : 1;
	if (t->ranks > 0)
		GIVE(observed_communication, &m, members, t->ranks);
	nodes = t->hosts.n > 0 ? t->hosts.n : nodes;
	if (nodes > 0)
		GIVE(observed_communication, &m, nodes, nodes);
	record_put(out, RECORD_COMMUNICATION, &m);
}

/* Return the number after WORD in *AT, and advance *AT; 0: no such number. */
static double
number_behind(const char **at, const char *word)
{
	const char *from = strstr(*at, word);
	char *end;
	double x;

	if (from == NULL)
		return 0;
	from += strlen(word);
	x = strtod(from, &end);
	*at = end;
	return end > from && x > 0 && x < 1e9 ? x : 0;
}

/* Write the record of a member such as "allreduce_size_8_64MB_time": 1.2, the ms of 64 MiB among 8 devices. */
static void
take_member(const char *key, const json_t *value, int nodes, FILE *out, struct place at)
{
	struct observed_communication m = { .op = op_of(key), .calls = 1, .time = json_number_value(value) };
	const char *rest = key, *name = strrchr(at.source, '/');
	double members = number_behind(&rest, "_size_"), mib = *rest == '_' ? number_behind(&rest, "_") : 0, each;

	if (m.op < 0 || members < 2 || members != floor(members) || !(mib > 0) || strcmp(rest, "MB_time") != 0)
		place_die(at, "expected a collective, its devices and MB, such as 'allreduce_size_8_64MB_time' '%.60s'",
		    key);
	if (!json_is_number(value) || !(m.time > 0))
		place_die(at, "%s: not a time in ms", key);
	m.bytes = mib * MIB;
	name = name != NULL ? name : at.source;
	each = number_behind(&name, "nodes_");
	if (each > 0)
		nodes = (int)ceil(members / each);
	GIVE(observed_communication, &m, members, (int)members);
	if (nodes > 0)
		GIVE(observed_communication, &m, nodes, nodes);
	record_put(out, RECORD_COMMUNICATION, &m);
}

/* Read a JSON object whose first byte was read already. Return false if F is another kind of file. */
static bool
read_json(FILE *f, int nodes, FILE *out, struct place at)
{
	char head[4096];
	size_t n = fread(head, 1, sizeof head - 1, f);
	json_error_t error;
	const char *key;
	json_t *root, *value;
	char *text;

	head[n] = '\0';
	if (strstr(head, "MB_time\"") == NULL)
		return false;
	text = slurp(at.source, JSON_MOST, &n);
	root = xjson_parse(text, n, &error);
	if (root == NULL)
		place_die((struct place){ .source = at.source, .line = error.line }, "%s", error.text);
	json_object_foreach(root, key, value)
		take_member(key, value, nodes, out, at);
	json_decref(root);
	free(text);
	return true;
}

bool
bench_table_read(const char *path, int nodes, FILE *out)
{
	struct bench_table t = { .op = op_of(path), .size = -1, .time = -1 };
	struct place at = { .source = path };
	FILE *f = strcmp(path, "-") != 0 ? fopen(path, "re") : NULL;
	char *line = NULL, *word[WORDS];
	size_t capacity = 0;
	long rows = 0;
	int first = f != NULL ? getc(f) : EOF;
	/* Do not read lines of JSON or gzip: a timeline may be a single line of a gigabyte. */
	bool lines = first != EOF && strchr("[{\x1f", first) == NULL;

	if (f != NULL)
		ungetc(first, f);
	if (first == '{')
		rows = read_json(f, nodes, out, at);
	while (lines && (t.size >= 0 || at.line < LINES_BEFORE) && getline(&line, &capacity, f) > 0) {
		int n, op = strstr(line, "_perf") != NULL || strstr(line, "_test") != NULL ? op_of(line) : -1;

		at.line++;
		t.op = op >= 0 && t.size < 0 ? op : t.op;
		n = split(line, word);
		if (n == 0)
			continue;
		if (t.size < 0) {
			take_rank(&t, word, n);
			take_header(&t, word, n);
			if (t.size >= 0 && t.op < 0)
				place_die(at, "a table of an unknown collective: name the collective in the file's "
				    "name, such as all_reduce_perf.log");
		} else if (word[0][0] >= '0' && word[0][0] <= '9') {
			take_row(&t, word, n, nodes, out, at);
			rows++;
		}
	}
	if (f != NULL)
		fclose(f);
	free(line);
	texts_free(&t.hosts);
	if (t.size >= 0 && t.ranks == 0)
		place_warn((struct place){ .source = path }, "the number of ranks that take part is missing");
	return rows > 0;
}
