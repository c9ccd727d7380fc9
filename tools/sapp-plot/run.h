/* Run: a simulated plan with its blocks, for drawing. */
#ifndef RUN_H
#define RUN_H

#include "lib/record/record.h"
#include "lib/schedule/schedule.h"

struct bar {			/* a block without its name */
	double start, end;	/* ms */
	double memory, peak;	/* MB on the stage after the block, and maximum during it */
	double recompute;	/* ms of recomputation at the block's start */
	int stage, chunk, micro;
	int phase;		/* enum phase */
	size_t order;		/* position in the stream, which gives the order of memory changes at equal times */
};

struct plot_run {
	const char *name;
	const char *model;	/* model of the plan; NULL: it has no name */
	struct record sim;
	struct record plan;	/* of kind RECORD_PLAN, if a plan exists */
	struct record comparison;	/* with a real run; of kind RECORD_COMPARISON, if any */
	int stages, chunks, micros;
	bool phase[PHASES];	/* [phases], whether the phase occurs */
	bool recompute;		/* whether any bar has recomputation */
	size_t n;
	struct bar *bar;	/* sorted by stage, then by start */
	size_t *first;		/* [stages + 1], index of each stage's first bar */
};

struct plot_runs {
	int n;
	struct plot_run *at;		/* in the order of their sim records */
	struct records kept;	/* model, layer, pipeline and chunks records of the input */
	struct records settings;	/* settings of the plans, by framework */
};

/* Read all sim records of the stream, with their blocks. Exits if none exist. */
struct plot_runs runs_read(char *const operands[]);
void plot_runs_free(struct plot_runs *);
/* Return the run NAME. If it does not exist, exit with a list of names. */
struct plot_run *plot_runs_find(struct plot_runs *, const char *name);
/* Exit unless S has blocks to draw. */
void run_need_blocks(const struct plot_run *);

/* Return a figure of a stage in the real run; NAN: not measured. */
double run_measured(const struct plot_run *, enum compared_figure, int stage);

/* Return the part of the stage's row in which block N is drawn. Two blocks at the same time share the row. */
enum run_part { RUN_WHOLE, RUN_UPPER, RUN_LOWER };
enum run_part run_part(const struct plot_run *, size_t n);

/* Return the MB on an idle stage. */
double run_static_memory(const struct plot_run *, int stage);
/* Return the maximum MB over all stages; *STAGE: the stage with this maximum. */
double run_peak(const struct plot_run *, int *stage);
/* Return the limit of a stage, MB; 0: none. */
double run_limit(const struct plot_run *, int stage);
/* Return the stage whose peak is furthest above its limit; -1: all fit. */
int run_over(const struct plot_run *);
/* Return step time / proved bound - 1; negative: no bound exists. */
double run_gap(const struct plot_run *);

#endif
