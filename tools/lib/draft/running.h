/* Running: the configuration of a run, from its arguments. */
#ifndef RUNNING_H
#define RUNNING_H

#include "draft.h"

/* Set the draft's configuration, batch and adapters, and the members of its network that a run decides. */
void running_read(struct draft *, struct bag *arguments);
/* Set the number of devices, from the arguments or from the launcher's variables. */
void running_devices(struct draft *, struct bag *arguments, struct bag *started);

#endif
