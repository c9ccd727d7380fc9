/* Input: the measured peaks, and everything known about the layers. */
#ifndef INPUT_H
#define INPUT_H

#include "lib/measure/peaklog.h"
#include "lib/record/record.h"
#include "lib/yaml/initfile.h"
#include "origin.h"
#include "shapes.h"
#include "system.h"

struct input {
	struct initfile init;
	struct measured_job job;	/* from the settings file */
	struct memsplit_shapes shapes;		/* shapes of the network, from the stream or the settings file */
	struct records stream;		/* standard input without lines of logs */
	struct peaklog logs;		/* entries from log files, lines of logs and peak records */
	bool peaks_given;		/* whether the stream has peak records */
	int npeaks;
	struct peak *peaks;		/* peaks from the logs */
};

struct input_options {
	int ranks;			/* number of ranks; 0: unset */
	int which;			/* enum peak_which; -1: unset */
	int layers;			/* number of layers; 0: unset */
	int vocabulary;			/* number of words; 0: unset */
};

/* Read the init YAML, the LOGS (NULL-terminated), and standard input unless it is a terminal. */
void input_read(struct input *, const char *init, char *const logs[], const struct input_options *);
/* Return the kinds of BODY layers in model order. Exits if their numbers of layers are unknown. */
struct bodies input_bodies(const struct input *);
/*
 * Get all measured stages from the logs, or otherwise from memory_usage, in *PEAKS. Return their number. Exits if none
 * exist.
 */
int input_measured(const struct input *, struct fitted_peak **);
void input_free(struct input *);

#endif
