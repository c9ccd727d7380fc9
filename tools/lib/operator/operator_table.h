/* A table of measured operators of one device. It gives the times of operators, measured or between measurements. */
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
	double time;			/* ms, median of times */
	double log[KEY_SIZES];		/* natural logarithms of the sizes */
	int *software;			/* [n], index in software of the table */
	struct place place;		/* place of the first record */
};

/* Entries with the same law. */
struct operator_group {
	struct operator_key like;	/* key of the entries; sizes are 0, except qk_dim of attention */
	int n, *entry;			/* [n], indices of the entries, ascending */
	bool fitted;			/* the law is fitted; false: it is the ideal law */
	struct operator_law law;
	double *over;			/* [n], measured time / time by the law */
};

/* The rate of operators that only move memory. */
struct operator_rate {
	char *of;
	int phase;			/* enum operator_phase; -1: every phase */
	double bytes;			/* bytes moved; 0: the rate is for any number of bytes */
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
	char **device;			/* [devices], names from the records */
	bool borrowed;			/* measured on another device than the cluster's */
	/*
	 * GAP: ms between two operators. SUSTAIN: times under sustained load / measured times. CONTENTION: increase of
	 * a product's time / time of the collective that overlaps it.
	 */
	double gap, sustain, contention;
	struct device_peaks peak;
	struct operator_fit *kept;	/* cache of the latest fits, by hash of the key */
};

#define OPERATOR_GAP 0.03
#define OPERATOR_SUSTAIN 1.04
#define OPERATOR_CONTENTION 0.2

struct operator_table operator_table_none(void);
/* Add a record. Ignore questions, which have no time. Exit, naming AT, if members are inconsistent. */
void operator_table_add(struct operator_table *, const struct device_operator *, struct place at);
/*
 * After the last record, compute medians and fit the laws. The device's peaks give a minimum of each time. Exit if a
 * time is below a third of its minimum. Warn about times above 30 times the minimum, several versions of software, and
 * layouts without measurements.
 */
void operator_table_settle(struct operator_table *, const struct cluster *);
/*
 * Return the time of an operator. If the operator was measured, it is the median of its measurements. Otherwise it is
 * the time by the law, corrected by the three nearest neighbours. The correction is the geometric mean of their
 * measured / law, weighted by 1 / (distance + .05)^2.
 */
struct operator_time operator_table_time(const struct operator_table *, const struct operator_key *);
/*
 * Return the GB/s of operator OF in PHASE near BYTES. If the operator has no rate, return the rate of "all"; 0:
 * unknown.
 */
double operator_table_rate(const struct operator_table *, const char *of, int phase, double bytes);
bool operator_table_empty(const struct operator_table *);
/*
 * Empty the table, with a warning, unless TYPE (enum number_type of the candidates' products) has 16 bits. Its memory
 * is not freed.
 */
void operator_table_of_type(struct operator_table *, int type);
void operator_table_free(struct operator_table *);

#endif
