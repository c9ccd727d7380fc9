/*
 * Write coverage counts also for processes that end without exit(): before exec, or by a signal. Only in coverage
 * builds; the linker substitutes these functions for those of libc.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <unistd.h>

void __gcov_dump(void);
void __gcov_reset(void);
int __wrap_execv(const char *, char *const []);
int __real_execv(const char *, char *const []);
int __wrap_execlp(const char *, const char *, ...);
int __wrap_sigprocmask(int, const sigset_t *, sigset_t *);
int __real_sigprocmask(int, const sigset_t *, sigset_t *);
void __wrap__exit(int) __attribute__((noreturn));
void __real__exit(int) __attribute__((noreturn));

/* Dumping allocates memory. If that fails, the program ends within it, and must not dump again: it would wait. */
static void
dump(void)
{
	static bool dumping;

	if (dumping)
		return;
	dumping = true;
	__gcov_dump();
	__gcov_reset();
	dumping = false;
}

int
__wrap_execv(const char *path, char *const argv[])
{
	dump();
	return __real_execv(path, argv);
}

int
__wrap_execlp(const char *path, const char *first, ...)
{
	char *argv[16] = { (char *)first };
	va_list more;

	va_start(more, first);
	for (int n = 1; n < 15 && argv[n - 1] != NULL; n++)
		argv[n] = va_arg(more, char *);
	va_end(more);
	dump();
	return execvp(path, argv);
}

/* The handler of a signal unblocks the signal at its end. */
int
__wrap_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	dump();
	return __real_sigprocmask(how, set, old);
}

void
__wrap__exit(int status)
{
	dump();
	__real__exit(status);
}
