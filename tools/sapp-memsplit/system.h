/* System: the equations of all measured stages and rounds, and their unknowns. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include "lib/measure/equation.h"
#include "lib/yaml/initfile.h"

/*
 * Indices of the unknowns. First come parameters and activations (by kind of recomputation) of the first kind of BODY
 * layers, in the order of enum unknown. Parameters and activations of the other kinds of BODY layers follow, then
 * const, head, tail and floor. Floor is the memory per layer at a moment outside of the pipeline.
 */
enum {
	BODIES_MAX = 8,
	BODY_UNKNOWNS = UNKNOWN_ACTIVATION + RECOMPUTE_KINDS,
	UNKNOWNS_MAX = BODIES_MAX * BODY_UNKNOWNS + 4
};

struct bodies {			/* kinds of BODY layers, in model order */
	int n;
	const char *name[BODIES_MAX];
	int layers[BODIES_MAX];
	double transient[BODIES_MAX];	/* MB in use only while a layer runs, if known */
	double head_transient, tail_transient;	/* MB, maximum over layers */
	double parameter[BODIES_MAX];	/* MB per layer, if measured directly; 0: to be solved for */
};

struct fitted_peak {
	struct place place;
	int round, stage;
	double memory;		/* MB, measured peak */
	double state;		/* MB in use between steps; 0: unknown */
	bool floor;		/* whether the peak is outside of the pipeline; set by system_floor() */
	double transient;	/* MB in use only while a layer runs, if known; set by system_new() */
};

/* Whether const is solved for. If it cannot be determined, it is 0, and a message says so. */
enum constant { CONSTANT_UNKNOWN, CONSTANT_TOO_FEW, CONSTANT_AMBIGUOUS };

struct system {
	const struct initfile *init;
	struct bodies bodies;
	/* [rounds], number of layers by kind of recomputation; empty: none */
	struct grid (*count)[BODIES_MAX][RECOMPUTE_KINDS];
	int m;
	struct fitted_peak *measured;	/* [m], sorted by round and stage */
	double (*row)[UNKNOWNS_MAX];	/* [m], coefficients of the unknowns in each equation */
	int n;
	int unknown[UNKNOWNS_MAX];	/* [n], indices of the unknowns that are solved for */
	char *name[UNKNOWNS_MAX];	/* names of all unknowns */
	/* MB of an unknown that other measurements give, so that it is not solved for; 0: solved for */
	double held[UNKNOWNS_MAX];
	double times[UNKNOWNS_MAX];	/* factor of a layer's parameters that gives a tied unknown; 0: not tied */
	double plus[UNKNOWNS_MAX];	/* MB, added to a tied unknown */
	bool unmeasured[2];		/* whether head and tail are tied because their stage has no peak */
	/* MB, maximum error of unknowns that are held at values from the network's shapes; 0: none */
	double computed[UNKNOWNS_MAX];
	enum constant constant;
	/* MB, maximum by which an actual peak exceeds the used peak in the same log; 0: unknown */
	double margin;
	int middle, middle_needed;	/* number of measured stages other than the first and last; the number needed */
};

/* Create the system of M measurements. Takes ownership of the measurements. */
struct system system_new(const struct initfile *, const struct bodies *, struct fitted_peak *, int m);
void system_free(struct system *);

/* Return the coefficients [m][n] and the memory [m] for leastsquares_solve(); caller frees. */
double *system_matrix(const struct system *);
double *system_memory(const struct system *);
/*
 * Treat the peaks of the middle stages from FROM on as memory at another moment, such as the optimizer step. At this
 * moment a stage has only a constant per layer. The model must have one kind of layers. Return false if fewer than two
 * of these stages were measured.
 */
bool system_floor(struct system *, int from);
int system_floor_unknown(const struct system *);
/* Return a copy of a system with its own equations; free it with system_copy_free(). */
struct system system_copy(const struct system *);
void system_copy_free(struct system *);
/* Hold UNKNOWN at 0. */
void system_drop(struct system *, int unknown);
/* Solve for const after all, if a middle stage was measured and const is determined now. */
void system_solve_constant(struct system *);
/* Hold UNKNOWN at VALUE MB. */
void system_hold(struct system *, int unknown, double value);
/* Tie UNKNOWN: its value is TIMES the parameters of a layer, plus PLUS MB. The model must have one kind of layers. */
void system_tie(struct system *, int unknown, double times, double plus);
/* Get the number of layers of BODY by kind of recomputation, on a stage in a round. */
void system_counts(const struct system *, int round, int stage, int body, int count[RECOMPUTE_KINDS]);
/* Get the coefficients of COUNT layers of BODY on STAGE in ROW, with those of const, head and tail. */
void system_row(const struct system *, int stage, int body, const int count[RECOMPUTE_KINDS],
    double row[UNKNOWNS_MAX]);
/* Return the index of UNKNOWN of BODY. For const, head and tail, BODY is ignored. */
int system_unknown(const struct system *, int body, enum unknown);
/* Return whether an unknown is an activation, and get its body and kind of recomputation. */
bool system_activation(const struct system *, int unknown, int *body, enum recompute *);

#endif
