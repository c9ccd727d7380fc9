/* Masking of control characters before untrusted text reaches a terminal. */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdbool.h>

/* Return whether TEXT has a character that a terminal or an editor would act on. */
bool control_any(const char *text);
/* Replace each such character by '?', in place. */
void control_mask(char *text);

#endif
