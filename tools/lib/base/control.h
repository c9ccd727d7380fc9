/* Control: control characters, masked before text from outside reaches a terminal. */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Bytes of what TEXT begins with if a terminal or an editor would obey it: C0 and C1 controls and marks that turn the
 * direction of writing, so that a line reads other than it is. Of what is not UTF-8, one byte. 0 for all others.
 */
size_t control_length(const char *text);
bool control_any(const char *text);
/* All of them to '?', in place. */
void control_mask(char *text);

#endif
