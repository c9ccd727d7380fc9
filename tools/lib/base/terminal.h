/* Tell users at a terminal that the tool waits for input. */
#ifndef TERMINAL_H
#define TERMINAL_H

/* If standard input is a terminal, print to stderr that the tool reads WHAT from it, and how to end the input. */
void terminal_wait(const char *what);

#endif
