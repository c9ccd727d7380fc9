/* Sorting of arrays, and searches in sorted arrays. */
#ifndef SORTED_H
#define SORTED_H

#include <stddef.h>
#include <stdlib.h>

/*
 * Define NAME, an order of TYPE for qsort() and bsearch(). It ascends by up to five keys, the most significant first. A
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

/* Sort N elements of AT. AT may be NULL if N is 0. */
#define SORT(at, n, order) do { \
	if ((n) > 1) \
		qsort((at), (size_t)(n), sizeof *(at), (order)); \
} while (0)

/*
 * Return the number of elements at the start of AT for which BEFORE holds, by bisection. BEFORE is an expression of the
 * element *it. It must be false for all elements after the first for which it is false.
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
