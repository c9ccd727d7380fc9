/* sapp-top: find the best of many estimates. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/status.h"
#include "lib/estimate/ranking.h"
#include "lib/record/line.h"
#include "lib/record/record.h"
#include "table.h"

static const char usage[] =
"usage: sapp-top [-hVvjH] [-k n] [-by member] [-alike percent] [-all] [-csv] [file ...]\n"
"example: sapp-top -k 10 estimates.jsonl\n";

/* Members by which estimates can be ranked, and whether larger is better. */
static const struct {
	const char *name;
	double sign;
} members[] = {
	{ "step_time", 1 }, { "lower_bound", 1 }, { "memory", 1 }, { "tokens_per_second", -1 }, { "mfu", -1 },
	{ "low", 1 }, { "high", 1 },
};
enum { BY_LOWER_BOUND = 1, BY_LOW = 5, BY_HIGH };
static const char *const member_names[] = { "step_time", "lower_bound", "memory", "tokens_per_second", "mfu", "low",
	"high", NULL };

static double
key(const struct prediction *p, int by)
{
	const double value[] = { p->step_time, p->lower_bound, prediction_peak(p), p->tokens_per_second, p->mfu,
		p->low, p->high };

	return members[by].sign * value[by];
}

struct top {
	int by;
	bool all;		/* whether to include estimates that do not fit */
	struct ranking ranking;	/* ranking of struct kept_candidate */
	long seen, fitting;
	struct record candidate;	/* the last candidate, which its estimate may follow */
	bool have_candidate;
};

/* Return the candidate of an estimate, as it was read, or made from the estimate. */
static struct kept_candidate
keep(struct top *t, const struct record *r)
{
	struct kept_candidate k = { .estimate = xstrdup(r->text) };

	if (t->have_candidate)
		k.candidate = xstrdup(t->candidate.text);
	return k;
}

static void
offer(struct top *t, const struct record *r)
{
	struct kept_candidate *slot;
	const struct prediction *p = &r->estimate;
	struct rank rank = rank_of(&p->of, p->step_time, p->lower_bound, p->fits);

	t->seen++;
	t->fitting += r->estimate.fits;
	if (!r->estimate.fits && !t->all)
		return;
	if ((t->by == BY_LOW && !GIVEN(prediction, p, low)) || (t->by == BY_HIGH && !GIVEN(prediction, p, high)))
		place_die(r->place, "estimate: -by %s: no such member in it", members[t->by].name);
	rank.key = key(p, t->by);
	slot = ranking_offer(&t->ranking, &rank);
	if (slot != NULL)
		*slot = keep(t, r);
}

static void
drop(void *candidate)
{
	struct kept_candidate *k = candidate;

	free(k->candidate);
	free(k->estimate);
}

/* Add the names of the other candidates of a row, and of those that they stand for, to the simplest candidate. */
static void
tell_alike(struct ranking *r, size_t row)
{
	struct kept_candidate *simplest = ranking_at(r, row, 0);
	struct prediction p;
	struct line line = { 0 };

	if (ranking_members(r, row) == 1)
		return;
	p = table_parse(simplest);
	for (size_t k = 1; k < ranking_members(r, row); k++) {
		struct prediction other = table_parse(ranking_at(r, row, k));
		const struct alike *a = other.alike.at;

		ranking_tell(&p, &other.of, other.of.name);
		for (int i = 0; i < other.alike.n; i++)
			*(struct alike *)array_add(&alike_fields, &p.alike) = a[i];
		other.alike.n = 0;
		fields_free(&prediction_fields, &other);
	}
	line_print(&line, "estimate", &prediction_fields, &p);
	free(simplest->estimate);
	simplest->estimate = xstrndup(line.at, line.length - 1);
	line_free(&line);
	fields_free(&prediction_fields, &p);
}

static void
read_all(struct top *t, char *const operands[], bool pass)
{
	struct reader in;
	struct record r;

	reader_open(&in, operands, RECORDS(RECORD_CANDIDATE) | RECORDS(RECORD_ESTIMATE));
	while (reader_next(&in, &r)) {
		if (r.kind == RECORD_CANDIDATE) {
			if (t->have_candidate)
				record_free(&t->candidate);
			t->candidate = r;
			t->have_candidate = true;
			continue;
		}
		if (r.kind == RECORD_ESTIMATE)
			offer(t, &r);
		else if (pass)
			record_write(stdout, &r);
		record_free(&r);
	}
	reader_close(&in);
	if (t->have_candidate)
		record_free(&t->candidate);
}

int
main(int argc, char *argv[])
{
	struct top t = { 0 };
	const struct kept_candidate **kept;
	size_t n;
	int k = 10;
	double alike = -1;
	bool csv = false, report;
	const struct option_row options[] = {
		{ "k", "N", "keep the best N (10)", .whole = &k, .min = 1, .max = 10000000 },
		{ "by", "MEMBER", "rank by this member (step_time)", .choice = &t.by, .names = member_names },
		{ "alike", "PERCENT", "merge estimates that differ by less into one row (0.05; 0: never)",
			.real = &alike, .min = 0, .max = 100 },
		{ "all", NULL, "also rank estimates that do not fit", .flag = &t.all },
		{ "csv", NULL, "print a table as CSV", .flag = &csv },
		{ 0 }
	};
	char **operands = options_take(argc, argv, usage, options);

	t.ranking = ranking_new((size_t)k, alike >= 0 ? alike / 100 : t.by == BY_LOWER_BOUND ? 0 : RANKING_ALIKE,
	    sizeof(struct kept_candidate), drop);
	report = option_report();
	read_all(&t, operands, !csv && !report);
	ranking_finish(&t.ranking);
	for (size_t i = 0; i < t.ranking.nrows; i++)
		tell_alike(&t.ranking, i);
	n = t.ranking.nrows;
	kept = xcalloc(n + 1, sizeof *kept);
	for (size_t i = 0; i < n; i++)
		kept[i] = ranking_at(&t.ranking, i, 0);
	if (csv)
		table_csv(stdout, kept, n);
	else if (report)
		table_report(stdout, kept, n);
	else
		table_records(stdout, kept, n);
	if (n == 0)
		warnx(t.seen == 0 ? "no estimate record in the input"
		    : "none of %ld estimates fits into memory; -all ranks them anyway", t.seen);
	free(kept);
	ranking_free(&t.ranking);
	stdout_close();
	return n > 0 ? STATUS_ANSWERED : STATUS_NO_ANSWER;
}
