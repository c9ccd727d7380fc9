#include "thousands.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"

char *
thousands(double x)
{
	char *plain = xasprintf("%.0f", x);
	size_t n = strlen(plain), lead = plain[0] == '-', k = 0;
	char *text = xcalloc(n + n / 3 + 2, 1);

	for (size_t i = 0; i < n; i++) {
		if (i > lead && (n - i) % 3 == 0)
			text[k++] = ',';
		text[k++] = plain[i];
	}
	free(plain);
	return text;
}
