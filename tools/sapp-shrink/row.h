/* Row: of a table of runs that may be made, share/runs. */
#ifndef ROW_H
#define ROW_H

#include "lib/record/record.h"

/*
 * A number of a run: "4", "base" (or nothing): that of the table's base; "x2", "/4": so many times, or that part of
 * it; "n/4": of the devices.
 */
struct row {
	uint64_t given;
	char *name;
	int purpose;		/* enum run_purpose */
	bool base;		/* what others are compared with; without such a row, the smallest of a regime */
	bool always;		/* it is taken, whatever it tells */
	bool each;		/* once for each candidate, with its degrees where the row says none */
	bool whole;		/* of such: on as many devices as the candidate has */
	char *tp, *cp, *pp, *ep, *etp, *seq, *mbs, *experts, *layers, *micro_batches;
	int nodes;		/* that it takes; else those of -n */
	bool moe;		/* only for networks with experts, or without */
	int tp_most, seq_least, seq_most, experts_most;	/* of the base */
	int shard_least;	/* tokens of a sequence on a device: it is left out where there are fewer */
	int pp_least;		/* of each: stages are no fewer */
	struct amounts layers_of;	/* of each: by stages; those that are not there are left out */
	int most;		/* of each: runs */
	int recompute;		/* enum recomputation */
	struct place place;
};

struct rows {
	size_t n;
	struct row *at;
	bool choice;		/* some may be left out */
};

extern const struct fields row_fields;
extern const char *const row_purposes[];	/* by enum run_purpose */

/* The table PATH, or share/runs/default.jsonl. */
struct rows rows_read(const char *path);
void rows_free(struct rows *);
/* BASE, or as TEXT says; exits naming the row. HALF above MOST, which is 0 for none: "x2" is half then. */
int row_number(const struct row *, const char *member, const char *text, int base, int devices, int most);

#endif
