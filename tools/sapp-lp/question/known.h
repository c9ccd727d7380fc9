/*
 * Known: answers to the same question with other limits.  Its plans may fit these limits, and a bound on the plans for
 * limits that are nowhere lower is a bound on those for these.
 */
#ifndef KNOWN_H
#define KNOWN_H

#include "lib/record/record.h"
#include "lib/target/target.h"
#include "sapp-lp/model/problem.h"

/* The answers in FILE; NULL: none. Exits on what are no records; records_free(). */
struct records known_read(const char *file);

/* Those of them that are plans of this name, with their questions; free() its list alone. */
struct records known_of(const struct records *, const char *name);

/*
 * The largest lower bound there, ms, on the step of every plan for the question that the target runs; 0: none. Only
 * answers count whose step time is what the network gives, and which chose from all plans that the question does. Exits
 * when an answer's plan is not one for the network.
 */
double known_bound(const struct records *, const struct pipeline *, const struct network *, enum target);

/* The plan there of the shortest step for these layers, whether it fits or not; NULL: none. */
const struct plan *known_shortest(const struct records *, const struct pipeline *, const struct network *);

/* The plan there of the shortest step that fits the problem, its mixes at least as fast. False: none. */
bool known_plan(const struct records *, const struct pipeline *, const struct problem *, struct candidate *out);

#endif
