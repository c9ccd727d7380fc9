/* Sorted arrays: orders, sorting by them, and searching in what is sorted. */
#ifndef SORTED_H
#define SORTED_H

#include <stddef.h>
#include <stdlib.h>

/*
 * Defines NAME, an order of TYPE for qsort() and bsearch(): ascending by the first of up to five keys that differs. A
 * key is an expression of the element *it: ORDER_BY(by_end, struct span, it->thread, -it->end).
 */
#define ORDER_BY(name, type, ...) \
static int \
name(const void *a, const void *b) \
{ \
	ORDER_KEYS(__VA_ARGS__, ORDER_KEY5, ORDER_KEY4, ORDER_KEY3, ORDER_KEY2, ORDER_KEY1, )(type, __VA_ARGS__) \
	return 0; \
}
#define ORDER_KEYS(a, b, c, d, e, keys, ...) keys
#define ORDER_KEY1(type, key) do { \
	const type *it = a; \
	const __typeof__(key) x = (key); \
	it = b; \
	if (x != (key)) \
		return x < (key) ? -1 : 1; \
} while (0);
#define ORDER_KEY2(type, key, ...) ORDER_KEY1(type, key) ORDER_KEY1(type, __VA_ARGS__)
#define ORDER_KEY3(type, key, ...) ORDER_KEY1(type, key) ORDER_KEY2(type, __VA_ARGS__)
#define ORDER_KEY4(type, key, ...) ORDER_KEY1(type, key) ORDER_KEY3(type, __VA_ARGS__)
#define ORDER_KEY5(type, key, ...) ORDER_KEY1(type, key) ORDER_KEY4(type, __VA_ARGS__)

/* AT, which is NULL where N is 0. */
#define SORT(at, n, order) do { \
	if ((n) > 1) \
		qsort((at), (size_t)(n), sizeof *(at), (order)); \
} while (0)

/*
 * How many of the N elements of AT stand before the first for which BEFORE, an expression of the element *it, is false;
 * it is of all behind that one, too (bisection).
 */
#define COUNT_BEFORE(at, n, before) __extension__ ({ \
	size_t count_ = 0; \
	for (size_t end_ = (size_t)(n); count_ < end_;) { \
		const size_t half_ = count_ + (end_ - count_) / 2; \
		const __typeof__(*(at)) *const it = &(at)[half_]; \
		if (before) \
			count_ = half_ + 1; \
		else \
			end_ = half_; \
	} \
	count_; \
})

#endif
