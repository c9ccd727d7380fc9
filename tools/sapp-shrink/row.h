/* Row of a table of possible runs, share/runs. */
#ifndef ROW_H
#define ROW_H

#include "lib/record/record.h"

/*
 * Numbers of a run: "4"; "base" or absent: the base's; "x2", "/4": multiple or fraction of the base's; "n/4": fraction
 * of the devices.
 */
struct shrink_row {
	uint64_t given;
	char *name;
	int purpose;		/* enum run_purpose */
	bool base;		/* base of its regime; without such a row, the smallest run is the base */
	bool always;		/* selected whatever goals it reaches */
	bool each;		/* one run per candidate, with its degrees where the row has none */
	bool whole;		/* each: on as many devices as the candidate */
	char *tp, *cp, *pp, *ep, *etp, *seq, *mbs, *experts, *layers, *micro_batches;
	int nodes;		/* number of nodes; absent: -n */
	bool moe;		/* only for networks with experts, or only without */
	int tp_most, seq_least, seq_most, experts_most;	/* limits of the base */
	int shard_least;	/* minimum tokens of a sequence per device; smaller runs are left out */
	int pp_least;		/* each: minimum number of stages */
	struct amounts layers_of;	/* each: layers by number of stages; other numbers are left out */
	int most;		/* each: maximum number of runs */
	int recompute;		/* enum recomputation */
	struct place place;
};

struct shrink_rows {
	size_t n;
	struct shrink_row *at;
	bool choice;		/* some rows are optional */
};

extern const struct fields shrink_row_fields;
extern const char *const row_purposes[];	/* by enum run_purpose */

/* Read the table PATH, or share/runs/default.jsonl if NULL. */
struct shrink_rows rows_read(const char *path);
void shrink_rows_free(struct shrink_rows *);
/* Return BASE, or the value of TEXT. Exits, naming the row. If "x2" would exceed MOST (0: no limit), it means half. */
int row_number(const struct shrink_row *, const char *member, const char *text, int base, int devices, int most);

#endif
