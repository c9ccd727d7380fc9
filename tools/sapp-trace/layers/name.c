#include "name.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char module[] = "nn.Module: ";

static struct text
without_module(struct text name)
{
	size_t n = sizeof module - 1;

	if (name.n > n && memcmp(name.at, module, n) == 0)
		return (struct text){ name.at + n, name.n - n };
	return name;
}

struct text
module_class(struct text name)
{
	struct text t = without_module(name);

	if (t.n == name.n)
		return (struct text){ "", 0 };
	while (t.n > 0 && isdigit((unsigned char)t.at[t.n - 1]))
		t.n--;
	while (t.n > 0 && t.at[t.n - 1] == '_')
		t.n--;
	return t;
}

/* Remove a phase at the end of a name, and store it in X. */
static struct text
without_phase(struct text t, struct span_name *x)
{
	static const struct { const char *end; enum timing_phase phase; } ends[] = {
		{ "(F)", TIMING_FORWARD }, { "(B)", TIMING_BACKWARD }, { "(W)", TIMING_WEIGHT },
		{ "forward", TIMING_FORWARD }, { "fwd", TIMING_FORWARD },
		{ "backward", TIMING_BACKWARD }, { "bwd", TIMING_BACKWARD },
		{ "recompute", TIMING_RECOMPUTE },
	};

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		size_t n = strlen(ends[i].end);

		if (t.n <= n || strncasecmp(t.at + t.n - n, ends[i].end, n) != 0 ||
		    (ends[i].end[0] != '(' && isalnum((unsigned char)t.at[t.n - n - 1])))
			continue;
		x->phase = ends[i].phase;
		x->phase_given = true;
		t.n -= n;
		while (t.n > 0 && t.at[t.n - 1] != ')' && !isalnum((unsigned char)t.at[t.n - 1]))
			t.n--;
		return t;
	}
	return t;
}

static long
digits(const char *p, const char *end)
{
	long n = 0;

	if (p == end || !isdigit((unsigned char)*p))
		return -1;
	for (; p < end && isdigit((unsigned char)*p) && n < 100000000; p++)
		n = 10 * n + (*p - '0');
	return n;
}

/* Return whether T contains CLASS as a word, possibly followed by *NUMBER. */
static bool
class_in(const struct class *class, struct text t, long *number)
{
	const char *end = t.at + t.n;
	const char *p = t.at;

	for (; (p = memmem(p, (size_t)(end - p), class->name, class->length)) != NULL; p++) {
		const char *behind = p + class->length;

		if (p > t.at && isalnum((unsigned char)p[-1]) && isalnum((unsigned char)class->name[0]))
			continue;
		if (behind < end && isdigit((unsigned char)*behind) && isdigit((unsigned char)behind[-1]))
			continue;
		/* Accept a number after at most one other character, up to the end of the word. */
		if (behind < end && !isalnum((unsigned char)*behind) && behind + 1 < end &&
		    isdigit((unsigned char)behind[1]))
			behind++;
		if (behind < end && isalpha((unsigned char)*behind) &&
		    isalnum((unsigned char)class->name[class->length - 1]))
			continue;
		if (behind < end && *behind == '_' && !(behind + 1 < end && isdigit((unsigned char)behind[1])))
			continue;
		*number = digits(behind, end);
		/* A part of a layer is not the layer. */
		if (*number < 0 && behind < end && strchr("./:", *behind) != NULL)
			continue;
		if (*number < 0 && p > t.at)
			*number = digits(t.at, p);
		/* "layers." alone is only a prefix: a number must follow it. */
		if (*number < 0 && !isalnum((unsigned char)class->name[class->length - 1]))
			continue;
		return true;
	}
	return false;
}

bool
span_name(const struct classes *c, struct text name, struct span_name *x)
{
	struct text t;
	size_t best = 0;
	long number;

	*x = (struct span_name){ .class = -1, .number = -1, .phase = TIMING_FORWARD };
	t = without_phase(without_module(name), x);
	for (int i = 0; i < c->n; i++)
		if (c->at[i].length > best && c->at[i].length <= t.n && class_in(&c->at[i], t, &number)) {
			best = c->at[i].length;
			x->class = i;
			x->number = number;
		}
	return x->class >= 0;
}
