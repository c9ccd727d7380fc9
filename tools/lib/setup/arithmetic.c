#include "arithmetic.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

struct sum {
	const char *s;
	bool good;
	int depth;
};

enum { DEPTH_MOST = 100 };

static long sum(struct sum *);

static char
peek(struct sum *t)
{
	while (isspace((unsigned char)*t->s))
		t->s++;
	return *t->s;
}

static long
factor(struct sum *t)
{
	char *end;
	long x;

	if (peek(t) == '-') {
		t->s++;
		if (++t->depth > DEPTH_MOST) {
			t->good = false;
			return 0;
		}
		x = -factor(t);
		t->depth--;
		return x;
	}
	if (peek(t) == '(') {
		t->s++;
		if (++t->depth > DEPTH_MOST) {
			t->good = false;
			return 0;
		}
		x = sum(t);
		t->depth--;
		t->good &= peek(t) == ')';
		t->s += *t->s == ')';
		return x;
	}
	errno = 0;
	x = strtol(t->s, &end, 10);
	t->good &= end != t->s && errno == 0 && labs(x) < INT_MAX;
	t->s = end;
	return t->good ? x : 0;
}

static long
product(struct sum *t)
{
	long x = factor(t);

	while (t->good && (peek(t) == '*' || *t->s == '/' || *t->s == '%')) {
		char op = *t->s++;
		long y = factor(t);

		if (op != '*' && (y == 0 || y == -1)) {
			x = op == '/' ? -x : 0;
			t->good &= y != 0;
			continue;
		}
		if (op == '*')
			t->good &= !__builtin_mul_overflow(x, y, &x);
		else
			x = op == '/' ? x / y : x % y;
	}
	return x;
}

static long
sum(struct sum *t)
{
	long x = product(t);

	while (t->good && (peek(t) == '+' || *t->s == '-')) {
		char op = *t->s++;
		long y = product(t);

		t->good &= op == '+' ? !__builtin_add_overflow(x, y, &x) : !__builtin_sub_overflow(x, y, &x);
	}
	return x;
}

bool
arithmetic(const char *text, long *value)
{
	struct sum t = { .s = text, .good = true };

	*value = sum(&t);
	return t.good && peek(&t) == '\0';
}
