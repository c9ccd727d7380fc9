#include "text.h"

#include <ctype.h>
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

/* Convert a time with an exponent. The accuracy of a double suffices. */
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
		if (x > INT64_C(400000000000000))	/* larger results would not fit: 4e15 us are 126 years */
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

/* Return the code unit of the \uXXXX at TEXT, with N bytes left; -1: none. */
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
 * Convert the \uXXXX at TEXT, or a surrogate pair, to UTF-8 in OUT. OUT may be TEXT, because UTF-8 is shorter. Return
 * its length; 0: it is NUL, or not a character. *TAKEN: number of bytes of TEXT converted.
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

size_t
text_unescape(char *text, size_t n)
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
