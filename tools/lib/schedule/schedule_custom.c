/*
 * Custom orders: one line per stage, with operations separated by commas or blanks, as in the CSV files of PyTorch's
 * pipelining. 3F0 is the forward of micro-batch 0 in piece 3 of the model. B is a whole backward. I and W are its two
 * parts; a B whose micro-batch has a W is an I. The number of the piece may be omitted if each stage has one piece. The
 * operations in (0F1;3B0)OVERLAP_F_B overlap. Operations that only move data are skipped.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clipped.h"
#include "lib/base/slurp.h"
#include "scheme.h"

struct token {
	int piece;		/* number of the piece; -1: omitted */
	struct op op;		/* its chunk is set later */
};

struct custom_reader {
	const char *at;
	int line;		/* number of the line, from 0, and of its stage */
	bool inside;		/* the next operation is inside of parentheses */
	char *problem;		/* constant text of the error; NULL: no error */
};

static char message[256];

/* Return the start of an order, after a byte order mark if any. */
static const char *
start(const char *order)
{
	return order != NULL ? order + byte_order_mark(order, strlen(order)) : NULL;
}

static bool
wrong(struct custom_reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static bool
wrong(struct custom_reader *r, const char *fmt, ...)
{
	struct clipped text = CLIPPED(message);
	char *what;
	va_list ap;

	va_start(ap, fmt);
	what = xvasprintf(fmt, ap);
	va_end(ap);
	clipped_print(&text, "order: line %d: %s", r->line + 1, what);
	free(what);
	r->problem = message;
	return false;
}

/* Advance to the next operation in this line. Return false at the end of the line. */
static bool
skip_to_token(struct custom_reader *r)
{
	static const char overlap[] = "OVERLAP_F_B";

	for (;;) {
		r->at += strspn(r->at, " \t\r,;\"");
		if (*r->at == '(' && !r->inside) {
			r->inside = true;
			r->at++;
		} else if (*r->at == ')' && r->inside) {
			r->inside = false;
			r->at++;
			if (strncmp(r->at, overlap, sizeof overlap - 1) != 0)
				return wrong(r, "not %s '%.20s'", overlap, r->at);
			r->at += sizeof overlap - 1;
		} else {
			return *r->at != '\0' && *r->at != '\n';
		}
	}
}

/* Read a number. Return -1 if it has no digits or is too large. */
static int
number(struct custom_reader *r)
{
	long n = 0;

	if (!isdigit((unsigned char)*r->at))
		return -1;
	for (; isdigit((unsigned char)*r->at); r->at++)
		n = n > INT32_MAX / 10 - 1 ? INT32_MAX : 10 * n + (*r->at - '0');
	return n >= INT32_MAX / 10 ? -1 : (int)n;
}

static bool
moves_data(struct custom_reader *r)
{
	static const char *const words[] = { "SEND_F", "RECV_F", "SEND_B", "RECV_B", "UNSHARD", "RESHARD",
		"REDUCE_GRAD" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strncmp(r->at, words[i], strlen(words[i])) == 0) {
			r->at += strlen(words[i]);
			number(r);
			return true;
		}
	return false;
}

/* Read the next operation in this line. Return false at the end of the line, or on an error. */
static bool
next_token(struct custom_reader *r, struct token *t)
{
	static const char letters[] = { [PHASE_F] = 'F', [PHASE_B] = 'B', [PHASE_W] = 'W', [PHASE_I] = 'I' };
	const char *begin, *phase;
	int micro;

	do {
		if (!skip_to_token(r))
			return false;
		begin = r->at;
		t->piece = number(r);
	} while (moves_data(r));
	if (t->piece < 0 && r->at != begin)
		return wrong(r, "no piece '%.*s'", (int)(r->at - begin), begin);
	phase = *r->at != '\0' ? memchr(letters, *r->at, sizeof letters) : NULL;
	if (phase == NULL)
		return wrong(r, "not an operation '%.*s'", (int)strcspn(begin, ", \t\r\n"), begin);
	r->at++;
	micro = number(r);
	if (micro < 0)
		return wrong(r, "no number of a micro-batch '%.*s'", (int)strcspn(begin, ", \t\r\n"), begin);
	t->op = op_of((enum phase)(phase - letters), 0, micro);
	if (r->inside)
		t->op.joined = 1;	/* it follows the first of two overlapping operations */
	return true;
}

/* Find the line of a stage. Blank lines do not count. */
static bool
find_line(struct custom_reader *r, int stage)
{
	for (r->line = -1; *r->at != '\0'; r->at++) {
		if (r->at[strspn(r->at, " \t\r,")] != '\n' && r->at[strspn(r->at, " \t\r,")] != '\0' &&
		    ++r->line == stage)
			return true;
		r->at += strcspn(r->at, "\n");
		if (*r->at == '\0')
			break;
	}
	return false;
}

/* Find the position of each piece: PLACE[piece] = chunk x stages + stage; -1: no operation names the piece. */
static bool
find_pieces(struct custom_reader *r, const struct shape *q, int *place)
{
	int pieces = q->stages * q->chunks;

	for (int i = 0; i < pieces; i++)
		place[i] = -1;
	for (int s = 0; s < q->stages; s++) {
		struct token t;
		int chunk = 0;

		r->at = start(q->order);
		if (!find_line(r, s))
			return wrong(r, "only this many lines, but the pipeline has %d stages", q->stages);
		while (next_token(r, &t)) {
			int piece = t.piece < 0 ? s : t.piece;

			if (t.piece < 0 && q->chunks > 1)
				return wrong(r, "which piece of the model? 3F0 is micro-batch 0 in piece 3");
			if (piece >= pieces)
				return wrong(r, "no piece '%d': the model has %d", piece, pieces);
			if (place[piece] >= 0 && place[piece] != s)
				return wrong(r, "piece %d is already on another stage", piece);
			place[piece] = s;
		}
		if (r->problem != NULL)
			return false;
		for (int i = 0; i < pieces; i++)
			if (place[i] == s)
				chunk++;
		if (chunk != q->chunks)
			return wrong(r, "%d pieces, but every other stage has %d", chunk, q->chunks);
	}
	r->at = start(q->order);
	if (find_line(r, q->stages))
		return wrong(r, "the pipeline has %d stages", q->stages);
	for (int s = 0; s < q->stages; s++)
		for (int i = 0, chunk = 0; i < pieces; i++)
			if (place[i] == s)
				place[i] = chunk++ * q->stages + s;
	return true;
}

/*
 * Set the chunk of an operation if two copies of the model start from the two ends. The lower half of the micro-batches
 * is in piece s on stage s. The upper half, numbered from 0, is on stage P - 1 - s as its chunk 1.
 */
static bool
seat_both(struct custom_reader *r, const struct shape *q, int stage, struct token *t)
{
	int half = q->micro / 2;
	bool back = (int)t->op.micro >= half;
	int piece = back ? q->stages - 1 - stage : stage;

	if (t->piece != piece)
		return wrong(r, "micro-batch %u finds piece %d here, not '%d'", t->op.micro, piece, t->piece);
	t->op.chunk = back;
	t->op.micro -= back ? (uint32_t)half : 0;
	return true;
}

/*
 * Read the operations of a stage. Return their number, or -1 on an error. PLACE: positions of the pieces; NULL: two
 * copies of the model.
 */
static long
read_stage(struct custom_reader *r, const struct shape *q, int stage, const int *place, struct op *op, long room)
{
	struct token t;
	long n = 0;

	r->at = start(q->order);
	find_line(r, stage);
	while (next_token(r, &t)) {
		if ((int)t.op.micro >= q->micro)
			return wrong(r, "no micro-batch '%u': there are %d", t.op.micro, q->micro), -1;
		if (n == room)
			return wrong(r, "more operations than the micro-batches need"), -1;
		if (place == NULL && !seat_both(r, q, stage, &t))
			return -1;
		if (place != NULL)
			t.op.chunk = (uint16_t)(place[t.piece < 0 ? stage : t.piece] / q->stages);
		if (t.op.joined && n > 0 && op[n - 1].joined == 1)
			t.op.joined = 2;
		op[n++] = t.op;
	}
	return r->problem != NULL ? -1 : n;
}

/* Check that each forward and each backward occurs once. A backward with a later W becomes an I. */
static bool
settle(struct custom_reader *r, const struct shape *q, struct op *op, long n)
{
	unsigned char *seen = xcalloc((size_t)q->chunks * (size_t)q->micro, 1);
	bool good = true;

	for (long i = 0; i < n && good; i++) {
		unsigned char *s = &seen[(size_t)op[i].chunk * (size_t)q->micro + op[i].micro];
		unsigned bit = 1u << (op[i].phase == PHASE_I ? PHASE_B : op[i].phase);

		if (*s & bit)
			good = wrong(r, "%s of micro-batch %u twice in one piece", phase_words[op[i].phase],
			    op[i].micro);
		*s |= (unsigned char)(bit | (op[i].phase == PHASE_I ? 1u << PHASE_I : 0));
	}
	for (size_t i = 0; i < (size_t)q->chunks * (size_t)q->micro && good; i++) {
		unsigned micro = (unsigned)(i % (size_t)q->micro);

		if (!(seen[i] & 1u << PHASE_F) || !(seen[i] & 1u << PHASE_B))
			good = wrong(r, "no %s of micro-batch %u",
			    seen[i] & 1u << PHASE_F ? "backward" : "forward", micro);
		else if (seen[i] & 1u << PHASE_I && !(seen[i] & 1u << PHASE_W))
			good = wrong(r, "operation I without its W for micro-batch %u", micro);
	}
	for (long i = 0; i < n && good; i++)
		if (op[i].phase == PHASE_B &&
		    seen[(size_t)op[i].chunk * (size_t)q->micro + op[i].micro] & 1u << PHASE_W)
			op[i].phase = PHASE_I;
	for (long i = 0; i < n && good; i++)
		if (op[i].joined == 1 && (i + 1 == n || op[i + 1].joined != 2))
			good = wrong(r, "only one operation in parentheses");
	free(seen);
	return good;
}

static const char *
problem(const struct shape *q)
{
	struct custom_reader r = { .at = start(q->order) };
	long room = 3L * q->micro * q->chunks, n;
	struct op *op;
	int *place;

	if (q->order == NULL)
		return "a custom schedule needs an order";
	if (q->splits > 1 || q->group > 0)
		return "a custom schedule allows neither sequence splits nor groups";
	/* An operation takes at least three characters, of which one is a separator. */
	if ((size_t)room / 3 > strlen(q->order))
		return "order: too short for this number of micro-batches";
	place = xcalloc((size_t)q->stages * (size_t)q->chunks, sizeof *place);
	op = xcalloc((size_t)room, sizeof *op);
	find_pieces(&r, q, place);
	for (int s = 0; s < q->stages && r.problem == NULL; s++) {
		n = read_stage(&r, q, s, place, op, room);
		if (n >= 0)
			settle(&r, q, op, n);
	}
	free(place);
	free(op);
	return r.problem;
}

/* Read all stages of an order that problem() accepted. */
static void
arrange(struct schedule *s)
{
	struct custom_reader r = { .at = start(s->shape.order) };
	int *place = xcalloc((size_t)s->stages * (size_t)s->chunks, sizeof *place);
	struct op *op = s->op;

	find_pieces(&r, &s->shape, place);
	for (int i = 0; i < s->stages; i++) {
		long n = read_stage(&r, &s->shape, i, place, op, 3L * s->micro * s->chunks);

		settle(&r, &s->shape, op, n);
		op += n;
		s->first[i + 1] = (size_t)(op - s->op);
	}
	free(place);
}

/* Return the shape that settle() checks one of two copies of the model for: half of the micro-batches. */
static struct shape
halves(const struct shape *q)
{
	struct shape half = *q;

	half.chunks = 2;
	half.micro = q->micro / 2;
	return half;
}

const char *
custom_both_problem(const struct shape *q)
{
	struct custom_reader r = { .at = start(q->order) };
	struct shape half = halves(q);
	long room = 3L * q->micro;
	struct op *op;

	if ((size_t)room / 3 > strlen(q->order))
		return "order: too short for this number of micro-batches";
	op = xcalloc((size_t)room, sizeof *op);
	for (int s = 0; s < q->stages && r.problem == NULL; s++) {
		long n;

		r.at = start(q->order);
		if (!find_line(&r, s)) {
			wrong(&r, "only this many lines, but the pipeline has %d stages", q->stages);
			break;
		}
		n = read_stage(&r, q, s, NULL, op, room);
		if (n >= 0)
			settle(&r, &half, op, n);
	}
	r.at = start(q->order);
	if (r.problem == NULL && find_line(&r, q->stages))
		wrong(&r, "the pipeline has %d stages", q->stages);
	free(op);
	return r.problem;
}

void
custom_both_arrange(struct schedule *s)
{
	struct custom_reader r = { .at = start(s->shape.order) };
	struct shape half = halves(&s->shape);
	struct op *op = s->op;

	for (int i = 0; i < s->stages; i++) {
		long n = read_stage(&r, &s->shape, i, NULL, op, 3L * s->shape.micro);

		settle(&r, &half, op, n);
		op += n;
		s->first[i + 1] = (size_t)(op - s->op);
	}
}

static void
place(const struct shape *q, int *piece)
{
	struct custom_reader r = { .at = start(q->order) };

	find_pieces(&r, q, piece);
}

const struct scheme scheme_custom = {
	.arrange = arrange, .place = place, .problem = problem, .interleaved = true, .split = true,
	.joined = true
};
