/*
 * Known: answers to the same question with other limits. Their plans may fit these limits, and a bound for limits
 * nowhere lower is a bound for these.
 */
#ifndef KNOWN_H
#define KNOWN_H

#include "lib/record/record.h"
#include "lib/target/target.h"
#include "sapp-lp/model/problem.h"

/* Read the answers in FILE; NULL: none. Exits on invalid records; free with records_free(). */
struct records known_read(const char *file);

/* Return those with plans of this name, with their questions; free() only its list. */
struct records known_of(const struct records *, const char *name);

/*
 * Return the largest of their lower bounds, ms, on every plan for the question that the target runs; 0: none. Uses only
 * answers whose step matches the network, and that chose from all plans of the question. Exits if an answer's plan does
 * not belong to the network.
 */
double known_bound(const struct records *, const struct pipeline *, const struct network *, enum target);

/* Return their plan with the shortest step for these layers, fitting or not; NULL: none. */
const struct plan *known_shortest(const struct records *, const struct pipeline *, const struct network *);

/* Get their plan with the shortest step that fits the problem, with mixes at least as fast. False: none. */
bool known_plan(const struct records *, const struct pipeline *, const struct problem *, struct candidate *out);

#endif
