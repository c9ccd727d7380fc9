/* Remove temporary files and stop child processes however the program ends. */
#ifndef CLEANUP_H
#define CLEANUP_H

/*
 * Call ACTION from exit() and when a signal (other than SIGKILL) ends the program. ACTION may run within a signal
 * handler and must be safe there. Signals that the program handles or ignores stay as they are. From now on exceeding
 * the file size limit is a write error, not a signal.
 */
void cleanup_register(void (*action)(void));
/* Run all actions now; repeated calls are harmless. */
void cleanup_all(void);
/* Run all actions, then end by signal SIG; for signal handlers. */
_Noreturn void cleanup_end(int sig);

#endif
