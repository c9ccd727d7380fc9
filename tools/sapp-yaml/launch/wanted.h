/* Wanted: the arguments that a script or a YAML should have, and which of them may be changed. */
#ifndef WANTED_H
#define WANTED_H

#include "lib/script/started.h"
#include "arguments.h"

struct wanted {
	struct launch launch;
	bool decided[LAUNCH_OPTIONS];	/* [options], whether the option must have this value, or be removed */
	/* the settings, with the plan's stages; dp 0: the number of devices is unknown */
	struct configuration candidate;
	/* whether the stream requests the candidate; otherwise it was read from the script */
	bool of_stream;
};

/* The plan and the framework for which a script or a YAML should have arguments. */
struct wanted_for {
	const struct plan *plan;
	const struct yaml_question *question;
	enum target target;
	enum launch_dialect dialect;
	int layers;		/* number of layers of the network, if the file has none; 0: unknown */
	bool micro;		/* whether to set the batch even without a candidate */
};
/* Set the wanted arguments of a file that now has the command NOW. Exits if plan and file do not match. */
void wanted_make(struct wanted *, const struct launch *now, const struct started *, const struct wanted_for *);
/* Exit unless the launch has the decided options; for a script, also unless it has the settings of the candidate. */
void wanted_verify(const struct wanted *, const struct launch *, const struct started *);
void wanted_free(struct wanted *);

#endif
