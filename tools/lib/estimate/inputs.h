/* Reader of a stream with a network, a cluster, and the candidates for them. */
#ifndef INPUTS_H
#define INPUTS_H

#include "lib/record/line.h"
#include "lib/record/record.h"

struct inputs {
	struct reader reader;
	bool have_network, have_cluster;
	bool named;			/* an option gave the cluster; clusters of the stream do not replace it */
	bool changed;				/* network or cluster has changed; the caller resets it */
	int networks;				/* number of networks read */
	struct record network, cluster;		/* the last ones read */
	bool told;			/* the warning that the optimizer's time on the host is unknown was printed */
	int compute;				/* enum number_type whose figures FLAT has */
	struct cluster flat;			/* the cluster with the figures of that type as its own */
};

/* Open the input. CLUSTER: file, or name of an installed cluster; NULL: the stream has the cluster. */
void inputs_open(struct inputs *, char *const operands[], uint64_t kinds, const char *cluster);
/*
 * Read the next record that is neither a network nor a cluster. Caller frees it. Write networks and clusters to OUT.
 * Return false at the end.
 */
bool inputs_next(struct inputs *, struct record *, struct line *out);
/*
 * Select the cluster's figures for the candidate's type of products, 16 bits by default. If the cluster has none of
 * this type, warn, and use its own figures as borrowed ones. Exit, naming AT, if the cluster has figures of another
 * type only.
 */
void inputs_choose(struct inputs *, const struct configuration *, struct place at);
/* Write the cluster to OUT if an option gave it. */
void inputs_tell(const struct inputs *, struct line *out);
const struct architecture *inputs_network(const struct inputs *);	/* Exit if no network was read. */
const struct cluster *inputs_cluster(const struct inputs *);		/* Exit if no cluster was read. */
void inputs_close(struct inputs *);

#endif
