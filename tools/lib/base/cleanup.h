/* Removal of temporary files and end of child processes, however the program ends. */
#ifndef CLEANUP_H
#define CLEANUP_H

/*
 * Let exit(), and any signal but SIGKILL that ends the program, call ACTION. ACTION may be called in a signal handler
 * and must be safe there. Signals that the program handles or ignores stay as they are. From now on, a write beyond the
 * limit of file sizes is an error instead of a signal.
 */
void cleanup_register(void (*action)(void));
/* Run all actions. Further calls do nothing. */
void cleanup_all(void);
/* Run all actions, then end the program by signal SIG. For signal handlers. */
_Noreturn void cleanup_end(int sig);

#endif
