/* Wanted: the arguments that a script should have, and which of them may change. */
#ifndef WANTED_H
#define WANTED_H

#include "lib/script/started.h"
#include "arguments.h"

struct wanted {
	struct launch launch;
	bool decided[LAUNCH_OPTIONS];	/* set to this value, or removed */
	struct configuration candidate;	/* with the plan's stages; dp 0: unknown number of devices */
	bool of_stream;			/* requested, not read from the script */
};

/* MICRO: set the batch also without a candidate. Exits if plan and script do not match. */
void wanted_make(struct wanted *, const struct launch *now, const struct started *, const struct plan *,
    const struct yaml_question *, enum target, bool micro);
/* Exit unless the launch matches the plan and the candidate. */
void wanted_verify(const struct wanted *, const struct launch *, const struct started *);
void wanted_free(struct wanted *);

#endif
