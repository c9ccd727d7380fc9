/* The order of operations of a stage with one chunk: forwards first, then backward and forward in turn; sapp(7). */
#include "question.h"

/* Forwards before a stage's first backward, but for the one right before it. */
static int
first_forwards(const struct question *q, int stage)
{
	int behind = q->asked->stages - 1 - stage, micro = q->asked->micro_batches;
	int n = q->asked->schedule == SCHEDULE_GPIPE ? micro : q->asked->schedule == SCHEDULE_VPP ? 2 * behind : behind;

	return n < micro ? n : micro;
}

struct operation
question_operation(const struct question *q, int stage, int n)
{
	int first = first_forwards(q, stage), turns = q->asked->micro_batches - first, k = n - first;

	if (k < 0)
		return (struct operation){ true, n };
	if (k < 2 * turns)
		return (struct operation){ k % 2 == 0, k % 2 == 0 ? first + k / 2 : k / 2 };
	return (struct operation){ false, k - turns };
}

int
question_live(const struct question *q, int stage)
{
	int live = 0, most = 0;

	for (int n = 0; n < 2 * q->asked->micro_batches; n++) {
		live += question_operation(q, stage, n).forward ? 1 : -1;
		most = live > most ? live : most;
	}
	return most;
}

bool
question_needs(const struct question *q, int from_stage, int from, int to_stage, int to, int *edge)
{
	struct operation a = question_operation(q, from_stage, from), b = question_operation(q, to_stage, to);

	*edge = from_stage < to_stage ? from_stage : to_stage;
	return a.micro == b.micro && a.forward == b.forward && to_stage - from_stage == (a.forward ? 1 : -1);
}
