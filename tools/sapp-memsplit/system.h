/* System: one equation for every measured stage of every round, and the unknowns they are solved for. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include "lib/measure/equation.h"
#include "lib/yaml/initfile.h"

/*
 * Unknowns are numbered: those of the first kind of body layers, its parameters and the activations of all kinds of
 * recomputation, as enum unknown begins, the other kinds' behind them, then const, head and tail, and what a layer
 * takes at another moment than the pipeline's.
 */
enum {
	BODIES_MAX = 8,
	BODY_UNKNOWNS = UNKNOWN_ACTIVATION + RECOMPUTE_KINDS,
	UNKNOWNS_MAX = BODIES_MAX * BODY_UNKNOWNS + 4
};

struct bodies {			/* kinds of body layers, in the order of the model */
	int n;
	const char *name[BODIES_MAX];
	int layers[BODIES_MAX];
	double transient[BODIES_MAX];	/* MB that are there only while one runs, as far as known */
	double head_transient, tail_transient;	/* MB, the largest of each */
	double parameter[BODIES_MAX];	/* MB of a layer that were measured by themselves; 0: they are solved for */
};

struct measured {
	struct place place;
	int round, stage;
	double memory;		/* MB */
	double state;		/* MB of it between steps; 0: not known */
	bool floor;		/* it is of another moment than the pipeline's; system_floor() */
	double transient;	/* MB of it that are known to be there only while a layer runs; system_new() fills it */
};

/* Whether const is solved for; a constant nobody can tell apart is left at 0, and that is said. */
enum constant { CONSTANT_UNKNOWN, CONSTANT_TOO_FEW, CONSTANT_AMBIGUOUS };

struct system {
	const struct initfile *init;
	struct bodies bodies;
	/* [rounds], layers of each kind; without entries: none */
	struct grid (*count)[BODIES_MAX][RECOMPUTE_KINDS];
	int m;
	struct measured *measured;	/* [m], by round and stage */
	double (*row)[UNKNOWNS_MAX];	/* [m] */
	int n;
	int unknown[UNKNOWNS_MAX];	/* [n], those solved for */
	char *name[UNKNOWNS_MAX];	/* of all */
	double held[UNKNOWNS_MAX];	/* MB of those that were measured otherwise and not solved for; 0: none */
	double times[UNKNOWNS_MAX];	/* those that are so many times the parameters of a layer; 0: none */
	double plus[UNKNOWNS_MAX];	/* MB besides that these have */
	bool unmeasured[2];		/* head and tail that are tied because their stage has no peak */
	double computed[UNKNOWNS_MAX];	/* MB that those held may be off, which the network's shapes say; 0: none */
	enum constant constant;
	double margin;		/* MB that devices had at most beside peaks of what was in use; 0: not known */
	int middle, middle_needed;	/* measurements of stages that are neither first nor last */
};

/* The measurements are the system's from now on. */
struct system system_new(const struct initfile *, const struct bodies *, struct measured *, int m);
void system_free(struct system *);

/* Coefficients and memories for leastsquares_solve(): [m][n] and [m]. */
double *system_matrix(const struct system *);
double *system_memory(const struct system *);
/*
 * Take the peaks of middle stages from FROM on for those of another moment, such as the optimizer's step, when a stage
 * has nothing but so much for each of its layers; of one kind of layers. False: fewer than two are measured.
 */
bool system_floor(struct system *, int from);
int system_floor_unknown(const struct system *);
/* The same, with equations of its own, which are freed by system_copy_free(). */
struct system system_copy(const struct system *);
void system_copy_free(struct system *);
/* Leave UNKNOWN out: it is held at 0. */
void system_drop(struct system *, int unknown);
/* Solve for const after all, where any middle stage was measured and it can be told apart now. */
void system_solve_constant(struct system *);
/* Leave UNKNOWN out, which is VALUE MB. */
void system_hold(struct system *, int unknown, double value);
/* Leave UNKNOWN out, which is TIMES the parameters of a layer and PLUS MB; of one kind of them. */
void system_tie(struct system *, int unknown, double times, double plus);
/* Layers of each kind of recomputation at a measurement. */
void system_counts(const struct system *, int round, int stage, int body, int count[RECOMPUTE_KINDS]);
/* The coefficients of COUNT layers of BODY on STAGE, with those of const, head and tail. */
void system_row(const struct system *, int stage, int body, const int count[RECOMPUTE_KINDS],
    double row[UNKNOWNS_MAX]);
/* The number of UNKNOWN of BODY; const, head and tail are nobody's. */
int system_unknown(const struct system *, int body, enum unknown);
/* Whether it is the activations of a kind, and the kind. */
bool system_activation(const struct system *, int unknown, int *body, enum recompute *);

#endif
