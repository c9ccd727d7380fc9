/* Test the conversion of the lists of a YAML to layer counts, and back. */
#include <stdlib.h>

#include "lib/yaml/settings.h"
#include "tap.h"

static const struct place here = { "t.yaml", 3 };

static struct grid
list(const char *text, int chunks, int stages, const struct grid *layers)
{
	struct yaml *y = yaml_parse(text, strlen(text), "t.yaml");
	struct grid g = settings_list(y, "list", chunks, stages, layers);

	yaml_release(y);
	return g;
}

static bool
is(struct grid g, const char *want)
{
	char text[256] = "";

	for (int i = 0; i < g.chunks * g.stages; i++)
		sprintf(text + strlen(text), " %d", g.at[i]);
	free(g.at);
	if (strcmp(text, want) != 0)
		printf("# expected %s\n# got      %s\n", want, text);
	return strcmp(text, want) == 0;
}

static void
lists(void)
{
	int six[] = { 1, 2, 3, 4, 5, 6 };
	struct grid layers = { 1, 4, six }, two = { 2, 3, six };

	ok(is(list("[1, 0, 2, 3]", 1, 4, &layers), " 1 0 2 3"), "a list per stage");
	ok(is(list("[[1, 0, 2, 3]]", 1, 4, &layers), " 1 0 2 3"), "a list of one list");
	ok(is(list("0", 1, 4, &layers), " 0 0 0 0"), "0");
	ok(is(list("False", 1, 4, &layers), " 0 0 0 0"), "False");
	ok(is(list("true", 1, 4, &layers), " 1 2 3 4"), "true is every layer");
	ok(is(list("[[1, 2, 3], true]", 2, 3, &two), " 1 2 3 4 5 6"), "a truth value for a chunk");
	ok(is(list("[-1, 1, 0]", 1, 3, NULL), " -1 1 0"), "offsets may be negative");
	ok(is(settings_list(NULL, "x", 1, 3, &layers), " 0 0 0"), "no list is none");
	DIES("t.yaml:1: list: 10 numbers, but the pipeline has 8 stages",
	    list("[1,1,1,1,1,1,1,1,1,1]", 1, 8, &layers), "10 for 8 stages");
	DIES("3 numbers, but the pipeline has 4", list("[1, 2, 3]", 1, 4, &layers), "3 for 4 stages");
	DIES("list: expected 0, false, true, or a list of 4 numbers", list("5", 1, 4, &layers),
	    "a number that is not 0");
	DIES("expected a whole number", list("[1, 2, x, 4]", 1, 4, &layers), "a word in the list");
	DIES("not between 0 and", list("[1, 2, -1, 4]", 1, 4, &layers), "a negative number of layers");
	DIES("'true'", list("true", 1, 4, NULL), "true for offsets");
	DIES("expected 2 lists of 3 numbers, one list per chunk", list("[1, 2, 3]", 2, 3, &two),
	    "a flat list for two chunks");
	DIES("3 lists, but a stage has 2 chunks", list("[[1,2,3],[1,2,3],[1,2,3]]", 2, 3, &two),
	    "three lists for two chunks");
	DIES("not a map", list("{a: 1}", 1, 4, &layers), "a map");
}

static struct settings
settings(int chunks, int stages, int *o, int *f, int *a, int *c)
{
	return (struct settings){ { chunks, stages, o }, { chunks, stages, f }, { chunks, stages, a },
		{ chunks, stages, c } };
}

static void
counts(void)
{
	int o[] = { 0, 1, -1, 0 }, f[] = { 1, 0, 0, 2 }, a[] = { 2, 3, 0, 2 }, c[] = { 3, 1, 2, 2 };
	int high[] = { 0, 9, 0, 0 }, bad[] = { 0, 1, -2, 0 }, deep[] = { 0, 9, -9, 0 };
	struct settings s = settings(1, 4, o, f, a, c), back;
	struct grid kind[RECOMPUTE_KINDS];

	settings_to_counts(&s, 20, kind, here);
	same(5 - 1 - 1 - 1, kind[RECOMPUTE_NONE].at[0], "none on stage 0");
	same(1, kind[RECOMPUTE_FULL].at[0], "full on stage 0");
	same(1, kind[RECOMPUTE_BOTH].at[0], "both on stage 0");
	same(1, kind[RECOMPUTE_COMM].at[0], "comm on stage 0");
	same(2, kind[RECOMPUTE_SELECT].at[1], "select on stage 1");
	same(1, kind[RECOMPUTE_BOTH].at[1], "both on stage 1");
	same(2, kind[RECOMPUTE_COMM].at[2], "comm on stage 2");
	same(3, kind[RECOMPUTE_NONE].at[3], "fully recomputed layers count once");
	back = settings_from_counts(kind, 20);
	ok(memcmp(back.offset.at, o, sizeof o) == 0 && memcmp(back.recompute.at, f, sizeof f) == 0 &&
	    memcmp(back.select_recompute.at, a, sizeof a) == 0 &&
	    memcmp(back.select_comm_recompute.at, c, sizeof c) == 0, "and back");
	settings_free(&back);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(kind[k].at);

	s = settings(1, 4, o, f, high, c);
	DIES("t.yaml:3: 9 layers are recomputed on stage 1, which has only 6",
	    settings_to_counts(&s, 20, kind, here), "more recomputed than there are");
	s = settings(1, 4, bad, f, a, c);
	DIES("offsets have the sum -1, not 0", settings_layers(&s, 20, here), "offsets that do not sum up");
	s = settings(1, 4, deep, f, a, c);
	DIES("offset -9 on stage 2", settings_layers(&s, 20, here), "fewer than no layers");
	s = settings(2, 2, o, f, high, c);
	DIES("in chunk 0 on stage 1", settings_to_counts(&s, 20, kind, here), "the chunk is named");
	s.recompute.chunks = 1;
	DIES("recompute has 1 x 2 entries", settings_to_counts(&s, 20, kind, here), "shapes that differ");
}

/* Disjoint counts are converted to lists and back to the same counts, unless a piece has both select and comm. */
static void
round_trip(void)
{
	unsigned seed = 1;
	bool good = true;

	for (int trial = 0; trial < 2000; trial++) {
		int n[RECOMPUTE_KINDS][6] = { { 0 } }, layers = 0;
		struct grid kind[RECOMPUTE_KINDS], again[RECOMPUTE_KINDS];
		struct settings s;

		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			kind[k] = (struct grid){ 2, 3, n[k] };
			/* No list expresses the other kinds. */
			for (int i = 0; i < 6 && k < RECOMPUTE_BUILT_IN; i++)
				layers += n[k][i] = (int)((seed = seed * 1103515245u + 12345) >> 16) % 4;
		}
		for (int i = 0; i < 6; i++)
			if (n[RECOMPUTE_SELECT][i] > 0) {
				layers -= n[RECOMPUTE_COMM][i];
				n[RECOMPUTE_COMM][i] = 0;
			}
		s = settings_from_counts(kind, layers);
		settings_to_counts(&s, layers, again, here);
		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			good &= memcmp(again[k].at, n[k], sizeof n[k]) == 0;
			free(again[k].at);
		}
		settings_free(&s);
	}
	ok(good, "2000 random counts, to lists and back");
}

/* Test the division of layer counts among several bodies, in the order of the data. */
static void
dealt(void)
{
	int none[] = { 1, 0, 2, 1 }, full[] = { 1, 2, 0, 1 }, zero[] = { 0, 0, 0, 0 };
	struct grid kind[RECOMPUTE_KINDS] = { [RECOMPUTE_NONE] = { 1, 4, none }, [RECOMPUTE_SELECT] = { 1, 4, zero },
	    [RECOMPUTE_COMM] = { 1, 4, zero }, [RECOMPUTE_BOTH] = { 1, 4, zero }, [RECOMPUTE_FULL] = { 1, 4, full } };
	struct grid out[3][RECOMPUTE_KINDS];
	int back[] = { 3, 2, 1, 0 };

	settings_deal(kind, recompute_costly_first, NULL, 3, (int[]){ 1, 4, 3 }, out);
	same(1, out[0][RECOMPUTE_FULL].at[0], "the first layer of a piece is recomputed");
	ok(out[0][RECOMPUTE_NONE].at == NULL, "a kind that a body does not have");
	same(1, out[1][RECOMPUTE_NONE].at[0], "the second body begins in the first piece");
	same(2, out[1][RECOMPUTE_FULL].at[1], "goes on");
	same(1, out[1][RECOMPUTE_NONE].at[2], "and ends in the third");
	same(1, out[2][RECOMPUTE_NONE].at[2], "where the third begins");
	same(1, out[2][RECOMPUTE_FULL].at[3], "and goes to the end");
	for (int b = 0; b < 3; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			free(out[b][k].at);
	settings_deal(kind, recompute_costly_first, back, 2, (int[]){ 2, 6 }, out);
	same(1, out[0][RECOMPUTE_NONE].at[3], "another order of the pieces");
	same(2, out[1][RECOMPUTE_NONE].at[2], "to its end");
	same(1, out[1][RECOMPUTE_FULL].at[0], "the first piece is the last");
	for (int b = 0; b < 2; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			free(out[b][k].at);
}

int
main(void)
{
	lists();
	dealt();
	counts();
	round_trip();
	return tap_done();
}
