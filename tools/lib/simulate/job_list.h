/*
 * List schedules of a job: whenever a stage is free it runs the most urgent operation that is there and for which it
 * has memory; weights' gradients fill the time in which it would wait (Qi et al., arXiv 2401.10241).
 */
#ifndef JOB_LIST_H
#define JOB_LIST_H

#include "job.h"

enum { LIST_PHASES = 3 };	/* filling, in between, no forwards of chunk 0 left */
enum { RANKS = 9, FORWARDS_FIRST = 7 };	/* sequences of urgency */

struct listing {
	int lane;			/* whose delays it is made for */
	const double *time;		/* as job.time, instead of it; NULL: that */
	uint8_t rank[LIST_PHASES];	/* by which sequence, below RANKS */
	int filled;			/* backwards of the last chunk after which a stage is filled, of stage 0 */
	const int *cap;			/* [stage][chunk], micro-batches in flight at most; NULL: any number */
	double fit[PHASES];		/* how much of an operation must fit before more urgent data come, 0..1 */
	int waiting;			/* so many W wait at most before one goes first, until the forwards end */
	bool turns;			/* forwards and backwards take turns */
	const double *key;		/* [stage][queue][micro]: instead of sequences, the least first; NULL: none */
};

struct job_lister;
struct job_lister *job_lister_new(const struct job *);
void job_lister_free(struct job_lister *);
/* Into an order of the job's operations, which is any when it is false. */
bool job_list(struct job_lister *, const struct listing *, struct schedule *);
/* When each operation of the last list began, [stage][queue][micro]. */
const double *job_list_starts(const struct job_lister *);

#endif
