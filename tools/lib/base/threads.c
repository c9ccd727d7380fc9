#include "threads.h"

#include <pthread.h>
#include <stdbool.h>

void
threads_run(void *(*work)(void *), void *item, size_t size, int n)
{
	pthread_t thread[n];
	bool begun[n];

	for (int i = 1; i < n; i++)
		begun[i] = pthread_create(&thread[i], NULL, work, (char *)item + (size_t)i * size) == 0;
	work(item);
	for (int i = 1; i < n; i++) {
		if (begun[i])
			pthread_join(thread[i], NULL);
		else
			work((char *)item + (size_t)i * size);
	}
}
