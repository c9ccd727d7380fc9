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
	int compute;				/* enum number_type that FLAT is of */
	struct cluster flat;			/* the cluster with figures of that type alone */
};

/* CLUSTER: file or name of an installed cluster; NULL: from the stream. */
void inputs_open(struct inputs *, char *const operands[], uint64_t kinds, const char *cluster);
/* Read the next other record; caller frees. Passes networks and clusters to OUT. */
bool inputs_next(struct inputs *, struct record *, struct line *out);
/*
 * Take the figures of the type of products that the candidate has, 16 bits unless it says so. Exits naming AT when the
 * cluster is one of another type; warns when it has no figures of this one: then its own count, as borrowed.
 */
void inputs_choose(struct inputs *, const struct configuration *, struct place at);
/* Write the cluster of the option. */
void inputs_tell(const struct inputs *, struct line *out);
const struct architecture *inputs_network(const struct inputs *);	/* exits if none was read */
const struct cluster *inputs_cluster(const struct inputs *);		/* exits if none was read */
void inputs_close(struct inputs *);

#endif
