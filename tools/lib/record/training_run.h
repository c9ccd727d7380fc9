/* The run record: a small run, made or proposed, from which coefficients are fitted. */
#ifndef TRAINING_RUN_H
#define TRAINING_RUN_H

#include "configuration.h"

enum run_purpose { RUN_ANCHOR, RUN_LEVER, RUN_TRAFFIC, RUN_STATIC };

struct training_run {
	uint64_t given;
	struct configuration of;	/* configuration, with its defaults after training_run_check() */
	double step_time;		/* ms */
	/* Sizes of the run that differ from the network's. */
	int layers, seq_length, experts, num_heads, kv_heads, ffn_size, expert_ffn_size, vocab_size;
	int purpose;			/* enum run_purpose */
	struct texts tells;		/* names of the quantities that the run determines */
	char *dir, *command;
	char *device;			/* device type */
	int devices;			/* number of devices */
	double cost;			/* devices x seconds */
};

extern const struct fields training_run_fields;

/* Fill in the defaults of the configuration. Exit, naming AT, if its degrees are invalid. */
void training_run_check(struct training_run *, struct place at);

#endif
