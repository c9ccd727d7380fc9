/* Instances: the single layers of the classes, as a timeline names them (0-LLamaDecodeLayer). */
#ifndef INSTANCE_H
#define INSTANCE_H

#include "lib/base/index.h"
#include "sapp-trace/read/event.h"

struct instance {
	char *component;
	int class;
	int process;
};

struct instances {
	int n;
	struct instance *at;
	struct index names;
};

enum { MAX_INSTANCES = 50000 };

/* Return the instance of a component on a process. Create it if needed. Exits if the instances are too many. */
int instance_of(struct instances *, struct text component, int class, int process, struct place at);
/* Return the instance of a component on a process, or -1 if it does not exist. */
int instance_find(const struct instances *, const char *component, int process);
void instances_free(struct instances *);

#endif
