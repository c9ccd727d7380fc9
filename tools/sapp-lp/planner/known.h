/*
 * Known: answers to the same question with other limits. Their plans may fit the new limits, and a bound for limits
 * nowhere lower is also a bound for the new limits.
 */
#ifndef KNOWN_H
#define KNOWN_H

#include "lib/record/record.h"
#include "lib/target/target.h"
#include "sapp-lp/model/problem.h"

/* Read the answers in FILE, none if it is NULL. Exits on invalid records; free with records_free(). */
struct records known_read(const char *file);

/* Return the answers with plans of NAME, with their questions; free() only its list. */
struct records known_of(const struct records *, const char *name);

/*
 * Return the largest lower bound, ms, of the answers on every plan for the question that the target runs; 0 if none
 * exists. Uses only answers whose step matches the network, and that chose from all plans of the question. Exits if an
 * answer's plan does not belong to the network.
 */
double known_bound(const struct records *, const struct pipeline *, const struct network *, enum target);

/* Return the answers' plan with the shortest step for these layers, fitting or not, or NULL if none exists. */
const struct plan *known_shortest(const struct records *, const struct pipeline *, const struct network *);

/*
 * Get the answers' plan with the shortest step that fits the problem, with mixes at least as fast. Return false if none
 * exists.
 */
bool known_plan(const struct records *, const struct pipeline *, const struct problem *, struct candidate *out);

#endif
