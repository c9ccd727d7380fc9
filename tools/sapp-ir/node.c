/*
 * The operations of a dumped MindSpore graph.  One looks like
 *
 *   %38(equiv_1) = PrimFunc_Mul(%37, %4) {instance name: mul} primitive_attrs: {...} cnode_attrs: {recompute: Bool(1)}
 *       : (<Tensor[Float32], (8, 128)>) -> (...)
 *       # Fullname with scope: (Default/network-Net/0-Layer/feed_forward-FeedForward/Mul-op3)
 *
 * and older ones without PrimFunc_ or with "# Scope:" instead.
 */
#include "node.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clipped.h"
#include "lib/base/place.h"
#include "lib/base/terminal.h"
#include "lib/base/whole.h"

enum { LINE_MAX_BYTES = 1 << 20, TEXT_MAX = 1 << 14 };	/* maximum length of a line, and of a name or scope */

void
node_open(struct node_reader *r, const char *path)
{
	*r = (struct node_reader){ .path = path, .file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r") };
	if (r->file == NULL)
		place_die((struct place){ path, 0 }, "cannot be opened: %s", strerror(errno));
	if (r->file == stdin)
		terminal_wait("a dumped graph");
	r->line = xcalloc(1, LINE_MAX_BYTES);
	r->kept = xcalloc(3, TEXT_MAX);
}

/* Read the next line. Text beyond the maximum length is dropped. */
static bool
next_line(struct node_reader *r)
{
	size_t n;
	int c;

	if (fgets(r->line, LINE_MAX_BYTES, r->file) == NULL) {
		if (ferror(r->file))
			place_die((struct place){ r->path, 0 }, "cannot be read: %s", strerror(errno));
		return false;
	}
	n = strlen(r->line);
	if (n > 0 && r->line[n - 1] != '\n')
		while ((c = getc(r->file)) != EOF && c != '\n')
			;
	else if (n > 0)
		r->line[n - 1] = '\0';
	return true;
}

/* Copy TEXT up to one of the characters ENDS into TO. Return TO. */
static const char *
copy(char *to, const char *text, const char *ends)
{
	struct clipped name = clipped_new(to, TEXT_MAX);

	clipped_add(&name, text, strcspn(text, ends));
	return to;
}

/* Read the inputs of an operation in parentheses, such as %12. */
static void
read_inputs(struct ir_node *n, const char *at)
{
	int depth = 0;

	for (; *at != '\0'; at++) {
		depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
		if (depth == 0)
			return;
		if (*at == '%' && isdigit((unsigned char)at[1]) && n->ninputs < NODE_INPUTS)
			n->input[n->ninputs++] = strtol(at + 1, NULL, 10);
	}
}

/* Read the shape "(1, 4096, 4096)" after "Tensor[Float16]" at AT. Return the position after it. */
static const char *
read_tensor(const char *at, struct tensor *t)
{
	static const struct { const char *type; int bytes; } sizes[] = { { "[Float64]", 8 }, { "[Int64]", 8 },
		{ "[Float32]", 4 }, { "[Int32]", 4 }, { "[Float16]", 2 }, { "[BFloat16]", 2 }, { "[Int16]", 2 },
		{ "[Int8]", 1 }, { "[UInt8]", 1 }, { "[Bool]", 1 } };

	*t = (struct tensor){ .numbers = 1 };
	at += strlen("Tensor");
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		if (strncmp(at, sizes[i].type, strlen(sizes[i].type)) == 0)
			t->bytes = sizes[i].bytes;
	at += strcspn(at, "(<");
	for (at += *at == '('; isdigit((unsigned char)*at); at += strspn(at, ", ")) {
		char *end;
		double dim = strtod(at, &end);

		if (t->dims < (int)(sizeof t->dim / sizeof t->dim[0]))
			t->dim[t->dims++] = dim;
		t->numbers *= dim;
		at = end;
	}
	t->bytes *= t->numbers;
	if (!(t->bytes <= 1e15))
		t->bytes = t->numbers = 0;
	return at;
}

/*
 * Read types such as ": (<Tensor[Float16], (1, 4096)>, <Int64, NoShape>) -> (<Tensor[Float32], (1, 4096)>)". A tuple is
 * not a tensor.
 */
static void
read_types(const char *line, struct ir_node *n)
{
	static const char tensor[] = "<Tensor[", reference[] = "<Ref[Tensor[";
	const char *arrow = strstr(line, "-> (");

	if (arrow == NULL)
		return;
	for (int i = 0; i < 2 && line < arrow; i++) {
		line += strcspn(line, "<");
		if (strncmp(line, tensor, sizeof tensor - 1) == 0)
			read_tensor(line + 1, &n->in[i]);
		else if (strncmp(line, reference, sizeof reference - 1) == 0)
			read_tensor(line + strlen("<Ref["), &n->in[i]);
		line = strstr(line, ">, <");
		if (line == NULL)
			break;
		line += 3;
	}
	if (strncmp(arrow + 4, tensor, sizeof tensor - 1) == 0)
		read_tensor(arrow + 5, &n->out);
}

/* Read the begin of a node, " %38(name) = PrimFunc_Mul(%37, %4) ...". Return false if the line is not one. */
static bool
read_head(struct node_reader *r, struct ir_node *n)
{
	static const char prefix[] = "PrimFunc_", instance[] = "{instance name: ", micro[] = "micro: I64(";
	const char *at = r->line + strspn(r->line, " \t"), *op, *name;
	char *end;

	if (*at != '%' || !isdigit((unsigned char)at[1]))
		return false;
	*n = (struct ir_node){ .number = strtol(at + 1, &end, 10), .instance = "", .scope = "" };
	op = strstr(end, " = ");
	if (op == NULL)
		return false;
	op += 3;
	if (strncmp(op, prefix, sizeof prefix - 1) == 0)
		op += sizeof prefix - 1;
	n->op = copy(r->kept, op, "(){} \t");
	op += strcspn(op, "(");
	read_inputs(n, op);
	name = strstr(op, instance);
	if (name != NULL)
		n->instance = copy(r->kept + TEXT_MAX, name + sizeof instance - 1, "}");
	n->recompute = strstr(op, " recompute: Bool(1)") != NULL || strstr(op, "{recompute: Bool(1)") != NULL;
	n->duplicated = strstr(op, "duplicated: Bool(1)") != NULL;
	name = strstr(op, micro);
	n->micro = name != NULL ? whole_of(name + sizeof micro - 1, INT_MAX) : 0;
	return true;
}

/* Read the scope of a node, "# Fullname with scope: (...)" or "# Scope: (...)". */
static void
read_scope(struct node_reader *r, struct ir_node *n)
{
	const char *at = r->line + strspn(r->line, " \t#");

	if (strncmp(at, "Fullname with scope:", 20) == 0 || strncmp(at, "Scope:", 6) == 0) {
		at += strcspn(at, "(");
		if (*at == '(')
			n->scope = copy(r->kept + 2 * TEXT_MAX, at + 1, ")");
	}
}

bool
node_next(struct node_reader *r, struct ir_node *n)
{
	bool begun = r->length > 0 && read_head(r, n);

	/* The line that ended the previous node is the first of this node. */
	r->length = 0;
	while (next_line(r)) {
		const char *at = r->line + strspn(r->line, " \t");

		if (begun && ((*at == '%' && isdigit((unsigned char)at[1])) || *at == '}')) {
			r->length = 1;
			return true;
		}
		if (begun && *at == ':')
			read_types(at, n);
		else if (begun)
			read_scope(r, n);
		else
			begun = read_head(r, n);
	}
	return begun;
}

void
node_close(struct node_reader *r)
{
	if (r->file != stdin)
		fclose(r->file);
	free(r->line);
	free(r->kept);
	*r = (struct node_reader){ 0 };
}
