/* Random kinds of recomputation by patterns: lists of each pattern turn back into the counts they were made of. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/setup/patterns.h"
#include "tap.h"

enum { CASES = 1000, STAGES = 4, PATTERNS = 6, NAMED = 4 };

static unsigned seed = 1;

static int
below(int n)
{
	seed = seed * 1103515245 + 12345;
	return (int)(seed >> 16) % n;
}

/*
 * Make records of NAMED kinds with different sets of patterns; SET gets the sets. The records must outlive structs made
 * from them.
 */
static struct records
draw_kinds(unsigned set[NAMED])
{
	char name[] = "/tmp/patterns.XXXXXX", *operand[] = { name, NULL };
	struct records all;
	FILE *f = fdopen(mkstemp(name), "w");

	if (f == NULL)
		abort();
	for (int k = 0; k < NAMED; k++) {
		bool known;

		do {
			known = (set[k] = (unsigned)below(1 << PATTERNS)) == 0;
			for (int j = 0; j < k; j++)
				known |= set[j] == set[k];
		} while (known);
		fprintf(f, "{\"kind\":\"kind\",\"name\":\"k%d\"", k);
		for (int list = 0; list < 2; list++) {
			const char *divider = "";

			fprintf(f, ",\"%s\":[", list ? "select_comm_recompute" : "select_recompute");
			for (int p = list; p < PATTERNS; p += 2)
				if (set[k] >> p & 1) {
					fprintf(f, "%s\"it's\\\\.%d\"", divider, p / 2);
					divider = ",";
				}
			fputs("]", f);
		}
		fputs("}\n", f);
	}
	fclose(f);
	records_read(&all, operand, RECORDS(RECORD_KIND));
	unlink(name);
	return all;
}

/* Write and read a file with the lists. */
static struct training
written(const struct pattern_lists *l, struct grid full, struct place at)
{
	char *select = pattern_lists_text(l, false, at), *comm = pattern_lists_text(l, true, at);
	char *recompute = NULL, *text;
	size_t size;
	FILE *f = memstream_open(&recompute, &size);
	struct training t;

	for (int s = 0; s < STAGES; s++)
		fprintf(f, "%s%d", s > 0 ? ", " : "[", full.at[s]);
	fputs("]", f);
	memstream_close(f);
	text = xasprintf("parallel_config:\n  pipeline_stage: %d\nmodel:\n  model_config:\n    num_layers: 9\n"
	    "recompute_config:\n  recompute: %s\n  select_recompute: %s\n  select_comm_recompute: %s\n", STAGES,
	    recompute, select, comm);
	free(select);
	free(comm);
	free(recompute);
	training_parse(&t, "test", text, strlen(text), false);
	training_check(&t);
	return t;
}

/*
 * Draw the numbers of layers by kind of each piece. The kinds in a piece form a chain: each kind's patterns are a
 * subset of the previous kind's.
 */
static void
draw_counts(const unsigned set[NAMED], const int number[NAMED], struct grid kind[RECOMPUTE_KINDS])
{
	for (int s = 0; s < STAGES; s++) {
		unsigned last = ~0u;

		kind[RECOMPUTE_FULL].at[s] = below(3);
		for (int tries = 0; tries < 6; tries++) {
			int k = below(NAMED);

			if ((set[k] & last) != set[k] || set[k] == last)
				continue;
			kind[number[k]].at[s] = 1 + below(3);
			last = set[k];
		}
		kind[RECOMPUTE_NONE].at[s] = below(3);
	}
}

int
main(void)
{
	int same_counts = 0, several = 0;

	for (int n = 0; n < CASES; n++) {
		unsigned set[NAMED];
		struct records all = draw_kinds(set);
		struct pattern_sets sets = pattern_sets_of(&all);
		struct grid kind[RECOMPUTE_KINDS], back[RECOMPUTE_KINDS], layers = grid_new(1, STAGES), full;
		struct place at = { "test", 0 };
		struct pattern_lists lists, read;
		struct training t;
		int number[NAMED], used = 0;
		bool good = true;

		for (int k = 0; k < NAMED; k++)
			number[k] = recompute_kind(all.at[k].operators.name, at);
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			kind[k] = grid_new(1, STAGES);
		draw_counts(set, number, kind);
		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			used += k >= RECOMPUTE_BUILT_IN && grid_sum(kind[k]) > 0;
			for (int s = 0; s < STAGES; s++)
				layers.at[s] += kind[k].at[s];
		}
		several += used > 1;
		lists = pattern_lists_new(&sets, kind);
		full = kind[RECOMPUTE_FULL];
		t = written(&lists, full, at);
		read = pattern_lists_read(&sets, &t, layers);
		good &= pattern_lists_equal(&lists, &read);
		pattern_lists_kinds(&read, full, layers, back, at);
		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			good &= memcmp(kind[k].at, back[k].at, STAGES * sizeof(int)) == 0;
			free(back[k].at);
		}
		same_counts += good;
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			free(kind[k].at);
		free(layers.at);
		pattern_lists_free(&lists);
		pattern_lists_free(&read);
		training_free(&t);
		records_free(&all);
	}
	same(CASES, same_counts, "written, parsed and read as the counts they were made of");
	ok(several > CASES / 2, "several kinds at once");
	return tap_done();
}
