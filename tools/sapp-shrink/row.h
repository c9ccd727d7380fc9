/* Row: a row of a table of possible runs, see share/runs. */
#ifndef ROW_H
#define ROW_H

#include "lib/record/record.h"

/*
 * The numbers of a run are texts: "4"; "base", or absent: the number of the base; "x2", "/4": multiple or fraction of
 * it; "n/4": fraction of the devices.
 */
struct shrink_row {
	uint64_t given;
	char *name;
	int purpose;		/* enum run_purpose */
	bool base;		/* whether the run is the base of its regime; without such a row, the smallest run is */
	bool always;		/* whether the run is selected regardless of goals */
	/* whether each candidate has a run, with the candidate's degrees unless the row has them */
	bool each;
	bool whole;		/* with each: on as many devices as the candidate */
	char *tp, *cp, *pp, *ep, *etp, *seq, *mbs, *experts, *layers, *micro_batches;
	int nodes;		/* number of nodes; absent: value of -n */
	bool moe;		/* only for networks with experts, or only for networks without */
	int tp_most, seq_least, seq_most, experts_most;	/* limits of the base's sizes */
	int shard_least;	/* minimum tokens of a sequence per device; smaller runs are left out */
	int pp_least;		/* with each: minimum number of stages */
	/* with each: number of layers by number of stages; other numbers of stages are left out */
	struct amounts layers_of;
	int most;		/* with each: maximum number of runs */
	int recompute;		/* enum recomputation */
	struct place place;
};

struct shrink_rows {
	size_t n;
	struct shrink_row *at;
	bool choice;		/* whether some rows are optional */
};

extern const struct fields shrink_row_fields;
extern const char *const row_purposes[];	/* names of enum run_purpose */

/* Read the table PATH; NULL: share/runs/default.jsonl. */
struct shrink_rows rows_read(const char *path);
void shrink_rows_free(struct shrink_rows *);
/*
 * Return the number that TEXT, a MEMBER of a row, means for a BASE; BASE if TEXT is NULL. If "x2" would exceed MOST (0:
 * no limit), it means half. Exits, naming the row, if TEXT is invalid.
 */
int row_number(const struct shrink_row *, const char *member, const char *text, int base, int devices, int most);

#endif
