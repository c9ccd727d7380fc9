/* Run: a simulated plan with its blocks, for drawing. */
#ifndef RUN_H
#define RUN_H

#include "lib/record/record.h"
#include "lib/schedule/schedule.h"

struct bar {			/* a block without its name */
	double start, end;	/* ms */
	double memory, peak;	/* MB on the stage, after it and during it */
	double recompute;	/* ms of recomputation at its start */
	int stage, chunk, micro;
	int phase;		/* enum phase */
	size_t order;		/* position in the stream: order of memory changes at equal ends */
};

struct plot_run {
	const char *name;
	const char *model;	/* of the plan; NULL: unnamed */
	struct record sim;
	struct record plan;	/* kind RECORD_PLAN if there is a plan */
	struct record comparison;	/* with a real run; kind RECORD_COMPARISON if there is one */
	int stages, chunks, micros;
	bool phase[PHASES];	/* phases in use */
	bool recompute;		/* any bar has recomputation */
	size_t n;
	struct bar *bar;	/* sorted by stage, then by start */
	size_t *first;		/* [stages + 1]: start of each stage's bars */
};

struct plot_runs {
	int n;
	struct plot_run *at;		/* in the order of their sim records */
	struct records kept;	/* model, layer, pipeline and chunks records of the input */
	struct records settings;	/* settings of the plans, by framework */
};

/* Read all sim records of the stream with their blocks. Exits if none exist. */
struct plot_runs runs_read(char *const operands[]);
void plot_runs_free(struct plot_runs *);
/* Return the run NAME; exit with a list of names if it does not exist. */
struct plot_run *plot_runs_find(struct plot_runs *, const char *name);
/* Exit unless S has blocks to draw. */
void run_need_blocks(const struct plot_run *);

/* Return a stage's figure measured in a real run; NAN if none exists. */
double run_measured(const struct plot_run *, enum compared_figure, int stage);

/* Return the part of the stage's row for block N; two blocks at the same time share the row. */
enum run_part { RUN_WHOLE, RUN_UPPER, RUN_LOWER };
enum run_part run_part(const struct plot_run *, size_t n);

/* MB on an idle stage. */
double run_static_memory(const struct plot_run *, int stage);
/* Return the maximum MB over stages; *STAGE: where. */
double run_peak(const struct plot_run *, int *stage);
/* Return a stage's limit, or 0. */
double run_limit(const struct plot_run *, int stage);
/* Return the stage furthest above its limit; -1 if all fit. */
int run_over(const struct plot_run *);
/* Return the step time / proved bound - 1; negative: no bound. */
double run_gap(const struct plot_run *);

#endif
