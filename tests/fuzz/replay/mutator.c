/* Mutator for libFuzzer: half of its changes are libFuzzer's, half those of the replay. */
#include <stdint.h>
#include <string.h>

#include "change.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
	static struct text t;

	if (seed % 2 == 0 || size > TEXT_LONGEST)
		return LLVMFuzzerMutate(data, size, room);
	text_seed = 1 + (uint64_t)seed * 0x9e3779b97f4a7c15;
	if (text_seed == 0)
		text_seed = 1;
	t.n = size;
	memcpy(t.at, data, size);
	text_change(&t);
	t.n = t.n < room ? t.n : room;
	memcpy(data, t.at, t.n);
	return t.n;
}
