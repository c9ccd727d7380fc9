#include "throughput.h"

void
throughput_give(struct sim *out, const struct model *model, const struct shape *q, int sequence, int devices)
{
	int batch = model != NULL && GIVEN(model, model, batch_size) ? model->batch_size : 0;

	if (sequence == 0) {
		/* The number of sequences per micro-batch must be known also. */
		if (model == NULL || !GIVEN(model, model, seq_length) || batch == 0)
			return;
		sequence = model->seq_length;
	}
	if (out->step_time <= 0)
		return;
	if (devices == 0 && model != NULL && GIVEN(model, model, model_parallel))
		devices = q->stages * model->model_parallel;
	GIVE(sim, out, tokens_per_second, 1000.0 * q->micro * (batch > 0 ? batch : 1) * sequence / out->step_time);
	if (devices > 0)
		GIVE(sim, out, tokens_per_second_per_device, out->tokens_per_second / devices);
}
