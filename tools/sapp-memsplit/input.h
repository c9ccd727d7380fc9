/* Input: the measured peaks and everything known about the layers. */
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
	struct memsplit_shapes shapes;		/* of the network, from the stream or the settings file */
	struct records stream;		/* stdin without log lines */
	struct peaklog logs;		/* log files, log lines and peak records */
	bool peaks_given;		/* the stream has peak records */
	int npeaks;
	struct peak *peaks;		/* from the logs */
};

struct input_options {
	int ranks;			/* 0: unset */
	int which;			/* enum peak_which, -1: unset */
	int layers;			/* 0: unset */
	int vocabulary;			/* words; 0: unset */
};

/* Read the init YAML, the LOGS (NULL-terminated) and stdin, unless stdin is a terminal. */
void input_read(struct input *, const char *init, char *const logs[], const struct input_options *);
/* Return the kinds of body layers in model order. Exits if their numbers of layers are unknown. */
struct bodies input_bodies(const struct input *);
/* Get all measured stages from the logs, else from memory_usage; return their number. Exits if there are none. */
int input_measured(const struct input *, struct fitted_peak **);
void input_free(struct input *);

#endif
