#include "plain.h"

#include <ctype.h>

size_t
plain_text(char *text, size_t n)
{
	size_t to = 0;

	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\x1b' && i + 1 < n && text[i + 1] == '[') {
			for (i += 2; i < n && !isalpha((unsigned char)text[i]); i++)
				continue;
			continue;
		}
		text[to++] = text[i];
	}
	while (to > 0 && text[to - 1] == '\r')
		to--;
	return to;
}
