/*
 * Tables of formulas: a network's members from the keys of its file, the parts of its layers, and the members added by
 * each part. share/classes has the installed tables; sapp-model(1) describes the language.
 */
#ifndef FORMULAS_H
#define FORMULAS_H

#include "lib/record/architecture.h"
#include "lib/setup/arithmetic.h"
#include "bag.h"

struct formulas {
	int n;
	struct yaml **table;	/* the table read last comes first, and takes precedence */
};

/* Read the installed tables, and FILE's unless it is NULL. */
struct formulas formulas_read(const char *file);
void formulas_free(struct formulas *);
/* Return entry NAME of SECTION, or NULL. */
const struct yaml *formulas_entry(const struct formulas *, const char *section, const char *name);

/* Limits of nested formulas, so that the stack suffices although each may be as deep as arithmetic_named() allows. */
enum { SCOPES_MOST = 24, BUSY_MOST = 16, VALUES_MOST = 100000 };

/* Where names of a formula are looked up: maps of formulas, first match wins, then keys of files. */
struct scope {
	const struct formulas *formulas;
	int n;
	const struct yaml *map[SCOPES_MOST];
	struct bag *bag[2];		/* the language model's keys, the file's; the second may be NULL */
	struct place place;		/* of the file */
	const struct architecture *net;	/* network with known members; NULL: evaluate formulas */
	long layer, used;		/* "i", "used": index of the layer, and its index among layers with the part */
	long patches, seq;		/* numbers from the command line; 0: unset */
	bool keys;			/* names of formulas are keys, unless the families have them */
	bool mtp;			/* multi-token prediction: NAME means mtp_NAME if that exists */
	int nbusy, values;	/* counters of the current outermost formula */
	/* stack of formulas being evaluated; inside its own formula, a name refers to the outer definition */
	const struct yaml *busy[BUSY_MOST];
};

/* Push a family or part, after the families that it names with "like". Exits if one of these does not exist. */
void scope_push(struct scope *, const char *section, const char *name);
/* Return the entry NAME in the maps of families and parts, or NULL. */
const struct yaml *scope_entry(const struct scope *, const char *name);
/* Return the formula of NAME, including names of the tables unless they are keys, or NULL. */
const struct yaml *scope_formula(const struct scope *, const char *name);
/* Evaluate a formula; exits if it is invalid. TERM_NONE: keys are absent. */
struct term scope_value(struct scope *, const struct yaml *formula);
/* Evaluate to a whole number, which must exist and be at least LEAST. */
long scope_number(struct scope *, const struct yaml *formula, const char *what, long least);
/* Return whether a formula's value exists and is not 0. */
bool scope_holds(struct scope *, const struct yaml *formula);
/* Exit because VALUE is not what WHAT requires. */
_Noreturn void scope_bad(const struct scope *, const struct yaml *formula, struct term value, const char *what,
    const char *because);

#endif
