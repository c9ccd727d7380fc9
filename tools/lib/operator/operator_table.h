/* Measured operators of one device, and the times of operators between them. */
#ifndef OPERATOR_TABLE_H
#define OPERATOR_TABLE_H

#include "lib/base/index.h"
#include "lib/record/cluster.h"
#include "operator_law.h"

enum operator_source { OPERATOR_UNKNOWN, OPERATOR_FITTED, OPERATOR_MEASURED };

struct operator_entry {
	struct operator_key key;
	int n;
	double *times;			/* [n], ms */
	double time;			/* their median */
	double log[KEY_SIZES];		/* natural logarithms of the sizes */
	int *software;			/* [n], index of the table's softwares */
	struct place place;		/* place of the first record */
};

/* Entries that share a law. */
struct operator_group {
	struct operator_key like;	/* sizes are 0, except qk_dim of attention */
	int n, *entry;			/* [n], ascending */
	bool fitted;			/* false: the ideal law */
	struct operator_law law;
	double *over;			/* [n], measured time / time by the law */
};

/* Bytes per second of operators that only move memory. */
struct operator_rate {
	char *of;
	int phase;			/* enum operator_phase; -1: every phase */
	double bytes;			/* bytes moved; 0: the rate holds for every size */
	double bandwidth;		/* GB/s */
};

struct operator_time {
	double time;			/* ms; below 0: unknown */
	enum operator_source source;
};

struct operator_fit {
	bool known;
	struct operator_key key;
	struct operator_time is;
};

struct operator_table {
	int n;
	struct operator_entry *entry;
	struct index index;
	int ngroups;
	struct operator_group *group;
	int nrates;
	struct operator_rate *rate;
	int nsoftwares;
	char **software;
	int devices;
	char **device;			/* [devices] named by the records */
	bool borrowed;			/* measured on another device than the cluster's */
	/*
	 * gap: time between operators (ms); sustain: factor of times under sustained load; contention: fraction of a
	 * collective that slows an overlapping product
	 */
	double gap, sustain, contention;
	struct device_peaks peak;
	struct operator_fit *kept;	/* latest results of fits, by hash */
};

#define OPERATOR_GAP 0.03
#define OPERATOR_SUSTAIN 1.04
#define OPERATOR_CONTENTION 0.2

struct operator_table operator_table_none(void);
/* Add a record; questions (without a time) are ignored. Exits on inconsistent members. */
void operator_table_add(struct operator_table *, const struct device_operator *, struct place at);
/*
 * Compute medians and fit the laws after the last record. Exits if a time is below a third of what the device's peaks
 * allow. Warns about times 30 times longer, mixed software, and layouts without measurements.
 */
void operator_table_settle(struct operator_table *, const struct cluster *);
/*
 * Return the time of an operator: the median of its measurements, or the law times the weighted geometric mean of
 * measured / law for its three nearest neighbours (weights 1 / (distance + .05)^2).
 */
struct operator_time operator_table_time(const struct operator_table *, const struct operator_key *);
/* Return the GB/s of operator OF in PHASE near BYTES: its own rate, or the rate of "all"; 0 if unknown. */
double operator_table_rate(const struct operator_table *, const char *of, int phase, double bytes);
bool operator_table_empty(const struct operator_table *);
/* Empty the table, with a warning, if it is not of products of this enum number_type. It is not freed. */
void operator_table_of_type(struct operator_table *, int type);
void operator_table_free(struct operator_table *);

#endif
