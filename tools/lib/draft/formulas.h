/*
 * Tables of formulas. They give a network's members from the keys of its file, and the parts that its layers have. They
 * also give what each part adds to the members. share/classes has the installed tables. The language is described in
 * sapp-model(1).
 */
#ifndef FORMULAS_H
#define FORMULAS_H

#include "lib/record/architecture.h"
#include "lib/setup/arithmetic.h"
#include "bag.h"

struct formulas {
	int n;
	struct yaml **table;	/* the table that was read last comes first, and takes precedence */
};

/* Read the installed tables, and FILE unless it is NULL. */
struct formulas formulas_read(const char *file);
void formulas_free(struct formulas *);
/* Return the entry NAME of SECTION, or NULL. */
const struct yaml *formulas_entry(const struct formulas *, const char *section, const char *name);

/*
 * Limits of nested formulas. They keep the stack small enough, although each formula may be as deep as
 * arithmetic_named() allows.
 */
enum { SCOPES_MOST = 24, BUSY_MOST = 16, VALUES_MOST = 100000 };

/*
 * The context in which names of a formula are looked up: first in the maps of formulas, in order, then in the keys of
 * files.
 */
struct scope {
	const struct formulas *formulas;
	int n;
	const struct yaml *map[SCOPES_MOST];
	struct bag *bag[2];		/* keys of the language model; keys of the whole file, which may be NULL */
	struct place place;		/* place of the file */
	/* network whose members are known already; NULL: formulas are evaluated instead */
	const struct architecture *net;
	/* value of "i", index of the layer; of "used", its index among the layers with the part */
	long layer, used;
	long patches, seq;		/* from the command line; 0: unset */
	bool keys;			/* a name that a formula has is a key, unless a family has the name */
	bool mtp;		/* the layer is for multi-token prediction: NAME means mtp_NAME if mtp_NAME exists */
	int nbusy, values;	/* depth of the stack; number of values computed for the outermost formula */
	/*
	 * stack of the formulas that are being evaluated; inside its own formula a name refers to the outer definition
	 */
	const struct yaml *busy[BUSY_MOST];
};

/* Push a family or a part after the families that it names with "like". Exit if one of these does not exist. */
void scope_push(struct scope *, const char *section, const char *name);
/* Return the entry NAME in the maps of families and parts, or NULL. */
const struct yaml *scope_entry(const struct scope *, const char *name);
/* Return the formula of NAME, or NULL. It may be from the tables' own names, unless the name is a key. */
const struct yaml *scope_formula(const struct scope *, const char *name);
/* Evaluate a formula. Exit if it is invalid. The result is TERM_NONE if keys are absent. */
struct term scope_value(struct scope *, const struct yaml *formula);
/* Evaluate a formula to a whole number. Exit, naming WHAT, unless the number exists and is at least LEAST. */
long scope_number(struct scope *, const struct yaml *formula, const char *what, long least);
/* Return whether the value of a formula exists and is not 0. */
bool scope_holds(struct scope *, const struct yaml *formula);
/* Exit with a message that VALUE is not what WHAT needs. BECAUSE: the reason. */
_Noreturn void scope_bad(const struct scope *, const struct yaml *formula, struct term value, const char *what,
    const char *because);

#endif
