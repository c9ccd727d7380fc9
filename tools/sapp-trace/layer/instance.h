/* Instances: the different layers of the classes, as a timeline names them (0-LLamaDecodeLayer). */
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

/* The instance of a component on a process, made when it is new; exits when there are too many. */
int instance_of(struct instances *, struct text component, int class, int process, struct place at);
/* The same for one that may be there; -1: it is not. */
int instance_find(const struct instances *, const char *component, int process);
void instances_free(struct instances *);

#endif
