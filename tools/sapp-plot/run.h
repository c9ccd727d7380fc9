/* Run: one simulated plan with its blocks, as the pictures need it. */
#ifndef RUN_H
#define RUN_H

#include "lib/record/record.h"
#include "lib/schedule/schedule.h"

struct bar {			/* a block without its name */
	double start, end;	/* ms */
	double memory, peak;	/* MB on the stage after it, and while it runs */
	double recompute;	/* ms at its beginning in which activations are computed again */
	int stage, chunk, micro;
	int phase;		/* enum phase */
	size_t order;		/* in the stream: memory of blocks that end together changes in this order */
};

struct run {
	const char *name;
	const char *model;	/* whose plan it is; NULL: none that has a name */
	struct record sim;
	struct record plan;	/* kind RECORD_PLAN only when there was one */
	struct record comparison;	/* with a real run; kind RECORD_COMPARISON only when there was one */
	int stages, chunks, micros;
	bool phase[PHASES];	/* that occur */
	bool recompute;		/* is there any in a bar? */
	size_t n;
	struct bar *bar;	/* by stage, then by start */
	size_t *first;		/* [stages + 1]: where each stage's bars begin */
};

struct runs {
	int n;
	struct run *at;		/* in the order of their sim records */
	struct records kept;	/* model, layer, pipeline and chunks: what was simulated */
	struct records settings;	/* settings of the plans, by frameworks */
};

/* All sim records of the stream with their blocks. Exits when there is none. */
struct runs runs_read(char *const operands[]);
void runs_free(struct runs *);
/* The one called NAME; exits, listing the names there are, when there is none. */
struct run *runs_find(struct runs *, const char *name);
/* Exit unless S has blocks to draw. */
void run_need_blocks(const struct run *);

/* What was measured of a stage in a real run; NAN: it was not. */
double run_measured(const struct run *, enum compared_figure, int stage);

/* Which half of its stage's row the N-th block takes: two that run at the same time share it. */
enum run_part { RUN_WHOLE, RUN_UPPER, RUN_LOWER };
enum run_part run_part(const struct run *, size_t n);

/* MB on a stage while nothing runs. */
double run_static_memory(const struct run *, int stage);
/* MB, the highest of all stages; *STAGE is set to where. */
double run_peak(const struct run *, int *stage);
/* The limit of a stage, or 0 when none was given. */
double run_limit(const struct run *, int stage);
/* The stage that is the most above its limit; -1: all fit. */
int run_over(const struct run *);
/* Step time over what is proved of it, less 1: how far from the best possible at most; negative: nothing is proved. */
double run_gap(const struct run *);

#endif
