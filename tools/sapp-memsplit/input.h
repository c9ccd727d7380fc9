/* Input: the peaks that were measured, and what is known of the layers besides. */
#ifndef INPUT_H
#define INPUT_H

#include "lib/yaml/initfile.h"
#include "lib/measure/peaklog.h"
#include "lib/record/record.h"
#include "origin.h"
#include "shapes.h"
#include "system.h"

struct input {
	struct initfile init;
	struct measured_job job;	/* what the file of the settings says besides */
	struct shapes shapes;		/* of the network, as the stream or that file describes it */
	struct records stream;		/* all of stdin but log lines */
	struct peaklog logs;		/* of log files, log lines and peak records */
	bool peaks_given;		/* there are peak records in the stream */
	int npeaks;
	struct peak *peaks;		/* taken from the logs */
};

struct input_options {
	int ranks;			/* 0: not said */
	int which;			/* enum peak_which, -1: not said */
	int layers;			/* 0: not said */
};

/* Read the init YAML, the LOGS (ended by NULL) and stdin, unless that is a terminal. */
void input_read(struct input *, const char *init, char *const logs[], const struct input_options *);
/* The kinds of body layers in the order of the model. Exits when it is not known how many layers each has. */
struct bodies input_bodies(const struct input *);
/* Every measured stage, from the logs or else from memory_usage; their number. Exits when there is none. */
int input_measured(const struct input *, struct measured **);
void input_free(struct input *);

#endif
