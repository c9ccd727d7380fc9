/*
 * Write orders in the format that schedule_custom.c reads: the compute-only CSV files of PyTorch's pipelining, with one
 * row per stage.
 */
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "schedule.h"

const char *
schedule_order_problem(const struct shape *q)
{
	if (q->splits > 1)
		return "an order in a file cannot split sequences";
	return NULL;
}

void
schedule_order_write(FILE *f, const struct schedule *s)
{
	static const char letters[] = { [PHASE_F] = 'F', [PHASE_B] = 'B', [PHASE_W] = 'W', [PHASE_I] = 'I' };
	/* micro-batches of the second copy of the model continue the numbering */
	bool both = schedule_mirrored(s->shape.kind);
	int pieces = s->chunks * s->stages, *piece = schedule_pieces(&s->shape);
	/* number, in data order, of the piece at [chunk][stage] */
	int *number = xcalloc((size_t)pieces, sizeof *number);

	for (int i = 0; i < pieces; i++)
		number[piece[i]] = both ? i % s->stages : i;
	for (int stage = 0; stage < s->stages; stage++) {
		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
			struct op op = s->op[i];

			if (i > s->first[stage])
				putc(op.joined == 2 ? ';' : ',', f);
			if (op.joined == 1)
				putc('(', f);
			fprintf(f, "%d%c%u", number[op.chunk * s->stages + stage], letters[op.phase],
			    op.micro + (both && op.chunk == 1 ? (unsigned)s->micro : 0));
			if (op.joined == 2)
				fputs(")OVERLAP_F_B", f);
		}
		putc('\n', f);
	}
	free(piece);
	free(number);
}
