/* System: the equation of every measured stage and round, and their unknowns. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include "lib/measure/equation.h"
#include "lib/yaml/initfile.h"

/*
 * Numbering of the unknowns: parameters and activations by kind of recomputation of the first kind of body layers,
 * starting as enum unknown; then those of other body kinds; then const, head, tail and floor (memory per layer at a
 * moment outside the pipeline).
 */
enum {
	BODIES_MAX = 8,
	BODY_UNKNOWNS = UNKNOWN_ACTIVATION + RECOMPUTE_KINDS,
	UNKNOWNS_MAX = BODIES_MAX * BODY_UNKNOWNS + 4
};

struct bodies {			/* kinds of body layers, in model order */
	int n;
	const char *name[BODIES_MAX];
	int layers[BODIES_MAX];
	double transient[BODIES_MAX];	/* MB in use only while a layer runs, if known */
	double head_transient, tail_transient;	/* MB, maximum over layers */
	double parameter[BODIES_MAX];	/* MB per layer, measured directly; 0: solved for */
};

struct fitted_peak {
	struct place place;
	int round, stage;
	double memory;		/* MB */
	double state;		/* MB in use between steps; 0: unknown */
	bool floor;		/* peak outside the pipeline; set by system_floor() */
	double transient;	/* MB in use only while a layer runs, if known; set by system_new() */
};

/* Whether const is solved for. An undeterminable constant is 0, with a message. */
enum constant { CONSTANT_UNKNOWN, CONSTANT_TOO_FEW, CONSTANT_AMBIGUOUS };

struct system {
	const struct initfile *init;
	struct bodies bodies;
	/* [rounds], layers by kind; empty: none */
	struct grid (*count)[BODIES_MAX][RECOMPUTE_KINDS];
	int m;
	struct fitted_peak *measured;	/* [m], sorted by round and stage */
	double (*row)[UNKNOWNS_MAX];	/* [m] */
	int n;
	int unknown[UNKNOWNS_MAX];	/* [n], unknowns solved for */
	char *name[UNKNOWNS_MAX];	/* of all unknowns */
	double held[UNKNOWNS_MAX];	/* MB, from other measurements, not solved for; 0: none */
	double times[UNKNOWNS_MAX];	/* factor times the parameters of a layer, for tied unknowns; 0: none */
	double plus[UNKNOWNS_MAX];	/* MB added to tied unknowns */
	bool unmeasured[2];		/* head and tail tied because their stage has no peak */
	/* error bound (MB) of the unknowns held fixed, from the network's shapes; 0: none */
	double computed[UNKNOWNS_MAX];
	enum constant constant;
	double margin;		/* maximum MB of device peaks above the memory in use; 0: unknown */
	int middle, middle_needed;	/* measured stages that are neither first nor last */
};

/* Takes ownership of the measurements. */
struct system system_new(const struct initfile *, const struct bodies *, struct fitted_peak *, int m);
void system_free(struct system *);

/* Return coefficients [m][n] and memories [m] for leastsquares_solve(). */
double *system_matrix(const struct system *);
double *system_memory(const struct system *);
/*
 * Treat the peaks of middle stages from FROM on as memory at another moment, such as the optimizer step, when a stage
 * has only a constant per layer. One kind of layers only. Return false if fewer than two such stages are measured.
 */
bool system_floor(struct system *, int from);
int system_floor_unknown(const struct system *);
/* Copy a system with its equations; free with system_copy_free(). */
struct system system_copy(const struct system *);
void system_copy_free(struct system *);
/* Hold UNKNOWN at 0. */
void system_drop(struct system *, int unknown);
/* Solve for const after all, if a middle stage was measured and const is now determined. */
void system_solve_constant(struct system *);
/* Hold UNKNOWN at VALUE MB. */
void system_hold(struct system *, int unknown, double value);
/* Tie UNKNOWN to TIMES the parameters of a layer plus PLUS MB; one kind of layers only. */
void system_tie(struct system *, int unknown, double times, double plus);
/* Get the layers by kind of recomputation at a measurement. */
void system_counts(const struct system *, int round, int stage, int body, int count[RECOMPUTE_KINDS]);
/* Get the coefficients of COUNT layers of BODY on STAGE, including const, head and tail. */
void system_row(const struct system *, int stage, int body, const int count[RECOMPUTE_KINDS],
    double row[UNKNOWNS_MAX]);
/* Return the number of UNKNOWN of BODY; const, head and tail belong to no body. */
int system_unknown(const struct system *, int body, enum unknown);
/* Return whether an unknown is an activation; get its body and kind. */
bool system_activation(const struct system *, int unknown, int *body, enum recompute *);

#endif
