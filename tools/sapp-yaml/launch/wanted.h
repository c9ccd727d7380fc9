/* Wanted: the arguments that a script or a YAML should have, and which of them may change. */
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

/* For a file of a framework, which has the command NOW. */
struct wanted_for {
	const struct plan *plan;
	const struct yaml_question *question;
	enum target target;
	enum launch_dialect dialect;
	int layers;		/* of the network, if the file has none; 0: unknown */
	bool micro;		/* set the batch also without a candidate */
};
/* Exits if plan and file do not match. */
void wanted_make(struct wanted *, const struct launch *now, const struct started *, const struct wanted_for *);
/* Exit unless the launch has the decided options; a script: the candidate also. */
void wanted_verify(const struct wanted *, const struct launch *, const struct started *);
void wanted_free(struct wanted *);

#endif
