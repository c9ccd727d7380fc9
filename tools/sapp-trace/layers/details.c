#include "details.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clipped.h"
#include "lib/base/hash.h"
#include "lib/base/memstream.h"

/* Columns by meaning, with their names in all releases. */
enum { STEP, DEVICE, STREAM, NAME, TYPE, CORE, START, DURATION, SHAPES, OUTPUTS, DTYPES, WANTED };

static const char *const column_names[WANTED][7] = {
	[STEP] = { "Step Id", "Step ID", "step_id" },
	[DEVICE] = { "Device_id", "Device Id", "Device ID", "Device", "gpu-id" },
	[STREAM] = { "Stream ID", "Stream Id", "stream_id", "Strm", "queue-id" },
	[NAME] = { "Name", "Op Name", "Kernel Name", "KernelName" },
	[TYPE] = { "Type", "Op Type", "OP Type" },
	[CORE] = { "Accelerator Core", "Task Type", "Core Type" },
	/* The last names are those of nsys stats and of rocprof. */
	[START] = { "Start Time(us)", "Task Start Time(us)", "Start Time", "Start Time(ns)", "Start (ns)", "BeginNs" },
	[DURATION] = { "Duration(us)", "Task Duration(us)", "Duration", "Duration(ns)", "Duration (ns)", "DurationNs" },
	[SHAPES] = { "Input Shapes", "Input Shape" },
	[OUTPUTS] = { "Output Shapes", "Output Shape" },
	[DTYPES] = { "Input Data Types", "Input Data Type" },
};

#define MOST_NS INT64_C(4000000000000000000)	/* 126 years; differences of such times do not overflow */

static bool
there(struct text t)
{
	return t.n > 0 && !text_is(t, "N/A") && !text_is(t, "null");
}

static long
step_number(const struct csv *c, struct text t)
{
	char digits[24];
	struct clipped copy = CLIPPED(digits);
	char *end;
	long number;

	if (!there(t))
		return -1;
	clipped_add(&copy, t.at, t.n);
	if (copy.cut)
		place_die(c->place, "Step Id: not a whole number '%.*s'", (int)(t.n < 40 ? t.n : 40), t.at);
	number = strtol(digits, &end, 10);
	if (*end != '\0' || end == digits || number < 0)
		place_die(c->place, "Step Id: not a whole number '%s'", digits);
	return number;
}

/* Return whether a row is of another device than the first row. Prints a warning once. */
static bool
other_device(struct csv *c, struct sequence *s, struct text device)
{
	if (!there(device))
		return false;
	if (s->device == NULL)
		s->device = xstrndup(device.at, device.n);
	if (text_is(device, s->device))
		return false;
	if (!s->devices)
		place_warn(c->place, "kernels of several devices: only those of %s are read, not those of %.*s; write "
		    "a table per device", s->device, (int)(device.n < 40 ? device.n : 40), device.at);
	s->devices = true;
	return true;
}

/* Convert a time in us, or with IN_NS in ns. */
static bool
time_of(struct text t, bool in_ns, int64_t *ns)
{
	char digits[24], *end;
	struct clipped copy = CLIPPED(digits);

	if (!in_ns)
		return text_time(t, ns);
	clipped_add(&copy, t.at, t.n);
	if (t.n == 0 || copy.cut)
		return false;
	errno = 0;
	*ns = strtoll(digits, &end, 10);
	return errno == 0 && end != digits && *ns > -MOST_NS && *ns < MOST_NS &&
	    strspn(end, ".0123456789") == strlen(end);
}

/* Return whether the task only makes streams wait for one another. */
static bool
waits(struct text kind)
{
	return (kind.n >= 6 && memcmp(kind.at, "EVENT_", 6) == 0) ||
	    (kind.n >= 7 && memcmp(kind.at, "NOTIFY_", 7) == 0);
}

/* Return the key of the operator "TYPE|INPUT|OUTPUT|TYPES|CORE", without quotes. */
static uint32_t
operator(struct sequence *s, uint32_t type, const struct text part[4])
{
	char *text;
	size_t n;
	FILE *f = memstream_open(&text, &n);

	fputs(s->type[type].name, f);
	for (int i = 0; i < 4; i++) {
		putc('|', f);
		for (size_t k = 0; k < part[i].n && there(part[i]); k++)
			if (part[i].at[k] != '"' && part[i].at[k] != '|')
				putc(part[i].at[k], f);
	}
	memstream_close(f);
	return keys_take(&s->shapes, text);
}

static void
take_row(struct csv *c, struct sequence *s, const struct text field[], const int column[], const bool in_ns[])
{
#define FIELD(which) (column[which] >= 0 ? field[column[which]] : (struct text){ "", 0 })
	struct text name = FIELD(TYPE), core = FIELD(CORE);
	struct item x = { 0 };
	int64_t duration;
	bool communication = text_is(core, "COMMUNICATION") || text_is(core, "HCCL");

	if (!there(FIELD(START)) || !there(FIELD(DURATION)) || other_device(c, s, FIELD(DEVICE)) ||
	    waits(core) || waits(name))
		return;
	if (!there(name))
		name = FIELD(NAME);
	if (!there(name))
		return;
	if (!time_of(FIELD(START), in_ns[START], &x.start))
		place_die(c->place, "Start Time(us): not a time '%.*s'", (int)FIELD(START).n, FIELD(START).at);
	if (!time_of(FIELD(DURATION), in_ns[DURATION], &duration) || duration < 0 ||
	    duration > INT64_C(1000000000000000))
		place_die(c->place, "Duration(us): not a time '%.*s'", (int)FIELD(DURATION).n,
		    FIELD(DURATION).at);
	x.end = x.start + duration;
	/* The type of a collective is its operation; its name also has the number of the group. */
	x.type = sequence_type(s, communication && there(FIELD(NAME)) ? FIELD(NAME) : name,
	    communication ? ROLE_COMMUNICATION : 0, c->place);
	x.symbol = !s->keep ? sequence_symbol(x.type, FIELD(SHAPES)) :
	    operator(s, x.type, (struct text[]){ FIELD(SHAPES), FIELD(OUTPUTS), FIELD(DTYPES), core });
	if (there(FIELD(STREAM)))
		x.flags = sequence_stream(s, hash_text(FIELD(STREAM).at, FIELD(STREAM).n, 0));
	x.step = sequence_step(s, step_number(c, FIELD(STEP)));
	sequence_add(s, x);
#undef FIELD
}

void
details_read(struct csv *c, struct sequence *s)
{
	struct text field[CSV_COLUMNS_MAX];
	int column[WANTED], n = 0;
	bool in_ns[WANTED] = { false };

	for (int i = 0; i < WANTED; i++) {
		column[i] = csv_column(c, column_names[i]);
		n = column[i] + 1 > n ? column[i] + 1 : n;
	}
	if (column[NAME] < 0 && column[TYPE] < 0)
		place_die(c->place, "no column 'Name' or 'Type': not a table of kernels");
	for (int i = START; i <= DURATION; i++)
		if (column[i] < 0)
			place_die(c->place, "no column '%s'", column_names[i][0]);
	for (int i = START; i <= DURATION; i++)
		in_ns[i] = strstr(csv_name(c, column[i]), "(ns)") != NULL ||
		    strstr(csv_name(c, column[i]), "Ns") != NULL;
	while (csv_next(c, field, n))
		take_row(c, s, field, column, in_ns);
	sequence_sort(s, (struct place){ .source = c->place.source });
}
