#include "arithmetic.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memstream.h"

struct arithmetic_sum {
	const char *s;
	bool good;
	int depth;
	const struct names *names;
};

enum { DEPTH_MOST = 100, NAME_SHORT = 24 };

static struct term choice(struct arithmetic_sum *);
static struct term binary(char op, struct term, struct term);

static char
peek(struct arithmetic_sum *t)
{
	while (*t->s == ' ' || (*t->s >= '\t' && *t->s <= '\r'))
		t->s++;
	return *t->s;
}

/* Skip OPERATOR if it comes next. Return whether it did. */
static bool
next(struct arithmetic_sum *t, const char *operator)
{
	size_t n;

	if (peek(t) != *operator)
		return false;
	n = strlen(operator);
	if (strncmp(t->s, operator, n) != 0)
		return false;
	t->s += n;
	return true;
}

static struct term
number(long x)
{
	return (struct term){ .type = TERM_NUMBER, .number = x };
}

static struct term
none(const char *why)
{
	return (struct term){ .text = why };
}

/* Evaluate one level deeper. All nesting passes through this function, so it limits the depth. */
static struct term
deeper(struct arithmetic_sum *t, struct term (*of)(struct arithmetic_sum *))
{
	struct term x = none(NULL);

	if (++t->depth > DEPTH_MOST)
		t->good = false;
	else
		x = of(t);
	t->depth--;
	return x;
}

static bool
of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Read a path of names and indices. An index may be an expression, so the path is written anew with its value. */
static struct term
path(struct arithmetic_sum *t)
{
	char *path;
	size_t n;
	FILE *f = memstream_open(&path, &n);
	struct term x = number(0);

	while (t->good && x.type == TERM_NUMBER && (of_name(*t->s) || *t->s == '[')) {
		if (*t->s != '[') {
			putc(*t->s++, f);
			continue;
		}
		t->s++;
		x = deeper(t, choice);
		t->good &= next(t, "]") && (x.type == TERM_NUMBER || x.type == TERM_NONE);
		t->good &= !isalnum((unsigned char)*t->s) && *t->s != '_';
		fprintf(f, "[%ld]", x.number);
	}
	memstream_close(f);
	if (x.type == TERM_NUMBER)
		x = t->names->find(t->names->of, path, n);
	free(path);
	return x;
}

static struct term
named(struct arithmetic_sum *t)
{
	const char *from = t->s;
	char name[NAME_SHORT] = "";
	size_t n = 0;
	struct term x;

	/* Avoid allocations for short names: lists of operators have thousands of these. */
	for (; n < NAME_SHORT - 1 && of_name(from[n]); n++)
		name[n] = from[n];
	if (of_name(from[n]) || from[n] == '[') {
		x = path(t);
	} else {
		x = t->names->find(t->names->of, name, n);
		t->s += n;
	}
	if (x.type == TERM_NONE && x.name == NULL) {
		x.name = from;
		x.length = (size_t)(t->s - from);
	}
	return x;
}

static struct term
quoted(struct arithmetic_sum *t)
{
	const char *from = ++t->s, *end = strchr(from, '\'');

	t->good &= end != NULL;
	t->s = end != NULL ? end + 1 : from + strlen(from);
	return (struct term){ .type = TERM_TEXT, .text = from, .length = end != NULL ? (size_t)(end - from) : 0 };
}

static struct term
factor(struct arithmetic_sum *t)
{
	struct term x;
	char *end, c = peek(t);

	if (c == '-' || c == '!' || c == '#') {
		t->s++;
		x = deeper(t, factor);
		if (c == '#' && x.type != TERM_NONE)
			return number(x.type == TERM_TEXT ? (long)x.length : t->names->count(t->names->of, x));
		if (x.type == TERM_NUMBER)
			return c == '!' ? number(!x.number) : binary('-', number(0), x);
		return x.type == TERM_NONE ? x : none("not a number");
	}
	if (c == '(') {
		t->s++;
		x = deeper(t, choice);
		t->good &= next(t, ")");
		return x;
	}
	if (c == '\'')
		return quoted(t);
	if (isalpha((unsigned char)c) || c == '_')
		return named(t);
	errno = 0;
	x = number(strtol(t->s, &end, 10));
	t->good &= end != t->s && errno == 0 && labs(x.number) < INT_MAX;
	t->s = end;
	return x;
}

/* Combine two numbers. If one is absent, return it. */
static struct term
binary(char op, struct term a, struct term b)
{
	long x = a.number, y = b.number, z = 0;
	bool over = false;

	if (a.type != TERM_NUMBER || b.type != TERM_NUMBER)
		return a.type == TERM_NONE ? a : b.type == TERM_NONE ? b : none("not a number");
	switch (op) {
	case '+':
		over = __builtin_add_overflow(x, y, &z);
		break;
	case '-':
		over = __builtin_sub_overflow(x, y, &z);
		break;
	case '*':
		over = __builtin_mul_overflow(x, y, &z);
		break;
	default:
		if (y == 0)
			return none("division by 0");
		if (y == -1)
			over = op == '/' && __builtin_sub_overflow(0, x, &z);
		else
			z = op == '/' ? x / y : x % y;
	}
	return over ? none("too large") : number(z);
}

static struct term
product(struct arithmetic_sum *t)
{
	struct term x = factor(t);

	while (t->good && (peek(t) == '*' || *t->s == '/' || *t->s == '%')) {
		char op = *t->s++;

		x = binary(op, x, factor(t));
	}
	return x;
}

static struct term
sum(struct arithmetic_sum *t)
{
	struct term x = product(t);

	while (t->good && (peek(t) == '+' || *t->s == '-')) {
		char op = *t->s++;

		x = binary(op, x, product(t));
	}
	return x;
}

static bool
same(struct term a, struct term b)
{
	if (a.type != b.type)
		return false;
	return a.type == TERM_NUMBER ? a.number == b.number :
	    a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* Compare the value of a key with a whole number. The value may be a fraction, but not anything else. */
static struct term
fraction(struct term key, long x, bool equal)
{
	char *end = NULL;
	double value = key.type == TERM_TEXT ? strtod(key.text, &end) : 0;

	if (key.type == TERM_TEXT && key.length == 1)
		return number(!equal);
	if (end == NULL || end == key.text || *end != '\0') {
		key.type = TERM_NONE;
		key.text = "not a number";
		return key;
	}
	return number((value == (double)x) == equal);
}

/* Return whether a text such as "3,4,5" has the number X. */
static bool
enumerates(struct term text, struct term x)
{
	const char *p = text.text, *end = p + text.length;
	bool found = false;

	for (char *next; x.type == TERM_NUMBER && p < end && !found; p = next + 1)
		found = strtol(p, &next, 10) == x.number && next > p;
	return found;
}

static struct term
comparison(struct arithmetic_sum *t)
{
	static const char *const operators[] = { "==", "!=", "<=", ">=", "<", ">", "in " };
	struct term x = sum(t), y;
	size_t i = 0;
	long a, b;

	if (strchr("=!<>i", peek(t)) == NULL)
		return x;
	while (i < 7 && !next(t, operators[i]))
		i++;
	if (i == 7)
		return x;
	y = sum(t);
	if (x.type == TERM_NONE || y.type == TERM_NONE)
		return x.type == TERM_NONE ? x : y;
	if (x.type == TERM_LIST && (i == 6 || y.type == TERM_LIST))
		return none("a list");
	if (i == 6)
		return y.type == TERM_LIST ? number(t->names->holds(t->names->of, y, x)) : y.type == TERM_TEXT ?
		    number(enumerates(y, x)) : none("not a list");
	if (i < 2 && y.type == TERM_NUMBER && x.type != TERM_NUMBER && x.origin != NULL)
		return fraction(x, y.number, i == 0);
	if (i < 2)
		return number(same(x, y) == (i == 0));
	y = binary('-', x, y);
	if (y.type == TERM_NONE)
		return y;
	a = y.number;
	b = 0;
	return number(i == 2 ? a <= b : i == 3 ? a >= b : i == 4 ? a < b : a > b);
}

static bool
true_of(struct term x)
{
	return x.type == TERM_NUMBER && x.number != 0;
}

static struct term
conjunction(struct arithmetic_sum *t)
{
	struct term x = comparison(t), y;

	while (t->good && next(t, "&&")) {
		y = comparison(t);
		x = x.type == TERM_NONE ? x : !true_of(x) ? number(0) : y.type == TERM_NONE ? y : number(true_of(y));
	}
	return x;
}

static struct term
disjunction(struct arithmetic_sum *t)
{
	struct term x = conjunction(t), y;

	while (t->good && next(t, "||")) {
		y = conjunction(t);
		x = x.type == TERM_NONE ? x : true_of(x) ? number(1) : y.type == TERM_NONE ? y : number(true_of(y));
	}
	return x;
}

static struct term
alternative(struct arithmetic_sum *t)
{
	struct term x = disjunction(t), y;

	while (t->good && next(t, "|")) {
		y = disjunction(t);
		if (x.type == TERM_NONE && x.text == NULL)
			x = y;
	}
	return x;
}

static struct term
choice(struct arithmetic_sum *t)
{
	struct term x = alternative(t), yes, no;

	if (!t->good || !next(t, "?"))
		return x;
	yes = deeper(t, choice);
	t->good &= next(t, ":");
	no = deeper(t, choice);
	return x.type == TERM_NONE ? x : true_of(x) ? yes : no;
}

bool
arithmetic_named(const char *text, const struct names *names, struct term *value)
{
	struct arithmetic_sum t = { .s = text, .good = true, .names = names };

	*value = choice(&t);
	return t.good && peek(&t) == '\0';
}
