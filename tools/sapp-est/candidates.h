/* Candidates of the stream. Each is followed by its estimate, its question or its counts. */
#ifndef CANDIDATES_H
#define CANDIDATES_H

#include "options.h"
#include "run.h"

/* Read the stream to its end, and write the wanted output for each candidate. Count the refused candidates. */
void candidates_answer(struct est_run *, const struct wanted_output *);
/* Write a record of the stream unchanged. */
void candidates_pass_on(struct est_run *, const struct record *);

#endif
