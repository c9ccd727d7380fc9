#include "control.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Return the character at S and set *LENGTH to its number of bytes. Return -1 if it is not UTF-8: truncated, overlong,
 * or a surrogate.
 */
static int32_t
decode(const unsigned char *s, size_t *length)
{
	static const int32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = *s < 0x80 ? 1 : *s >> 5 == 6 ? 2 : *s >> 4 == 14 ? 3 : *s >> 3 == 30 ? 4 : 0;
	int32_t c = n == 1 ? *s : *s & (0x7f >> n);

	*length = 1;
	if (n == 0)
		return -1;
	for (size_t i = 1; i < n; i++) {
		if (s[i] >> 6 != 2)
			return -1;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return -1;
	*length = n;
	return c;
}

/*
 * Return the length of the control character at the start of TEXT, or 0. These are the C0 and C1 controls, and marks
 * that change the direction of writing and can disguise a line. An invalid byte is one of length 1.
 */
static size_t
control_length(const char *text)
{
	size_t n;
	int32_t c = decode((const unsigned char *)text, &n);
	bool obeyed = c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
	    (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);

	return *text != '\0' && obeyed ? n : 0;
}

bool
control_any(const char *text)
{
	for (; *text != '\0'; text++)
		if (control_length(text) > 0)
			return true;
		else
			while (((unsigned char)text[1] & 0xc0) == 0x80)
				text++;
	return false;
}

void
control_mask(char *text)
{
	char *to = text;

	while (*text != '\0') {
		size_t n = control_length(text);

		if (n > 0) {
			*to++ = '?';
			text += n;
			continue;
		}
		do
			*to++ = *text++;
		while (((unsigned char)*text & 0xc0) == 0x80);
	}
	*to = '\0';
}
