#include "measured_job.h"

#include "pipeline.h"

static const struct field measured_job_field[] = {
	OPTIONAL(measured_job, stages, POSITIVE),
	OPTIONAL(measured_job, micro_batches, POSITIVE),
	OPTIONAL(measured_job, interleave, POSITIVE),
	OPTIONAL(measured_job, memory_limit, POSITIVE),
	OPTIONAL(measured_job, comm_time, NONNEGATIVE),
	CHOICE(measured_job, transfers, true, transfers_names),
	OPTIONAL(measured_job, micro_sample, NONNEGATIVE),
	OPTIONAL(measured_job, seq_length, POSITIVE),
	OPTIONAL(measured_job, batch_size, POSITIVE),
	OPTIONAL(measured_job, model_parallel, POSITIVE),
	OPTIONAL(measured_job, target, ANY),
	OPTIONAL(measured_job, source, LINES),
};
const struct fields measured_job_fields = EXACT_FIELDS(measured_job, "job");

void
measured_job_check(const struct measured_job *j, struct place at)
{
	char *wrong = j->stages > 0 ? boundaries_problem(j->comm_time, j->stages) : NULL;

	if (j->stages > 10000)
		place_die(at, "job: stages: above 10000 '%d'", j->stages);
	if (j->micro_batches > 1000000)
		place_die(at, "job: micro_batches: above 1000000 '%d'", j->micro_batches);
	if (j->memory_limit.n > 1 && j->stages > 0 && j->memory_limit.n != j->stages)
		place_die(at, "job: memory_limit: %d numbers for %d stages", j->memory_limit.n, j->stages);
	if (wrong != NULL)
		place_die(at, "job: comm_time: %s", wrong);
}
