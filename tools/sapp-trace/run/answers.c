#include "answers.h"

#include <stdlib.h>

void
answers_init(struct answers *a, const struct classes *classes)
{
	*a = (struct answers){ 0 };
	timings_init(&a->timings, classes);
}

void
answers_micro(struct answers *a, int micro, bool sure, const char *source)
{
	if (a->micro > 0 && a->micro != micro) {
		place_warn((struct place){ .source = source }, "%d micro-batches per step, but in %s %d", micro,
		    a->micro_source, a->micro);
		return;
	}
	a->micro = micro;
	a->micro_source = source;
	a->micro_sure |= sure;
}

void
answers_free(struct answers *a)
{
	timings_free(&a->timings);
	outside_free(&a->outside);
	memory_free(&a->memory);
	observations_free(&a->observed);
	operations_free(&a->operations);
	logs_free(&a->logs);
	free(a->said);
	hints_free(&a->found);
	layer_model_free(&a->model);
	body_kinds_free(&a->kinds);
	for (int i = 0; i < a->nwaiting; i++)
		sequence_free(&a->waiting[i].sequence);
	free(a->waiting);
	*a = (struct answers){ 0 };
}
