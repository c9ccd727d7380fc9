#include "cost.h"

#include <err.h>
#include <sys/resource.h>

void
cost_say(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	warnx("%.2f s of processor time, at most %.1f MB of memory",
	    (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
	    (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6, (double)r.ru_maxrss / 1024);
}
