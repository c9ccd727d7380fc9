/*
 * Tables of formulas: what a network's members are by the keys of its file, what parts its layers have, and what each
 * part adds. share/classes has those that come with the tools; sapp-model(1) has the language.
 */
#ifndef FORMULAS_H
#define FORMULAS_H

#include "bag.h"
#include "lib/record/architecture.h"
#include "lib/setup/arithmetic.h"

struct formulas {
	int n;
	struct yaml **table;	/* the last one first: its entries win */
};

/* Those that are installed, and FILE's, unless it is NULL. */
struct formulas formulas_read(const char *file);
void formulas_free(struct formulas *);
/* Entry NAME of SECTION; NULL: there is none. */
const struct yaml *formulas_entry(const struct formulas *, const char *section, const char *name);

/* Formulas within formulas, each as deep as arithmetic_named() goes, fit on the stack. */
enum { SCOPES_MOST = 24, BUSY_MOST = 16, VALUES_MOST = 100000 };

/* Where a formula's names have their values: maps of formulas, the first of which wins, then keys of files. */
struct scope {
	const struct formulas *formulas;
	int n;
	const struct yaml *map[SCOPES_MOST];
	struct bag *bag[2];		/* the language model's keys, the file's; the second may be NULL */
	struct place place;		/* of the file */
	const struct architecture *net;	/* whose members are known; NULL: by formulas */
	long layer, used;		/* "i", "used": of the layer in question, among those with the part */
	long patches, seq;		/* said by the command line; 0: not */
	bool mtp;			/* of multi-token prediction: NAME is mtp_NAME where there is one */
	int nbusy, values;	/* of one outermost formula so far */
	const struct yaml *busy[BUSY_MOST];	/* what is being evaluated: a name in its own formula is another's */
};

/* A family or part on top of the others, with those that it is like below it; exits where these are not there. */
void scope_push(struct scope *, const char *section, const char *name);
/* What NAME is in the maps of families and parts, whatever it is; NULL: it is not there. */
const struct yaml *scope_entry(const struct scope *, const char *name);
/* The formula of NAME, in the names of the tables, too; NULL: there is none. */
const struct yaml *scope_formula(const struct scope *, const char *name);
/* The value of a formula; exits where it is none. TERM_NONE: of keys that are not there. */
struct term scope_value(struct scope *, const struct yaml *formula);
/* The same of a whole number, which must be there and at least LEAST. */
long scope_number(struct scope *, const struct yaml *formula, const char *what, long least);
/* Is a formula's value there, and not 0? */
bool scope_holds(struct scope *, const struct yaml *formula);
/* Exits: VALUE is not what WHAT must be. */
_Noreturn void scope_bad(const struct scope *, const struct yaml *formula, struct term value, const char *what,
    const char *because);

#endif
