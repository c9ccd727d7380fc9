#include "signature.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"
#include "lib/base/sorted.h"

ORDER_BY(by_number, uint32_t, *it)

void
signature_keep(struct layout *l, const struct work *w, int layer, size_t from, size_t to)
{
	struct layer_types *k;
	uint32_t *type = xcalloc(to - from + 1, sizeof *type);
	size_t n = 0, kept = 0;

	while (l->nkept <= layer)
		*APPEND(l->kept, l->nkept) = (struct layer_types){ 0 };
	k = &l->kept[layer];
	for (size_t i = from; i < to; i++)
		type[n++] = w->at[i]->type;
	SORT(type, n, by_number);
	if (k->at == NULL) {
		k->at = xcalloc(n + 1, sizeof *k->at);
		for (size_t i = 0; i < n; i++)
			if (i == 0 || type[i] != type[i - 1])
				k->at[k->n++] = type[i];
	}
	for (size_t i = 0; i < k->n; i++) {
		size_t at = COUNT_BEFORE(type, n, *it < k->at[i]);

		if (at < n && type[at] == k->at[i])
			k->at[kept++] = k->at[i];
	}
	k->n = kept;
	free(type);
}

void
signature_make(struct layout *l, const struct sequence *q)
{
	l->signature = xcalloc((size_t)l->layers + 1, sizeof *l->signature);
	for (int i = 0; i < l->layers && i < l->nkept; i++)
		for (size_t k = 0; k < l->kept[i].n; k++) {
			const struct kernel_type *t = &q->type[l->kept[i].at[k]];

			l->signature[i] += hash_text(t->name, t->length, 0) | 1;
		}
}
