#include "threads.h"

#include <pthread.h>
#include <stdbool.h>

#include "clock.h"

struct thread_job {
	void *(*work)(void *);
	void *item;
	long looks;		/* number of looks at the clock before the item's work, then after it */
};

static void *
run(void *p)
{
	struct thread_job *j = p;

	clock_set_looks(j->looks);
	j->work(j->item);
	j->looks = clock_looks();
	return NULL;
}

void
threads_run(void *(*work)(void *), void *item, size_t size, int n)
{
	pthread_t thread[n];
	bool begun[n];
	struct thread_job job[n];
	long last = clock_looks();

	for (int i = 0; i < n; i++)
		job[i] = (struct thread_job){ work, (char *)item + (size_t)i * size, last };
	for (int i = 1; i < n; i++)
		begun[i] = pthread_create(&thread[i], NULL, run, &job[i]) == 0;
	run(&job[0]);
	for (int i = 1; i < n; i++) {
		if (begun[i])
			pthread_join(thread[i], NULL);
		else
			run(&job[i]);
	}
	for (int i = 0; i < n; i++)
		last = job[i].looks > last ? job[i].looks : last;
	clock_set_looks(last);
}
