/* The network and the cluster of a stream, and candidates one after the other. */
#ifndef INPUTS_H
#define INPUTS_H

#include "lib/record/line.h"
#include "lib/record/record.h"

struct inputs {
	struct reader reader;
	bool have_network, have_cluster;
	bool named;				/* the cluster was, by an option, and wins over the stream's */
	bool changed;				/* one of them came; for the caller to take note */
	int networks;				/* how many came */
	struct record network, cluster;		/* what was read last of each */
};

/* CLUSTER: its file, or the name of one that is installed; NULL where the stream has one. */
void inputs_open(struct inputs *, char *const operands[], uint64_t kinds, const char *cluster);
/* The next record that is neither; records are freed by the caller. Networks and clusters are passed on to OUT. */
bool inputs_next(struct inputs *, struct record *, struct line *out);
/* Pass on the cluster that was named. */
void inputs_tell(const struct inputs *, struct line *out);
const struct architecture *inputs_network(const struct inputs *);	/* exits when there is none */
const struct cluster *inputs_cluster(const struct inputs *);		/* exits when there is none */
void inputs_close(struct inputs *);

#endif
