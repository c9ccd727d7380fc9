/* Terminal: what is said to who sits at one and may not know that a tool waits. */
#ifndef TERMINAL_H
#define TERMINAL_H

/* Where standard input is a terminal, say there that WHAT is read from it, and how to end it. */
void terminal_wait(const char *what);

#endif
