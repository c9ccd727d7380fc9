#include "record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"
#include "lib/base/slurp.h"
#include "lib/base/terminal.h"
#include "lib/field/xjson.h"
#include "line.h"

enum { LINE_LONGEST = 256 << 20, RECORDS_MOST = 250000 };

#define CHECKED(type) static void check_##type(void *r, struct place at) { type##_check(r, at); }
CHECKED(measured_job)
CHECKED(model)
CHECKED(layer)
CHECKED(operators)
CHECKED(pipeline)
CHECKED(plan)
CHECKED(chunks)
CHECKED(architecture)
CHECKED(cluster)
CHECKED(configuration)
CHECKED(training_run)
CHECKED(prediction)
CHECKED(coefficient)
CHECKED(device_operator)

/* Name, field table and check of each kind of record. */
static const struct {
	const char *name;
	const struct fields *fields;
	void (*check)(void *, struct place);
} kinds[] = {
	[RECORD_TIMING] = { "timing", &timing_fields, NULL },
	[RECORD_STEP] = { "step", &measured_step_fields, NULL },
	[RECORD_JOB] = { "job", &measured_job_fields, check_measured_job },
	[RECORD_PEAK] = { "peak", &peak_fields, NULL },
	[RECORD_MEASURE] = { "measure", &measure_fields, NULL },
	[RECORD_MODEL] = { "model", &model_fields, check_model },
	[RECORD_LAYER] = { "layer", &layer_fields, check_layer },
	[RECORD_KIND] = { "kind", &operators_fields, check_operators },
	[RECORD_FIT] = { "fit", &fit_fields, NULL },
	[RECORD_PIPELINE] = { "pipeline", &pipeline_fields, check_pipeline },
	[RECORD_PLAN] = { "plan", &plan_fields, check_plan },
	[RECORD_CHUNKS] = { "chunks", &chunks_fields, check_chunks },
	[RECORD_SIM] = { "sim", &sim_fields, NULL },
	[RECORD_BLOCK] = { "block", &block_fields, NULL },
	[RECORD_COMPARISON] = { "comparison", &comparison_fields, NULL },
	[RECORD_NETWORK] = { "network", &architecture_fields, check_architecture },
	[RECORD_CLUSTER] = { "cluster", &cluster_fields, check_cluster },
	[RECORD_CANDIDATE] = { "candidate", &configuration_fields, check_configuration },
	[RECORD_ESTIMATE] = { "estimate", &prediction_fields, check_prediction },
	[RECORD_RUN] = { "run", &training_run_fields, check_training_run },
	[RECORD_KERNEL] = { "kernel", &observed_kernel_fields, NULL },
	[RECORD_COMMUNICATION] = { "communication", &observed_communication_fields, NULL },
	[RECORD_TENSOR] = { "tensor", &observed_tensor_fields, NULL },
	[RECORD_USAGE] = { "usage", &observed_usage_fields, NULL },
	[RECORD_COEFFICIENT] = { "coefficient", &coefficient_fields, check_coefficient },
	[RECORD_DOUBT] = { "doubt", &doubt_fields, NULL },
	[RECORD_OPCOST] = { "opcost", &opcost_fields, NULL },
	[RECORD_COVERAGE] = { "coverage", &coverage_fields, NULL },
	[RECORD_LAUNCH] = { "launch", &program_fields, NULL },
	[RECORD_SETTINGS] = { "settings", &settings_text_fields, NULL },
	[RECORD_OPERATOR] = { "operator", &device_operator_fields, check_device_operator },
};

const char *
record_name(enum record_kind kind)
{
	return kinds[kind].name;
}

const struct fields *
record_fields(enum record_kind kind)
{
	return kinds[kind].fields;
}

void
reader_open(struct reader *in, char *const operands[], uint64_t set)
{
	static char dash[] = "-";
	static char *const standard_input[] = { dash, NULL };

	*in = (struct reader){ .operand = operands[0] == NULL ? standard_input : operands, .kinds = set };
}

/* Open the next operand. Return false after the last one. */
static bool
next_file(struct reader *in)
{
	const char *path = *in->operand;

	if (path == NULL)
		return false;
	in->operand++;
	in->line = 0;
	in->source = slurp_name(path);
	if (strcmp(path, "-") == 0) {
		in->file = stdin;
		terminal_wait("records");
		return true;
	}
	in->file = fopen(path, "r");
	if (in->file == NULL)
		place_die((struct place){ .source = path }, "cannot be read: %s", strerror(errno));
	return true;
}

static void
close_file(struct reader *in)
{
	if (in->file != stdin)
		fclose(in->file);
	in->file = NULL;
}

/* Read a line without its newline. Return its length, or -1 at the end. Unlike getline(), limit the length. */
static ssize_t
get_line(struct reader *in)
{
	struct place at = { in->source, in->line + 1 };
	size_t n = 0;
	int c;

	while ((c = getc_unlocked(in->file)) != EOF && c != '\n') {
		if (n + 1 >= in->capacity) {
			if (n > LINE_LONGEST)
				place_die(at, "a line longer than %d MB", LINE_LONGEST >> 20);
			in->capacity = in->capacity > 0 ? 2 * in->capacity : 4096;
			in->buffer = xreallocarray(in->buffer, in->capacity, 1);
		}
		in->buffer[n++] = (char)c;
	}
	if (ferror(in->file))
		place_die((struct place){ .source = in->source }, "cannot be read: %s", strerror(errno));
	if (c == EOF && n == 0)
		return -1;
	/* Skip the byte order mark that some editors write. */
	if (in->line == 0) {
		size_t mark = byte_order_mark(in->buffer, n);

		n -= mark;
		if (mark > 0)
			memmove(in->buffer, in->buffer + mark, n);
	}
	in->line++;
	if (in->buffer != NULL)
		in->buffer[n] = '\0';
	return (ssize_t)n;
}

/* Read the next line that is not blank. Return its length, or -1 after the last file. */
static ssize_t
next_line(struct reader *in)
{
	ssize_t n;

	for (;;) {
		if (in->file == NULL && !next_file(in))
			return -1;
		n = get_line(in);
		if (n < 0) {
			close_file(in);
			continue;
		}
		if (n > 0 && strspn(in->buffer, " \t\r") != (size_t)n)
			return n;
	}
}

/*
 * Return the number of objects and lists that are open after TEXT. OPEN: their number before TEXT. Strings do not
 * extend over lines.
 */
static int
still_open(const char *text, int open)
{
	bool quoted = false;

	for (; *text != '\0'; text++)
		if (*text == '\\' && quoted && text[1] != '\0')
			text++;
		else if (*text == '"')
			quoted = !quoted;
		else if (!quoted)
			open += (*text == '{' || *text == '[') - (*text == '}' || *text == ']');
	return open;
}

/*
 * Append further lines to the record's first line, for an object that an editor or jq spread over several lines. A new
 * record or the end of the file ends an incomplete object.
 */
static size_t
join_lines(struct reader *in, struct record *rec, size_t length)
{
	int open = still_open(rec->text, 0);
	ssize_t n;

	while (open > 0 && in->file != NULL && (n = get_line(in)) >= 0 && strncmp(in->buffer, "{\"kind\"", 8) != 0) {
		if (length + (size_t)n > LINE_LONGEST)
			place_die(rec->place, "a record longer than %d MB", LINE_LONGEST >> 20);
		rec->text = xreallocarray(rec->text, length + (size_t)n + 2, 1);
		rec->text[length] = ' ';
		memcpy(rec->text + length + 1, in->buffer, (size_t)n + 1);
		length += (size_t)n + 1;
		open = still_open(in->buffer, open);
	}
	return length;
}

/* Parse a candidate or estimate record in plain form. Return false if the line needs the full parser. */
static bool
parse_plain(struct reader *in, struct record *rec)
{
	for (size_t i = RECORD_CANDIDATE; i <= RECORD_ESTIMATE; i++)
		if ((in->kinds & RECORDS(i)) && line_scan(rec->text, kinds[i].name, kinds[i].fields, &rec->timing)) {
			rec->kind = (enum record_kind)i;
			if (kinds[i].check != NULL)
				kinds[i].check(&rec->timing, rec->place);
			return true;
		}
	return false;
}

static void
parse(struct reader *in, struct record *rec, size_t length)
{
	json_error_t error;
	json_t *object, *kind;
	size_t i;

	if (parse_plain(in, rec))
		return;
	object = xjson_parse(rec->text, length, &error);
	if (object == NULL) {
		length = join_lines(in, rec, length);
		object = xjson_parse(rec->text, length, &error);
	}
	if (object == NULL)
		place_die(rec->place, "not a JSON object: %s, at column %d", error.text, error.column);
	kind = json_object_get(object, "kind");
	if (!json_is_string(kind))
		place_die(rec->place, "not a record: no string member 'kind'%s", json_object_get(object,
		    "layers_description") != NULL ? "; convert a layer-description document with sapp-layers" : "");
	rec->kind = RECORD_OTHER;
	for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if ((in->kinds & RECORDS(i)) && strcmp(kinds[i].name, json_string_value(kind)) == 0) {
			rec->kind = (enum record_kind)i;
			/* All structs start at the first byte of the union. */
			fields_get(kinds[i].fields, &rec->timing, object, rec->place);
			if (kinds[i].check != NULL)
				kinds[i].check(&rec->timing, rec->place);
			break;
		}
	json_decref(object);
}

bool
reader_next(struct reader *in, struct record *rec)
{
	ssize_t n = next_line(in);

	if (n < 0)
		return false;
	memset(rec, 0, sizeof *rec);
	rec->place = (struct place){ in->source, in->line };
	rec->text = xcalloc((size_t)n + 1, 1);
	memcpy(rec->text, in->buffer, (size_t)n);
	if (in->foreign_lines && in->buffer[strspn(in->buffer, " \t")] != '{')
		rec->kind = RECORD_FOREIGN;
	else
		parse(in, rec, (size_t)n);
	return true;
}

void
reader_close(struct reader *in)
{
	if (in->file != NULL)
		close_file(in);
	free(in->buffer);
	in->buffer = NULL;
}

void
record_write(FILE *out, const struct record *rec)
{
	if (rec->text != NULL)
		fprintf(out, "%s\n", rec->text);
	else
		record_put(out, rec->kind, &rec->timing);
}

static char *
written(enum record_kind kind, const void *rec)
{
	json_t *members, *object;
	struct line line = { 0 };
	char *text;

	if (kinds[kind].fields->exact) {
		line_print(&line, kinds[kind].name, kinds[kind].fields, rec);
		text = xstrndup(line.at, line.length - 1);
		line_free(&line);
		return text;
	}
	members = fields_put(kinds[kind].fields, rec);
	object = json_object();
	xjson_set(object, "kind", json_string(kinds[kind].name));
	xjson_update(object, members);
	/* 15 digits are more than any measurement has, and they print 0.1 as 0.1. */
	text = xjson_text(object, JSON_COMPACT | JSON_REAL_PRECISION(15));
	json_decref(members);
	json_decref(object);
	return text;
}

void
record_put(FILE *out, enum record_kind kind, const void *rec)
{
	char *text = written(kind, rec);

	fprintf(out, "%s\n", text);
	free(text);
}

void
record_free(struct record *rec)
{
	if (rec->kind < RECORD_OTHER)
		fields_free(kinds[rec->kind].fields, &rec->timing);
	free(rec->text);
	memset(rec, 0, sizeof *rec);
}

/* Append the text of REC to LAST, a record of several lines. */
static void
join_text(struct records *all, struct record *last, const struct record *rec)
{
	size_t n = strlen(rec->text);

	if (all->length == 0)
		all->length = all->capacity = strlen(last->text);
	while (all->length + n + 2 > all->capacity)
		last->text = xreallocarray(last->text, all->capacity = 2 * all->capacity + n + 2, 1);
	last->text[all->length] = '\n';
	memcpy(last->text + all->length + 1, rec->text, n + 1);
	all->length += n + 1;
}

void
records_add(struct records *all, struct record *rec)
{
	struct record *last = all->n > 0 ? &all->at[all->n - 1] : NULL;

	if (last != NULL && last->kind == RECORD_OTHER && rec->kind == RECORD_OTHER) {
		join_text(all, last, rec);
		record_free(rec);
		return;
	}
	if (all->n == RECORDS_MOST)
		place_die(rec->place, "more than %d records", RECORDS_MOST);
	*APPEND(all->at, all->n) = *rec;
	all->length = 0;
}

void
records_read(struct records *all, char *const operands[], uint64_t set)
{
	struct reader in;
	struct record rec;

	*all = (struct records){ .source = slurp_name(operands[0] != NULL ? operands[0] : "-") };
	reader_open(&in, operands, set);
	while (reader_next(&in, &rec))
		records_add(all, &rec);
	reader_close(&in);
}

void
records_free(struct records *all)
{
	for (size_t i = 0; i < all->n; i++)
		record_free(&all->at[i]);
	free(all->at);
	*all = (struct records){ 0 };
}

/* Hash records as they would be written. Thus neither their formatting nor unknown members change the hash. */
uint64_t
records_question(const struct records *r, const struct pipeline *asked)
{
	uint64_t hash = 0;

	for (size_t i = 0; i <= r->n; i++) {
		enum record_kind kind = i < r->n ? r->at[i].kind : RECORD_PIPELINE;
		char *text;

		if (i < r->n && kind != RECORD_MODEL && kind != RECORD_LAYER && kind != RECORD_KIND)
			continue;
		text = written(kind, i < r->n ? (const void *)&r->at[i].timing : asked);
		hash = hash_text(text, strlen(text), hash);
		free(text);
	}
	return hash;
}
