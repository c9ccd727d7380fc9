#include "log.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"
#include "lib/base/part.h"
#include "lib/base/plain.h"
#include "lib/base/slurp.h"
#include "rank_lines.h"

enum { TIMERS_MAX = 1000, NAME_MAX_LENGTH = 80, RANK_MAX = 10000000, STAGE_MAX = 9999, ROWS_MAX = 10000000 };
enum { BLOCK_NONE, BLOCK_LEAST_MOST, BLOCK_MOST, BLOCK_RANKS };
static const double longest = 1e12;	/* ms */

/* Return the number after blanks at *AT, and advance *AT; negative: none. */
static double
number(const char **at, const char *end)
{
	*at = part_skip(*at, end, " \t");
	return part_real(at, end, longest);
}

static long
whole(const char **at, const char *end, long max)
{
	*at = part_skip(*at, end, " \t");
	return part_whole(at, end, max);
}

int
log_timer(const struct log *l, const char *name)
{
	for (int i = 0; i < l->timers; i++)
		if (strcmp(l->timer[i], name) == 0)
			return i;
	return -1;
}

/* Return the index of the timer with this name in a log; -1: the text is not a name. */
static int
timer_of(struct log *l, struct part name)
{
	char *copy;
	int i;

	name.at = part_skip(name.at, name.end, " \t");
	while (name.end > name.at &&
	    (isspace((unsigned char)name.end[-1]) || name.end[-1] == '.' || name.end[-1] == ':'))
		name.end--;
	if (name.end == name.at || name.end - name.at > NAME_MAX_LENGTH || !isalpha((unsigned char)*name.at))
		return -1;
	for (const char *p = name.at; p < name.end; p++)
		if (!isalnum((unsigned char)*p) && *p != '-' && *p != '_' && *p != ' ' && *p != '/')
			return -1;
	copy = xstrndup(name.at, (size_t)(name.end - name.at));
	i = log_timer(l, copy);
	if (i >= 0 || l->timers == TIMERS_MAX) {
		free(copy);
		return i;
	}
	*APPEND(l->timer, l->timers) = copy;
	return l->timers - 1;
}

static void
add_to(struct log *l, int row, int timer, int rank, double time)
{
	if (timer < 0 || time < 0 || row < 0)
		return;
	*APPEND(l->sample, l->samples) = (struct log_sample){ timer, rank, row, time };
}

/* Add a time to the last iteration. */
static void
add(struct log *l, int timer, int rank, double time)
{
	add_to(l, l->rows - 1, timer, rank, time);
}

/* Return the number of the iteration in a line: "iteration 200/ 1000", "step:[ 10/ 6500]", "step: 12"; -1: none. */
static long
iteration(struct part line)
{
	static const char *const words[] = { "iteration", "step:[", "global_step", "step:", "steps:" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		const char *p = part_find(line, words[i]);
		long n;

		if (p == NULL)
			continue;
		p += strlen(words[i]);
		p = part_skip(p, line.end, ":= [");
		if ((n = whole(&p, line.end, 2000000000)) >= 0)
			return n;
	}
	return -1;
}

/* Parse a line with the time of an iteration, which a mean may follow. Return false if it is another line. */
static bool
elapsed(struct log *l, struct part line, struct place at)
{
	static const struct { const char *words; double ms; } forms[] = {
		{ "elapsed time per iteration (ms):", 1 },
		{ "per_step_time:", 1 },
		{ "train_step_timing in s:", 1000 }, { "train_step_timing in s=", 1000 },
		{ "iter time (s):", 1000 },	/* DeepSpeed */
	};

	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		const char *p = part_find(line, forms[i].words);
		double time;

		if (p == NULL)
			continue;
		p += strlen(forms[i].words);
		time = number(&p, line.end) * forms[i].ms;
		if (time <= 0) {
			place_warn(at, "'%s' without a time: line ignored", forms[i].words);
			return true;
		}
		if (l->rows == ROWS_MAX)
			place_die(at, "more than %d iterations", ROWS_MAX);
		*APPEND(l->row, l->rows) = (struct log_row){ iteration(line), time, at };
		return true;
	}
	return false;
}

/* Return the number after WORD in a line, at most MAX; -1 if absent. */
static long
said(struct part line, const char *word, long max)
{
	const char *p = part_find(line, word);

	if (p == NULL)
		return -1;
	p += strlen(word);
	return whole(&p, line.end, max);
}

/* Parse DeepSpeed's "RANK=2 STAGE=1 LAYERS=3 [4, 7)" and "CONFIG: micro_batches=16 micro_batch_size=1". */
static bool
pipeline_line(struct log *l, struct part line)
{
	long stage = part_find(line, "LAYERS=") != NULL ? said(line, "STAGE=", STAGE_MAX) : -1;
	long micro = part_find(line, "CONFIG:") != NULL ? said(line, "micro_batches=", RANK_MAX) : -1, rank;

	if (stage >= l->stages)
		l->stages = (int)stage + 1;
	if (stage == 1 && (rank = said(line, "RANK=", RANK_MAX)) > 0)
		l->each = (int)rank;
	if (micro > 0)
		l->micro = (int)micro;
	return stage >= 0 || micro > 0;
}

/* Return the name that Megatron-LM gives to a timer of DeepSpeed. */
static struct part
called(struct part name)
{
	static const struct { const char *from, *to; } names[] = {
		{ "forward", "forward-compute" }, { "backward_inner", "backward-compute" }, { "step", "optimizer" },
		{ "reduce_grads", "grads-all-reduce" }, { "reduce_tied_grads", "embedding-grads-all-reduce" },
	};

	name.at = part_skip(name.at, name.end, " \t");
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if ((size_t)(name.end - name.at) == strlen(names[i].from) &&
		    memcmp(name.at, names[i].from, strlen(names[i].from)) == 0)
			return (struct part){ names[i].to, names[i].to + strlen(names[i].to) };
	return name;
}

/*
 * Parse "time (ms) | forward-compute: 175.99 | forward-recv: 126.34 | ...". DeepSpeed's line "rank=0 time (ms) |
 * forward: 519.08 | ..." precedes the line of the iteration. Its times are sums over the iterations since the last such
 * line.
 */
static bool
one_line(struct log *l, struct part line)
{
	const char *p = part_find(line, "time (ms) |"), *bar;
	long rank = said(line, "rank=", RANK_MAX);

	if (p == NULL)
		return false;
	for (p = memchr(p, '|', (size_t)(line.end - p)); p != NULL && p < line.end; p = bar) {
		const char *colon;

		p++;
		bar = memchr(p, '|', (size_t)(line.end - p));
		bar = bar != NULL ? bar : line.end;
		colon = memchr(p, ':', (size_t)(bar - p));
		if (colon != NULL) {
			const char *after = colon + 1;

			struct part name = { p, colon };

			if (rank >= 0)
				add_to(l, l->rows, timer_of(l, called(name)), (int)rank, number(&after, bar));
			else
				add(l, timer_of(l, name), LOG_LAST, number(&after, bar));
		}
	}
	return true;
}

static bool
heading(struct log *l, struct part line)
{
	if (part_find(line, "(min, max) time across ranks (ms)") != NULL)
		l->block = BLOCK_LEAST_MOST;
	else if (part_find(line, "max time across ranks (ms)") != NULL)
		l->block = BLOCK_MOST;
	else if (part_find(line, "times across ranks (ms)") != NULL)
		l->block = BLOCK_RANKS;
	else
		return false;
	l->current = -1;
	return true;
}

/* Return the text after the label of a launcher's task, "3: ". */
static const char *
behind_label(struct part line)
{
	const char *p = line.at;

	while (p < line.end && isdigit((unsigned char)*p))
		p++;
	return p > line.at && p < line.end && *p == ':' ? p + 1 : line.at;
}

/*
 * Parse a line of a block: "    forward-backward ...........: (585.85, 608.02)" or "     rank  0: 12.3". Return false
 * at the end of the block.
 */
static bool
block_line(struct log *l, struct part line)
{
	const char *colon = memrchr(line.at, ':', (size_t)(line.end - line.at)), *p, *v;
	struct part name;
	double least, most;
	int timer;

	line.at = behind_label(line);
	p = part_skip(line.at, line.end, " \t");
	if (colon == NULL || p == line.at || colon < p)
		return false;
	name = (struct part){ p, colon };
	v = part_skip(colon + 1, line.end, " \t");
	if (l->block == BLOCK_RANKS && (size_t)(line.end - p) > 5 && memcmp(p, "rank ", 5) == 0) {
		long rank;

		p += 5;
		rank = whole(&p, colon, RANK_MAX);
		if (rank < 0 || l->current < 0)
			return false;
		add(l, l->current, (int)rank, number(&v, line.end));
		return true;
	}
	timer = timer_of(l, name);
	if (timer < 0)
		return false;
	if (l->block == BLOCK_RANKS) {
		l->current = timer;
		return part_skip(v, line.end, " \t") == line.end;
	}
	if (l->block == BLOCK_LEAST_MOST) {
		if (v == line.end || *v != '(')
			return false;
		v++;
		least = number(&v, line.end);
		if (v == line.end || *v != ',')
			return false;
		v++;
		add(l, timer, LOG_LEAST, least);
	}
	most = number(&v, line.end);
	add(l, timer, LOG_MOST, most);
	return most >= 0;
}

bool
log_begins(struct scan *s)
{
	char c = scan_peek(s);
	const char *p = s->at + 1;

	if (c == '\0' || c == '{' || byte_order_mark(s->at, (size_t)(s->end - s->at)) > 0)
		return false;
	if (c != '[')
		return true;
	while (scan_is_space(*p))
		p++;
	/* Lines such as "[Rank 3] ..." and "[2026-05-07 13:09:44] ..." do not begin a list of events. */
	return *p != '{' && *p != ']' && *p != '\0';
}

/* Drop timers of ranks after the last iteration. Divide timers over several iterations by their number. */
static void
close_rows(struct log *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->samples; i++) {
		struct log_sample s = l->sample[i];
		long now, before;

		if (s.row >= l->rows)
			continue;
		now = l->row[s.row].iteration;
		before = s.row > 0 ? l->row[s.row - 1].iteration : 0;
		if (l->stages > 0 && now > before && before >= 0)
			s.time /= (double)(now - before);
		l->sample[n++] = s;
	}
	l->samples = n;
}

bool
log_read(struct log *l, struct scan *s, struct operations *operations)
{
	size_t before = operations->n;
	struct place at = { s->place.source, 0 };
	const char *text;
	char *copy = NULL;
	size_t n, room = 0;
	int none;

	*l = (struct log){ .source = xstrdup(s->place.source), .current = -1 };
	peaklog_path(l->source, &l->stage, &l->rank, &none);
	at.source = l->source;
	while ((text = scan_line(s, &n)) != NULL) {
		struct part line;

		at.line++;
		if (n + 1 > room)
			copy = xreallocarray(copy, room = 2 * n + 1, 1);
		memcpy(copy, text, n);
		n = plain_text(copy, n);
		line = (struct part){ copy, copy + n };
		if (rank_line(operations, copy, n, s, at))
			continue;
		/* Arguments are listed before the first step. */
		if (l->rows == 0)
			listed_line(&l->listed, copy, n);
		/* Other lines with peaks do not name the stage. */
		if (part_find(line, "memory (MB)") != NULL)
			peaklog_line(&l->peaks, copy, n, l->source, at);
		if (pipeline_line(l, line) || elapsed(l, line, at) || one_line(l, line) || heading(l, line))
			continue;
		if (l->block != BLOCK_NONE && block_line(l, line))
			continue;
		l->block = BLOCK_NONE;
	}
	listed_end(&l->listed);
	if (l->listed.pipeline) {
		started_list(&l->started, l->listed.text, l->source);
		launch_of_started(&l->launch, &l->started);
	}
	close_rows(l);
	free(copy);
	if (operations->n > before)
		operations_source(operations, l->source);
	return l->rows > 0 || l->peaks.n > 0 || operations->n > before;
}

double
log_time(const struct log *l, int timer, int rank)
{
	double *x, m = -1;
	size_t n = 0;

	if (timer < 0)
		return -1;
	x = xcalloc(l->samples, sizeof *x);
	for (size_t i = 0; i < l->samples; i++)
		if (l->sample[i].timer == timer && l->sample[i].rank == rank && l->row[l->sample[i].row].elapsed > 0)
			x[n++] = l->sample[i].time;
	if (n > 0)
		m = numbers_median(x, n);
	free(x);
	return m;
}

static const double differ = 1.2;	/* ratio of times of iterations */

/* Return the number of first iterations to leave out: two of many, or the first of few if it is slow. */
static int
unsteady(const struct log *l)
{
	double most = 0;

	for (int i = 1; i < l->rows; i++)
		most = fmax(most, l->row[i].elapsed);
	return l->rows >= STEADY_MINIMUM ? UNSTEADY_STEPS : l->rows > 1 && l->row[0].elapsed > differ * most;
}

double
log_choose(struct log *l, struct step_range asked)
{
	double *x = xcalloc((size_t)l->rows, sizeof *x), usual;
	int n = 0, far = 0, skip = unsteady(l);

	for (int i = 0; i < l->rows; i++) {
		bool keep = asked.given && !asked.all ? i >= asked.from && i <= asked.to
		    : asked.all || i >= skip;

		if (keep)
			x[n++] = l->row[i].elapsed;
		else
			l->row[i].elapsed = 0;	/* left out */
	}
	if (n == 0)
		place_die((struct place){ l->source, 0 },
		    "-steps: the log has %d lines with the time of an iteration, counted from 0", l->rows);
	usual = numbers_median(x, (size_t)n);
	for (int i = 0; i < n; i++)
		far += x[i] > differ * usual || x[i] < usual / differ;
	if (far > 0)
		place_warn((struct place){ l->source, 0 },
		    "%d of %d times of an iteration differ by more than 20 %% from their median of %.1f ms, from %.1f "
		    "to %.1f ms: medians are used", far, n, usual, x[0], x[n - 1]);
	free(x);
	return usual;
}

void
log_free(struct log *l)
{
	for (int i = 0; i < l->timers; i++)
		free(l->timer[i]);
	free(l->timer);
	free(l->sample);
	free(l->row);
	started_free(&l->started);
	launch_free(&l->launch);
	listed_free(&l->listed);
	peaklog_free(&l->peaks);
	free(l->source);
	*l = (struct log){ 0 };
}
