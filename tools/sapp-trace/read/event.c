#include "event.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

static const int64_t longest = INT64_C(1000000000000000000);	/* ns: 31 years */

static const char distributed_key[] = "\"distributedInfo\"";

enum { BEFORE_DOCUMENT, FIRST_EVENT, NEXT_EVENT, AFTER_EVENTS };

/* The code unit of the \uXXXX at TEXT, of which N bytes are left; -1: it is none. */
static int
code_unit(const char *text, size_t n)
{
	int unit = 0;

	if (n < 6 || text[0] != '\\' || text[1] != 'u')
		return -1;
	for (int i = 2; i < 6; i++) {
		if (!isxdigit((unsigned char)text[i]))
			return -1;
		unit = 16 * unit + (isdigit((unsigned char)text[i]) ? text[i] - '0' : (text[i] | 0x20) - 'a' + 10);
	}
	return unit;
}

/*
 * The \uXXXX at TEXT, or the pair of surrogates, as UTF-8 in OUT, which may be TEXT: it takes fewer bytes. Returns how
 * many; 0 where it is no character, or NUL. *TAKEN: the bytes of TEXT that it was.
 */
static size_t
put_character(const char *text, size_t n, char *out, size_t *taken)
{
	int c = code_unit(text, n), low = c >= 0xd800 && c < 0xdc00 ? code_unit(text + 6, n - 6) : -1;

	*taken = 6;
	if (low >= 0xdc00 && low < 0xe000) {
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		*taken = 12;
	}
	if (c <= 0 || (c >= 0xd800 && c < 0xe000))
		return 0;
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/* Undo the escapes of the N bytes at TEXT in place; the new length. A \u that is no character stays as it is. */
static size_t
unescape(char *text, size_t n)
{
	size_t to = 0;

	for (size_t i = 0; i < n; i++) {
		size_t taken, put = put_character(text + i, n - i, text + to, &taken);

		if (put > 0) {
			to += put;
			i += taken - 1;
			continue;
		}
		if (text[i] == '\\' && i + 1 < n && text[i + 1] != 'u')
			switch (text[++i]) {
			case 'n':
				text[i] = '\n';
				break;
			case 't':
				text[i] = '\t';
				break;
			default:
				break;
			}
		text[to++] = text[i];
	}
	return to;
}

/* A member's value as text: a string or a scalar, else it is skipped and *OFFSET is 0. Offsets are from
 * s->hold. */
struct value {
	size_t offset, n;
	bool quoted;
};

static bool
scalar(struct scan *s, struct value *p)
{
	char c = scan_peek(s);
	size_t from = (size_t)(s->at - s->hold);

	if (c == '{' || c == '[') {
		*p = (struct value){ 0 };
		return scan_skip_value(s);
	}
	if (c == '"') {
		if (!scan_skip_string(s))
			return false;
		*p = (struct value){ from + 1, (size_t)(s->at - s->hold) - from - 2, true };
		return true;
	}
	if (c == '\0' || !scan_skip_scalar(s))
		return false;
	*p = (struct value){ from, (size_t)(s->at - s->hold) - from, false };
	return true;
}

/* A value as it is written, of any type. */
static bool
whole_value(struct scan *s, struct value *p)
{
	size_t from;

	scan_peek(s);
	from = (size_t)(s->at - s->hold);
	if (!scan_skip_value(s))
		return false;
	*p = (struct value){ from, (size_t)(s->at - s->hold) - from, false };
	return true;
}

/* The members of an event that are read, by place in parts[]; args is gone into. */
enum { NAME, PH, PID, TID, TS, DUR, LEVEL, CAT, ID, ARGS_NAME, ARGS_FULLNAME, ARGS_LEVEL, ARGS_CORRELATION,
    ARGS_SEQUENCE, ARGS_FORWARD_THREAD, ARGS_TASK_TYPE, ARGS_COLLECTIVE, ARGS_GROUP_RANKS, ARGS_GROUP,
    ARGS_EXTERNAL, ARGS_DTYPE, ARGS_IN, ARGS_OUT, ARGS_DIMS, ARGS_TYPES,
    ARGS_STEP, ARGS_MICRO, ARGS_CHUNK, PARTS, ARGS = PARTS };

static const char *const member_names[PARTS] = { "name", "ph", "pid", "tid", "ts", "dur", "scope_level", "cat", "id",
    "name", "fullname", "scope_level", "correlation", "Sequence number", "Fwd thread id", "Task Type",
    "Collective name", "Process Group Ranks", "Process Group Name",
    "External id", "dtype", "In msg nelems", "Out msg nelems", "Input Dims", "Input type",
    "step", "mb_id", "model_chunk" };

static int
member(const char *key, size_t n, bool in_args)
{
#define IS(word) (memcmp(key, word, sizeof word - 1) == 0)	/* of that length already */
	if (in_args)
		switch (n) {
		case 4:
			return IS("name") ? ARGS_NAME : IS("step") ? ARGS_STEP : -1;
		case 5:
			return IS("mb_id") ? ARGS_MICRO : IS("dtype") ? ARGS_DTYPE : -1;
		case 8:
			return IS("fullname") ? ARGS_FULLNAME : -1;
		case 9:
			return IS("Task Type") ? ARGS_TASK_TYPE : -1;
		case 10:
			return IS("Input Dims") ? ARGS_DIMS : IS("Input type") ? ARGS_TYPES : -1;
		case 11:
			return IS("scope_level") ? ARGS_LEVEL : IS("correlation") ? ARGS_CORRELATION :
			    IS("External id") ? ARGS_EXTERNAL : IS("model_chunk") ? ARGS_CHUNK : -1;
		case 13:
			return IS("Fwd thread id") ? ARGS_FORWARD_THREAD : IS("In msg nelems") ? ARGS_IN : -1;
		case 14:
			return IS("Out msg nelems") ? ARGS_OUT : -1;
		case 15:
			return IS("Sequence number") ? ARGS_SEQUENCE : IS("Collective name") ? ARGS_COLLECTIVE : -1;
		case 18:
			return IS("Process Group Name") ? ARGS_GROUP : -1;
		case 19:
			return IS("Process Group Ranks") ? ARGS_GROUP_RANKS : -1;
		default:
			return -1;
		}
	switch (n) {
	case 2:
		return IS("ph") ? PH : IS("ts") ? TS : IS("id") ? ID : -1;
	case 3:
		return IS("pid") ? PID : IS("tid") ? TID : IS("dur") ? DUR : IS("cat") ? CAT : -1;
	case 4:
		return IS("name") ? NAME : IS("args") ? ARGS : -1;
	case 11:
		return IS("scope_level") ? LEVEL : -1;
	default:
		return -1;
	}
#undef IS
}

/* The members of an object, from behind its opening bracket to behind its closing one; args of an event
 * likewise. */
static bool
members(struct scan *s, struct value parts[PARTS])
{
	bool in_args = false, first = true;

	for (;;) {
		char c = scan_peek(s);
		size_t key;
		int which;

		if (c == '}') {
			s->at++;
			if (!in_args)
				return true;
			in_args = first = false;
			continue;
		}
		if (!first && c == ',') {
			s->at++;
			c = scan_peek(s);
			if (c == '}')	/* written by some releases */
				continue;
		} else if (!first && c != '\0')
			scan_die(s, "expected ',' or '}', not '%c'", c);
		if (c == '\0')
			return false;
		first = false;
		if (c != '"')
			scan_die(s, "expected the name of a member, not '%c'", c);
		key = (size_t)(s->at + 1 - s->hold);
		if (!scan_skip_string(s))
			return false;
		which = member(s->hold + key, (size_t)(s->at - s->hold) - key - 1, in_args);
		c = scan_peek(s);
		if (c == '\0')
			return false;
		if (c != ':')
			scan_die(s, "expected ':', not '%c'", c);
		s->at++;
		if (which == ARGS && scan_peek(s) == '{') {
			s->at++;
			in_args = first = true;
		} else if (which < 0 || which == ARGS) {
			if (!scan_skip_value(s))
				return false;
		} else {
			if (parts[which].offset != 0)
				scan_die(s, "an event has the member '%s' twice", member_names[which]);
			if (which == ARGS_DIMS || which == ARGS_TYPES ? !whole_value(s, &parts[which]) :
			    !scalar(s, &parts[which]))
				return false;
		}
	}
}

static struct text
part_text(struct scan *s, const struct value *p)
{
	char *at = s->hold + p->offset;

	if (p->offset == 0)
		return (struct text){ 0 };
	if (memchr(at, '\0', p->n) != NULL)
		scan_die(s, "a NUL byte in a string");
	if (p->quoted && memchr(at, '\\', p->n) != NULL)
		return (struct text){ at, unescape(at, p->n) };
	return (struct text){ at, p->n };
}

/* The value of a member beside the list of events: kept if it is the one that says which rank this is. */
static bool
other_member(struct scan *s, bool distributed)
{
	if (!distributed || s->distributed != NULL)
		return scan_skip_value(s);
	scan_peek(s);
	s->hold = s->at;
	if (!scan_skip_value(s))
		return false;
	s->distributed = xstrndup(s->hold, (size_t)(s->at - s->hold));
	s->hold = NULL;
	return true;
}

/* Find the list of events: the document itself, or its member traceEvents. */
static bool
find_events(struct scan *s)
{
	char c;

	if (scan_peek(s) == '\0')
		place_die(s->place, "empty, not a timeline");
	if (s->end - s->at >= 3 && memcmp(s->at, "\xef\xbb\xbf", 3) == 0)
		s->at += 3;
	c = scan_peek(s);
	if (c == '[') {
		s->at++;
		return true;
	}
	if (c != '{')
		scan_die(s, "not a timeline: expected '[' or '{' at its beginning");
	s->object = true;
	s->at++;
	for (;;) {
		bool found, distributed;
		size_t key;

		c = scan_peek(s);
		if (c == ',') {
			s->at++;
			continue;
		}
		if (c == '\0')
			return false;
		if (c == '}')
			place_die(s->place, "not a timeline: an object without a member 'traceEvents'");
		if (c != '"')
			scan_die(s, "expected the name of a member, not '%c'", c);
		s->hold = s->at;
		if (!scan_skip_string(s))
			return false;
		key = (size_t)(s->at - s->hold);
		found = key == 13 && memcmp(s->hold, "\"traceEvents\"", 13) == 0;
		distributed = key == sizeof distributed_key - 1 && memcmp(s->hold, distributed_key, key) == 0;
		s->hold = NULL;
		c = scan_peek(s);
		if (c == '\0')
			return false;
		if (c != ':')
			scan_die(s, "expected ':', not '%c'", c);
		s->at++;
		if (found) {
			if (scan_peek(s) != '[')
				scan_die(s, "traceEvents: expected a list");
			s->at++;
			return true;
		}
		if (!other_member(s, distributed))
			return false;
	}
}

/* What follows the last event: nothing, or the other members of the object. */
static bool
finish(struct scan *s)
{
	bool distributed = false;
	char c;

	s->state = AFTER_EVENTS;
	while (s->object) {
		c = scan_peek(s);
		if (c == '\0')
			return false;
		if (c == '}') {
			s->at++;
			break;
		}
		if (c == ',' || c == ':') {
			distributed &= c == ':';
			s->at++;
			continue;
		}
		if (distributed) {
			if (!other_member(s, true))
				return false;
			distributed = false;
			continue;
		}
		s->hold = s->at;
		if (!scan_skip_value(s))
			return false;
		distributed = s->at - s->hold == sizeof distributed_key - 1 &&
		    memcmp(s->hold, distributed_key, sizeof distributed_key - 1) == 0;
		s->hold = NULL;
	}
	if (scan_peek(s) != '\0')
		scan_die(s, "something follows the end of the timeline: '%.10s'", s->at);
	return true;
}

bool
event_next(struct scan *s, struct event *e)
{
	struct value parts[PARTS] = { 0 };
	struct text ph;
	char c;

	s->hold = NULL;
	if (s->state == AFTER_EVENTS)
		return false;
	if (s->state == BEFORE_DOCUMENT) {
		if (!find_events(s))
			goto cut;
		s->state = FIRST_EVENT;
	}
	c = scan_peek(s);
	if (s->state == NEXT_EVENT && c == ',') {
		s->at++;
		c = scan_peek(s);
	} else if (s->state == NEXT_EVENT && c != ']' && c != '\0')
		scan_die(s, "expected ',' or ']' after event %llu, not '%c'", (unsigned long long)s->events,
		    c);
	s->state = NEXT_EVENT;
	if (c == ']') {
		s->at++;
		s->cut = !finish(s);
		return false;
	}
	if (c == '\0')
		goto cut;
	if (c != '{')
		scan_die(s, "event %llu is not an object", (unsigned long long)s->events + 1);
	s->hold = s->at++;
	if (!members(s, parts))
		goto cut;
	s->events++;
	ph = part_text(s, &parts[PH]);
	*e = (struct event){
		.ph = (char)(ph.n == 1 ? ph.at[0] : 0),
		.name = part_text(s, &parts[NAME]), .pid = part_text(s, &parts[PID]),
		.tid = part_text(s, &parts[TID]), .ts = part_text(s, &parts[TS]),
		    .dur = part_text(s, &parts[DUR]),
		.level = part_text(s, &parts[parts[LEVEL].n ? LEVEL : ARGS_LEVEL]),
		.cat = part_text(s, &parts[CAT]), .id = part_text(s, &parts[ID]),
		.args_name = part_text(s, &parts[ARGS_NAME]),
		.args_fullname = part_text(s, &parts[ARGS_FULLNAME]),
		.args_step = part_text(s, &parts[ARGS_STEP]), .args_micro = part_text(s, &parts[ARGS_MICRO]),
		.args_chunk = part_text(s, &parts[ARGS_CHUNK]),
		.correlation = part_text(s, &parts[ARGS_CORRELATION]),
		.sequence = part_text(s, &parts[ARGS_SEQUENCE]),
		.forward_thread = part_text(s, &parts[ARGS_FORWARD_THREAD]),
		.task_type = part_text(s, &parts[ARGS_TASK_TYPE]),
		.collective = part_text(s, &parts[ARGS_COLLECTIVE]),
		.group = part_text(s, &parts[parts[ARGS_GROUP_RANKS].n ? ARGS_GROUP_RANKS : ARGS_GROUP]),
		.external = part_text(s, &parts[ARGS_EXTERNAL]), .dtype = part_text(s, &parts[ARGS_DTYPE]),
		.in = part_text(s, &parts[ARGS_IN]), .out = part_text(s, &parts[ARGS_OUT]),
		.dims = part_text(s, &parts[ARGS_DIMS]), .types = part_text(s, &parts[ARGS_TYPES]),
	};
	return true;
cut:
	s->state = AFTER_EVENTS;
	s->cut = true;
	return false;
}

bool
event_span(const struct event *e, int64_t *start, int64_t *end)
{
	int64_t duration;

	if (!text_time(e->ts, start) || !text_time(e->dur, &duration) || duration < 0 || duration > longest)
		return false;
	*end = *start + duration;
	return true;
}

void
event_times(const struct event *e, int64_t *start, int64_t *end, const struct scan *s)
{
	if (!event_span(e, start, end))
		scan_die(s, "event %llu, '%.*s': ts or dur is not a time", (unsigned long long)s->events,
		    (int)(e->name.n < 80 ? e->name.n : 80), e->name.at != NULL ? e->name.at : "");
}

int64_t
event_start(const struct event *e, const struct scan *s)
{
	int64_t start;

	if (!text_time(e->ts, &start))
		scan_die(s, "event %llu: ts is not a time", (unsigned long long)s->events);
	return start;
}

int64_t
event_backwards(const struct event *e)
{
	int64_t start, duration;

	return text_time(e->ts, &start) && text_time(e->dur, &duration) && duration < 0 && duration > -longest ?
	    -duration : 0;
}
