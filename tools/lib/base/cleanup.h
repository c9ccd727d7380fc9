/* What must not be left behind however the program ends: temporary files, other programs. */
#ifndef CLEANUP_H
#define CLEANUP_H

/*
 * ACTION is called by exit(), and when a signal ends the program (not SIGKILL), then within a signal handler: it may
 * only do what is allowed there. A signal that the program handles or ignores is left to it. The size of a file that
 * may not grow is an error like any other, no signal, from then on.
 */
void cleanup_register(void (*action)(void));
/* Remove all; also where it was done before. */
void cleanup_all(void);
/* Remove all, then end by signal SIG; within its handler. */
_Noreturn void cleanup_end(int sig);

#endif
