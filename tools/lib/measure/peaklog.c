#include "peaklog.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/part.h"

enum { MAX_RANK = 100000000 };
const char *const peaklog_phrases[] = {
	[PEAK_ACTUAL] = "Actual peak memory usage",
	[PEAK_USED] = "Used peak memory usage",
};
static const double max_memory = 1e9;	/* MB; a larger peak is an error */

static bool
starts(struct part t, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(t.end - t.at) >= n && strncasecmp(t.at, word, n) == 0;
}

/* Return the number in a path component "WORD_12", "WORD-12" or "WORD12"; -1: absent. */
static int
numbered(struct part component, const char *word)
{
	struct part t = component;

	for (; t.at < t.end; t.at++) {
		const char *p;
		long n;

		if (!starts(t, word) || (t.at > component.at && isalnum((unsigned char)t.at[-1])))
			continue;
		p = t.at + strlen(word);
		if (p < t.end && (*p == '_' || *p == '-'))
			p++;
		n = part_whole(&p, t.end, MAX_RANK);
		if (n >= 0 && (p == t.end || !isalnum((unsigned char)*p)))
			return (int)n;
	}
	return -1;
}

/* Get stage, rank and round from a path. The component nearest to the file's name counts. */
static void
path_numbers(struct part path, int *stage, int *rank, int *round)
{
	const char *end = path.end;

	*stage = *rank = *round = -1;
	while (end > path.at) {
		const char *from = end;
		struct part component;

		while (from > path.at && from[-1] != '/')
			from--;
		component = (struct part){ from, end };
		if (*stage < 0 && *rank < 0) {
			*stage = numbered(component, "stage");
			*rank = numbered(component, "rank");
			/* msrun writes worker_3.log. */
			if (*rank < 0)
				*rank = numbered(component, "worker");
			/* NeMo writes nemo_log_globalrank-3_localrank-3.txt. */
			if (*rank < 0)
				*rank = numbered(component, "globalrank");
		}
		if (*round < 0)
			*round = numbered(component, "round");
		end = from > path.at ? from - 1 : from;
	}
}

void
peaklog_path(const char *path, int *stage, int *rank, int *round)
{
	path_numbers(part_of(path), stage, rank, round);
}

static bool
same_path(const char *a, struct part b)
{
	return a == NULL ? b.at == NULL
	    : b.at != NULL && strlen(a) == (size_t)(b.end - b.at) && memcmp(a, b.at, strlen(a)) == 0;
}

static struct peaklog_entry *
entry_add(struct peaklog *log, int stage, int rank, int round)
{
	struct peaklog_entry *e = APPEND(log->at, log->n);

	*e = (struct peaklog_entry){ .stage = stage, .rank = rank, .round = round };
	return e;
}

static struct peaklog_entry *
entry_of(struct peaklog *log, struct part path, int stage, int rank, int round)
{
	struct peaklog_entry *e;

	for (int i = log->n; i-- > 0;) {
		e = &log->at[i];
		if (e->stage == stage && e->rank == rank && e->round == round && same_path(e->path, path))
			return e;
	}
	e = entry_add(log, stage, rank, round);
	if (path.at != NULL)
		e->path = xstrndup(path.at, (size_t)(path.end - path.at));
	return e;
}

static void
entry_set(struct peaklog_entry *e, enum peak_which which, double memory, long line, struct place at)
{
	/*
	 * The output of grep -n may be sorted, so the last line in the log counts, and not the last line in the stream.
	 */
	if (e->has[which] && line < e->line)
		return;
	e->has[which] = true;
	e->memory[which] = memory;
	e->line = line;
	e->place = at;
}

/* Return the path that grep printed as "path:" or "path:12:", if it names a stage or a rank. */
static struct part
grep_prefix(struct part line, long *number_in_log)
{
	struct part path = { line.at, memchr(line.at, ':', (size_t)(line.end - line.at)) };
	int stage, rank, round;
	const char *p;

	*number_in_log = 0;
	/* "[rank0]: ..." is a prefix of the launcher, not a path. */
	if (path.end == NULL || *path.at == '[')
		return (struct part){ NULL, NULL };
	path_numbers(path, &stage, &rank, &round);
	/* Tools that run commands on many hosts print the host first: "node01: stage_0_rank_0/...". */
	if (stage < 0 && rank < 0 && path.end + 1 < line.end && path.end[1] == ' ') {
		path.at = path.end + 1;
		while (path.at < line.end && *path.at == ' ')
			path.at++;
		path.end = memchr(path.at, ':', (size_t)(line.end - path.at));
		if (path.end == NULL)
			return (struct part){ NULL, NULL };
		path_numbers(path, &stage, &rank, &round);
	}
	if (stage < 0 && rank < 0)
		return (struct part){ NULL, NULL };
	p = path.end + 1;
	*number_in_log = part_whole(&p, line.end, INT32_MAX);
	if (*number_in_log < 0 || p == line.end || *p != ':')
		*number_in_log = 0;
	return path;
}

/* Return the rank that begins a line, such as "[rank3]: ..."; -1: none. */
static int
rank_of_line(struct part line)
{
	for (const char *p = line.at; p < line.end; p++)
		if (*p == '[' && starts((struct part){ p + 1, line.end }, "rank")) {
			long n;

			p += 5;
			p = part_skip(p, line.end, " ");
			n = part_whole(&p, line.end, MAX_RANK);
			if (n >= 0 && p < line.end && *p == ']')
				return (int)n;
		}
	return -1;
}

/* Read "... memory usage (with fragments): 48874M". Return whether the line has it. */
static bool
mindspore(struct peaklog *log, struct part line, struct part path, long number_in_log, struct place at)
{
	bool any = false;

	for (int which = 0; which < 2; which++) {
		const char *p = part_find(line, peaklog_phrases[which]);
		int stage, rank, round;
		double memory;

		if (p == NULL)
			continue;
		while (p < line.end && *p != ':')
			p++;
		p = part_skip(p, line.end, ": \t");
		memory = part_real(&p, line.end, max_memory);
		if (memory <= 0 || memory > max_memory || p == line.end || *p != 'M') {
			place_warn(at, "'%s' without a number of megabytes: line ignored", peaklog_phrases[which]);
			continue;
		}
		path_numbers(path, &stage, &rank, &round);
		rank = stage < 0 && rank < 0 ? rank_of_line(line) : rank;
		if (stage < 0 && rank < 0)
			place_die(at, "a peak of %gM of an unknown stage: no stage_S or rank_R in the path%s%.*s%s",
			    memory, path.at != NULL ? " '" : "; use grep with -r or -H",
			    path.at != NULL ? (int)(path.end - path.at) : 0, path.at != NULL ? path.at : "",
			    path.at != NULL ? "'" : "");
		entry_set(entry_of(log, path, stage, rank, round), (enum peak_which)which, memory,
		    number_in_log, at);
		any = true;
	}
	return any;
}

/*
 * Read "[Rank 16] (after 2 iterations) memory (MB) | ... | max allocated: 2 | ... | max reserved: 4". A line may have
 * several of these. Return whether it has any.
 */
static bool
megatron(struct peaklog *log, struct part line, struct part path, long number_in_log, struct place at)
{
	static const char *const names[] = {
		[PEAK_ACTUAL] = "max reserved:",
		[PEAK_USED] = "max allocated:",
	};
	bool any = false;
	int stage, of_path, round;

	path_numbers(path, &stage, &of_path, &round);
	for (;;) {
		const char *p = part_find(line, "[Rank "), *next;
		struct part record;
		long rank;

		if (p == NULL)
			return any;
		p += strlen("[Rank ");
		line.at = p;
		rank = part_whole(&p, line.end, MAX_RANK);
		next = part_find(line, "[Rank ");
		record = (struct part){ p, next != NULL ? next : line.end };
		if (rank < 0 || part_find(record, "memory (MB)") == NULL)
			continue;
		for (int which = 0; which < 2; which++) {
			double memory = -1;
			struct peaklog_entry *e;

			if ((p = part_find(record, names[which])) != NULL) {
				p += strlen(names[which]);
				p = part_skip(p, record.end, " ");
				memory = part_real(&p, record.end, max_memory);
			}
			if (memory <= 0 || memory > max_memory) {
				place_warn(at, "rank %ld without a number of megabytes after '%s': line ignored",
				    rank, names[which]);
				continue;
			}
			e = entry_of(log, path, -1, (int)rank, round);
			if ((p = part_find(record, "| allocated:")) != NULL) {
				p += strlen("| allocated:");
				p = part_skip(p, record.end, " ");
				e->state = part_real(&p, record.end, max_memory);
			}
			entry_set(e, (enum peak_which)which, memory, number_in_log, at);
			any = true;
		}
	}
}

/* Return the MB of a number with a unit; negative: none. */
static double
with_unit(const char *p, const char *end)
{
	static const struct { const char *unit; double mb; } units[] = {
		{ "TiB", 1024 * 1024 }, { "TB", 1024 * 1024 }, { "GiB", 1024 }, { "GB", 1024 },
		{ "MiB", 1 }, { "MB", 1 },
		{ "KiB", 1.0 / 1024 }, { "KB", 1.0 / 1024 }, { "bytes", 1.0 / (1 << 20) }, { "B", 1.0 / (1 << 20) },
	};
	double x;

	p = part_skip(p, end, " :=");
	x = part_real(&p, end, HUGE_VAL);	/* may be large, since the unit may be bytes */
	p = part_skip(p, end, " ");
	for (size_t i = 0; x > 0 && i < sizeof units / sizeof units[0]; i++)
		if (starts((struct part){ p, end }, units[i].unit))
			return x * units[i].mb;
	return -1;
}

/* In torch.cuda.memory_summary(), a row has its name, current usage, then the peak. */
static const char *
peak_of_row(const char *p, const char *end)
{
	for (int bar = 0; bar < 2; bar++) {
		p = memchr(p, '|', (size_t)(end - p));
		if (p == NULL)
			return end;
		p++;
	}
	return p;
}

/*
 * Read the lines of PyTorch programs: torchtitan's "step: 10 ... memory: 40.24GiB(50.90%)" (reserved memory),
 * DeepSpeed's "Max_MA 12.3 GB ... Max_CA 15 GB", and lines with the names of PyTorch's functions.
 */
static bool
pytorch(struct peaklog *log, struct part line, struct part path, long number_in_log, struct place at)
{
	static const struct { const char *words; enum peak_which which; } forms[] = {
		{ "max_memory_allocated", PEAK_USED }, { "max memory allocated", PEAK_USED }, { "Max_MA", PEAK_USED },
		{ "max_memory_reserved", PEAK_ACTUAL }, { "max memory reserved", PEAK_ACTUAL },
		{ "Max_CA", PEAK_ACTUAL },
		{ " memory:", PEAK_ACTUAL },
		{ "| Allocated memory ", PEAK_USED }, { "PU reserved memory ", PEAK_ACTUAL },
	};
	enum { ROWS = 7 };	/* the rows of memory_summary() begin at this index */
	bool any = false;

	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		const char *p = part_find(line, forms[i].words);
		int stage, rank, round, own;
		double memory;

		if (p == NULL)
			continue;
		p += strlen(forms[i].words);
		memory = with_unit(i < ROWS ? p : peak_of_row(p, line.end), line.end);
		if (memory <= 0 || memory > max_memory ||
		    (forms[i].words[0] == ' ' && (part_find(line, "step:") == NULL || part_find(line, "iB(") == NULL)))
			continue;
		path_numbers(path, &stage, &rank, &round);
		own = rank_of_line(line);
		if (own >= 0) {
			stage = -1;
			rank = own;
		}
		/* Other lines may still have the peaks of all ranks. */
		if (stage < 0 && rank < 0) {
			log->astray = log->astray > 0 ? log->astray : memory;
			log->astray_at = log->astray_at.line > 0 ? log->astray_at : at;
			continue;
		}
		entry_set(entry_of(log, path, stage, rank, round), forms[i].which, memory, number_in_log, at);
		any = true;
	}
	return any;
}

/*
 * Read Megatron-LM's "using world size: 64, ..., pipeline-model-parallel size: 4" and "padded vocab (size: 50257)".
 * Also look for the argument with which the ranks of a stage are not consecutive.
 */
static void
world(struct peaklog *log, struct part line, struct place at)
{
	static const char *const names[] = { "using world size: ", "pipeline-model-parallel size: " };
	static const char vocabulary[] = "padded vocab (size: ";
	int *const numbers[] = { &log->world, &log->stages };
	const char *words = part_find(line, vocabulary);

	if (words != NULL) {
		words += strlen(vocabulary);
		log->vocabulary = (int)fmax(0, (double)part_whole(&words, line.end, 1 << 28));
	}
	if (part_find(line, " use_tp_pp_dp_mapping ..") != NULL && part_find(line, " True") != NULL)
		log->scattered = true;
	for (int i = 0; i < 2; i++) {
		const char *p = part_find(line, names[i]);
		long n;

		if (p == NULL)
			return;
		p += strlen(names[i]);
		n = part_whole(&p, line.end, MAX_RANK);
		*numbers[i] = n > 0 ? (int)n : 0;
	}
	log->world_at = at;
}

void
peaklog_astray(const struct peaklog *log)
{
	if (log->astray > 0 && log->n == 0)
		place_die(log->astray_at, "a peak of %gM of an unknown stage: no '[rankR]' in the line, and no stage_S "
		    "or rank_R in the path", log->astray);
	if (log->astray > 0)
		place_warn(log->astray_at, "a peak of %gM without a rank is ignored, as other lines have a rank",
		    log->astray);
}

bool
peaklog_line(struct peaklog *log, const char *text, size_t length, const char *source, struct place at)
{
	struct part line = { text, text + length }, path;
	long number_in_log;
	bool any;

	world(log, line, at);
	/* Most lines have none of these words. */
	if (part_find(line, "peak memory usage") == NULL && part_find(line, "[Rank ") == NULL &&
	    part_find(line, "memory") == NULL && part_find(line, "Max_MA") == NULL)
		return false;
	path = grep_prefix(line, &number_in_log);
	if (path.at == NULL && source != NULL)
		path = part_of(source);
	any = mindspore(log, line, path, number_in_log, at);
	any = pytorch(log, line, path, number_in_log, at) || any;
	return megatron(log, line, path, number_in_log, at) || any;
}

void
peaklog_add(struct peaklog *log, const struct peak *peak, struct place at)
{
	int round = GIVEN(peak, peak, round) ? peak->round : -1;
	struct part path = { NULL, NULL };
	struct peaklog_entry *e;

	if (GIVEN(peak, peak, source))
		path = part_of(peak->source);
	/* The used and the actual peak of a log are in separate records. */
	e = entry_of(log, path, peak->stage, -1, round);
	if (e->has[peak->which]) {
		e = entry_add(log, peak->stage, -1, round);
		if (path.at != NULL)
			e->path = xstrdup(peak->source);
	}
	entry_set(e, (enum peak_which)peak->which, peak->memory, 0, at);
	if (GIVEN(peak, peak, state))
		e->state = peak->state;
}

bool
peaklog_figure(struct peaklog *log, const char *path, enum peak_which which, double memory, struct place at)
{
	struct part text = { path, path + strlen(path) };
	int stage, rank, round;

	path_numbers(text, &stage, &rank, &round);
	if (stage < 0 && rank < 0)
		return false;
	entry_set(entry_of(log, text, stage, rank, round), which, memory, 0, at);
	return true;
}

void
peaklog_free(struct peaklog *log)
{
	for (int i = 0; i < log->n; i++)
		free(log->at[i].path);
	for (int i = 0; i < log->files; i++)
		free(log->file[i]);
	free(log->file);
	free(log->at);
	*log = (struct peaklog){ 0 };
}
