#include "defaults.h"

#include <err.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"

enum { STAGES = 4, MICRO_BATCHES = 4, MEMORY = 56000 };

/* Append WHAT to the list of values that come from one source. Takes ownership of WHAT. */
static void
note(char **text, char *what)
{
	char *before = *text;

	*text = before != NULL ? xasprintf("%s, %s", before, what) : xstrdup(what);
	free(before);
	free(what);
}

/* Take unset options from a job record. Of several job records the last counts. */
static void
take_job(struct options *o, const struct measured_job *j, struct place at)
{
	char *taken = NULL;

	if (GIVEN(measured_job, j, stages) && o->stages == 0) {
		o->stages = j->stages;
		note(&taken, xasprintf("%d stages", j->stages));
	}
	if (GIVEN(measured_job, j, micro_batches) && o->micro == 0) {
		o->micro = j->micro_batches;
		note(&taken, xasprintf("%d micro-batches", j->micro_batches));
	}
	if (GIVEN(measured_job, j, memory_limit) && o->memory.n == 0 &&
	    (j->memory_limit.n == 1 || o->stages == 0 || j->memory_limit.n == o->stages)) {
		o->memory = list_copy(j->memory_limit);
		note(&taken, xasprintf(j->memory_limit.n == 1 ? "%.10g MB" : "%.10g MB ...", j->memory_limit.at[0]));
	}
	if (GIVEN(measured_job, j, comm_time) && o->devices.delay.n == 0 &&
	    (j->comm_time.n == 1 || o->stages == 0 || j->comm_time.n == o->stages || j->comm_time.n == o->stages - 1)) {
		o->devices.delay = list_copy(j->comm_time);
		if (list_any(j->comm_time))
			note(&taken, xasprintf(j->comm_time.n == 1 ? "%.4g ms per transfer" :
			    "%.4g ms ... per transfer", j->comm_time.at[0]));
	}
	if (GIVEN(measured_job, j, transfers) && o->transfers < 0 && o->measured < 0) {
		o->measured = j->transfers;
		if (j->transfers != TRANSFERS_HIDDEN)
			note(&taken, xasprintf("%s transfers", transfers_names[j->transfers]));
	}
	if (taken != NULL)
		warnx("%s: from the job record (%s:%ld)", taken, at.source, at.line);
	free(taken);
}

void
options_default(struct options *o, const struct records *all)
{
	char *assumed = NULL;

	for (size_t i = all->n; i-- > 0;)
		if (all->at[i].kind == RECORD_JOB)
			take_job(o, &all->at[i].job, all->at[i].place);
	if (o->stages == 0) {
		o->stages = STAGES;
		note(&assumed, xasprintf("%d stages (-s)", STAGES));
	}
	if (o->micro == 0) {
		o->micro = MICRO_BATCHES;
		note(&assumed, xasprintf("%d micro-batches (-mb)", MICRO_BATCHES));
	}
	if (o->memory.n == 0) {
		o->memory = list_new(1);
		o->memory.at[0] = MEMORY;
		note(&assumed, xasprintf("%d MB (-mem)", MEMORY));
	}
	if (o->measured < 0)
		o->measured = TRANSFERS_HIDDEN;
	if (assumed != NULL)
		warnx("assumed, as not given by an option or a job record: %s", assumed);
	free(assumed);
	if (o->memory.n != 1 && o->memory.n != o->stages)
		option_usage("-mem: %d limits for %d stages", o->memory.n, o->stages);
}
