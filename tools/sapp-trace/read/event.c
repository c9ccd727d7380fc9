#include "event.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/slurp.h"

static const int64_t longest = INT64_C(1000000000000000000);	/* ns: 31 years */

static const char distributed_key[] = "\"distributedInfo\"";

enum { MOST_LOST = 100 };
enum { BEFORE_DOCUMENT, FIRST_EVENT, NEXT_EVENT, AFTER_EVENTS };

/*
 * The value of a member as text, if it is a string or a scalar. Other values are skipped, and *OFFSET is 0. Offsets
 * count from s->hold.
 */
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

/* Read a value of any type, and keep it as written. */
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

/* Members of an event, and where they are stored. Of two members with one place, the first counts. */
#define MEMBER(name, in_args, member) { name, sizeof name - 1, in_args, offsetof(struct event, member) }
static const struct member {
	const char *name;
	unsigned char n;	/* length of the name */
	bool in_args;
	size_t to;		/* offset in struct event */
} known[] = {
	MEMBER("name", false, name), MEMBER("ph", false, kind), MEMBER("pid", false, pid), MEMBER("tid", false, tid),
	MEMBER("ts", false, ts), MEMBER("dur", false, dur), MEMBER("cat", false, cat), MEMBER("id", false, id),
	MEMBER("scope_level", false, level), MEMBER("scope_level", true, level), MEMBER("name", true, args_name),
	MEMBER("fullname", true, args_fullname), MEMBER("correlation", true, correlation),
	MEMBER("External id", true, external), MEMBER("Sequence number", true, sequence),
	MEMBER("Fwd thread id", true, forward_thread), MEMBER("Task Type", true, task_type),
	MEMBER("Collective name", true, collective), MEMBER("Process Group Ranks", true, group),
	MEMBER("Process Group Name", true, group), MEMBER("dtype", true, dtype), MEMBER("In msg nelems", true, in),
	MEMBER("Out msg nelems", true, out), MEMBER("Input Dims", true, dims), MEMBER("Input type", true, types),
	MEMBER("step", true, args_step), MEMBER("mb_id", true, args_micro), MEMBER("model_chunk", true, args_chunk),
};
enum { PARTS = sizeof known / sizeof known[0], ARGS = PARTS };

/* Return the index of a member, or with ARGS of a member of args; -1 if unknown. */
static int
member(const char *key, size_t n, bool in_args)
{
	for (int i = 0; i < PARTS; i++)
		if (known[i].n == n && known[i].in_args == in_args && memcmp(key, known[i].name, n) == 0)
			return i;
	return !in_args && n == 4 && memcmp(key, "args", 4) == 0 ? ARGS : -1;
}

/* Return whether a member is a list, which is kept as written. */
static bool
is_list(const struct member *m)
{
	return m->to == offsetof(struct event, dims) || m->to == offsetof(struct event, types);
}

/*
 * Read the members of an object, or of its args. The scanner is after the opening bracket before, and after the closing
 * bracket afterwards.
 */
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
			if (c == '}')	/* some releases write a trailing comma */
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
				scan_die(s, "an event has the member '%s' twice", known[which].name);
			if (!(is_list(&known[which]) ? whole_value : scalar)(s, &parts[which]))
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
		return (struct text){ at, text_unescape(at, p->n) };
	return (struct text){ at, p->n };
}

/*
 * Read the value of a member of the document that is not the list of events. Only distributedInfo is kept, because it
 * contains the rank.
 */
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

/* Find the list of events: it is the document itself, or its member traceEvents. */
static bool
find_events(struct scan *s)
{
	char c;

	if (scan_peek(s) == '\0')
		place_die(s->place, "empty, not a timeline");
	s->at += byte_order_mark(s->at, (size_t)(s->end - s->at));
	c = scan_peek(s);
	if (c == '[') {
		s->at++;
		return true;
	}
	if (c != '{')
		scan_die(s, "not a timeline: expected '[' or '{' at its start");
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

/* Read the rest of the document: nothing, or other members. */
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
		scan_die(s, "more text after the end of the timeline '%.10s'", s->at);
	return true;
}

/* Return whether an event begins at this bracket. The scanner does not move. */
static bool
begins(struct scan *s)
{
	bool any = false;

	s->hold = s->at++;
	if (scan_peek(s) == '"') {
		size_t key = (size_t)(s->at + 1 - s->hold), n;

		if (scan_skip_string(s)) {
			n = (size_t)(s->at - s->hold) - key - 1;
			any = member(s->hold + key, n, false) >= 0 || (n == 2 && memcmp(s->hold + key, "bp", 2) == 0);
		}
	}
	s->at = s->hold;
	s->hold = NULL;
	return any;
}

/* Skip an unreadable event, for example with a quote in its name. WHY: its error. */
static void
skip_event(struct scan *s, char *why)
{
	char c;

	s->hold = NULL;
	while (s->lost < MOST_LOST && (c = scan_peek(s)) != '\0') {
		s->at++;
		while (c == '}' && (c = scan_peek(s)) == '}')
			s->at++;
		if (c != ',' || scan_peek(s) == '\0')
			continue;
		s->at += *s->at == ',';
		if (scan_peek(s) == '{' && begins(s)) {
			if (s->lost++ == 0)
				s->first_lost = why;
			else
				free(why);
			return;
		}
	}
	place_die(s->place, "%s", why);
}

/*
 * Read the members of this event. If it is unreadable, read those of the next readable event. Return false at the end.
 */
static bool
read_members(struct scan *s, struct value parts[PARTS])
{
	struct rescue rescue;
	bool whole;

	while (setjmp(rescue.env) != 0) {
		s->rescue = NULL;
		skip_event(s, rescue.message);
		memset(parts, 0, PARTS * sizeof *parts);
	}
	s->rescue = &rescue;
	s->hold = s->at++;
	whole = members(s, parts);
	s->rescue = NULL;
	return whole;
}

bool
event_next(struct scan *s, struct event *e)
{
	struct value parts[PARTS] = { 0 };
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
	if (!read_members(s, parts))
		goto cut;
	s->events++;
	*e = (struct event){ 0 };
	for (int i = 0; i < PARTS; i++) {
		struct text *to = (struct text *)(void *)((char *)e + known[i].to);

		if (to->n == 0)
			*to = part_text(s, &parts[i]);
	}
	e->ph = (char)(e->kind.n == 1 ? e->kind.at[0] : 0);
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

static struct text *
part_at(struct event *e, int i)
{
	return (struct text *)(void *)((char *)e + known[i].to);
}

void
event_own(struct event *e)
{
	for (int i = 0; i < PARTS; i++) {
		struct text *t = part_at(e, i);
		bool before = false;

		for (int k = 0; k < i; k++)
			before |= part_at(e, k) == t;
		if (!before && t->at != NULL)
			t->at = xstrndup(t->at, t->n);
	}
}

void
event_disown(struct event *e)
{
	for (int i = 0; i < PARTS; i++) {
		free((char *)part_at(e, i)->at);
		part_at(e, i)->at = NULL;
	}
}
