/* The run record: one that was made, or is to be made, to learn from. */
#ifndef TRAINING_RUN_H
#define TRAINING_RUN_H

#include "configuration.h"

enum run_purpose { RUN_ANCHOR, RUN_LEVER, RUN_TRAFFIC, RUN_STATIC };

struct training_run {
	uint64_t given;
	struct configuration of;	/* with defaults after training_run_check() */
	double step_time;		/* ms */
	/* What differs from the network. */
	int layers, seq_length, experts, num_heads, kv_heads, ffn_size, expert_ffn_size, vocab_size;
	int purpose;			/* enum run_purpose */
	struct texts tells;		/* what it is for */
	char *dir, *command;
	char *device;			/* that it ran on */
	int devices;			/* how many */
	double cost;			/* device seconds */
};

extern const struct fields training_run_fields;

/* Fill in a candidate's defaults; exits naming AT on degrees that are no configuration. */
void training_run_check(struct training_run *, struct place at);

#endif
