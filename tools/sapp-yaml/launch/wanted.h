/* Wanted: what arguments of a script are to say, and which of them are left as they are. */
#ifndef WANTED_H
#define WANTED_H

#include "arguments.h"
#include "lib/script/started.h"

struct wanted {
	struct launch launch;
	bool decided[LAUNCH_OPTIONS];	/* to be there with this value, or not there */
	struct configuration candidate;	/* with the plan's stages; dp 0: nobody says how many devices there are */
	bool of_stream;			/* it was asked for, not read from the script */
};

/* MICRO: the batch, too, where no candidate says it. Exits when plan and script do not go together. */
void wanted_make(struct wanted *, const struct launch *now, const struct started *, const struct plan *,
    const struct question *, enum target, bool micro);
/* Exits unless the launch says the plan and the candidate. */
void wanted_verify(const struct wanted *, const struct launch *, const struct started *);
void wanted_free(struct wanted *);

#endif
