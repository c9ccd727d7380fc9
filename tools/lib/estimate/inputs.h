/* Read the network, the cluster and the candidates of a stream. */
#ifndef INPUTS_H
#define INPUTS_H

#include "lib/record/line.h"
#include "lib/record/record.h"

struct inputs {
	struct reader reader;
	bool have_network, have_cluster;
	bool named;				/* the cluster came from an option and overrides the stream's */
	bool changed;				/* network or cluster has changed; reset by the caller */
	int networks;				/* number read */
	struct record network, cluster;		/* the last one read */
	bool told;				/* that the time of an optimizer on the host is unknown */
	int compute;				/* enum number_type of FLAT */
	struct cluster flat;			/* the cluster with only the figures of that type */
};

/* CLUSTER: file or name of an installed cluster; NULL: from the stream. */
void inputs_open(struct inputs *, char *const operands[], uint64_t kinds, const char *cluster);
/* Read the next other record; caller frees. Passes networks and clusters to OUT. */
bool inputs_next(struct inputs *, struct record *, struct line *out);
/*
 * Select the cluster's figures for the candidate's type of products, 16 bits by default. If the cluster has no figures
 * of this type, warn and use its own figures as borrowed. Exits, naming AT, if the cluster is for another type only.
 */
void inputs_choose(struct inputs *, const struct configuration *, struct place at);
/* Write the cluster that an option gave. */
void inputs_tell(const struct inputs *, struct line *out);
const struct architecture *inputs_network(const struct inputs *);	/* exits if none was read */
const struct cluster *inputs_cluster(const struct inputs *);		/* exits if none was read */
void inputs_close(struct inputs *);

#endif
