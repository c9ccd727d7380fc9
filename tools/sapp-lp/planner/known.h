/*
 * Known answers: answers to the same question with other limits. Their plans may fit the new limits. A bound for limits
 * of which none is lower is also a bound for the new limits.
 */
#ifndef KNOWN_H
#define KNOWN_H

#include "lib/record/record.h"
#include "lib/target/target.h"
#include "sapp-lp/model/problem.h"

/* Read the answers in FILE. If FILE is NULL, return no answers. Exits on invalid records; free with records_free(). */
struct records known_read(const char *file);

/* Return the answers that have plans named NAME, with their questions. Free only the list of the result. */
struct records known_of(const struct records *, const char *name);

/*
 * Return the largest lower bound, ms, that the answers prove for every plan of the question that TARGET runs; 0 if
 * none. Uses only answers whose step matches the network and that considered all plans of the question. Exits if an
 * answer's plan does not belong to the network.
 */
double known_bound(const struct records *, const struct pipeline *, const struct network *, enum target);

/* Return the shortest plan of the answers for these layers, whether or not it fits. Return NULL if no plan exists. */
const struct plan *known_shortest(const struct records *, const struct pipeline *, const struct network *);

/*
 * Get the shortest plan of the answers that fits the problem, with mixes at least as fast. Return false if no plan
 * fits.
 */
bool known_plan(const struct records *, const struct pipeline *, const struct problem *, struct candidate *out);

#endif
