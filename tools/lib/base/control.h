/* Control: control characters, masked before text from outside reaches a terminal. */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdbool.h>

/* Any that a terminal or an editor would obey? */
bool control_any(const char *text);
/* All of them to '?', in place. */
void control_mask(char *text);

#endif
