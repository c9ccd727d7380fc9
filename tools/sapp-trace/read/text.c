#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clipped.h"
#include "lib/base/part.h"

bool
text_is(struct text t, const char *s)
{
	return t.at != NULL && t.n == strlen(s) && memcmp(t.at, s, t.n) == 0;
}

bool
text_begins(struct text t, const char *s)
{
	return t.n >= strlen(s) && memcmp(t.at, s, strlen(s)) == 0;
}

long
text_whole(struct text t, long most)
{
	const char *p = t.at;
	long n;

	if (t.n == 0)
		return -1;
	n = part_whole(&p, t.at + t.n, most);
	return p == t.at + t.n ? n : -1;
}

/* The way for numbers with an exponent: a double is near enough for what is written that way. */
static bool
real_time(struct text t, int64_t *ns)
{
	char copy[64], *end;
	struct clipped text = CLIPPED(copy);
	double x;

	if (t.n == 0 || memchr(t.at, 'x', t.n) != NULL || t.at[0] == ' ')
		return false;
	clipped_add(&text, t.at, t.n);
	if (text.cut)
		return false;
	x = strtod(copy, &end) * 1000;
	if (*end != '\0' || !isfinite(x) || fabs(x) > 4e18)
		return false;
	*ns = llround(x);
	return true;
}

bool
text_time(struct text t, int64_t *ns)
{
	const char *p = t.at, *end;
	bool negative = t.n > 0 && *p == '-';
	int64_t x = 0;
	int digits = 0, decimals = 0;

	if (t.at == NULL)
		return false;
	end = p + t.n;
	for (p += negative; p < end && *p >= '0' && *p <= '9'; p++, digits++) {
		if (x > INT64_C(400000000000000))	/* the result fits: 4e15 us are 126 years */
			return false;
		x = 10 * x + (*p - '0');
	}
	x *= 1000;
	if (digits > 0 && p < end && *p == '.') {
		static const int weight[] = { 100, 10, 1 };

		for (p++; p < end && *p >= '0' && *p <= '9'; p++, decimals++)
			if (decimals < 3)
				x += (*p - '0') * weight[decimals];
			else if (decimals == 3 && *p >= '5')
				x++;
	}
	if (digits == 0 || p != end)
		return real_time(t, ns);
	*ns = negative ? -x : x;
	return true;
}
