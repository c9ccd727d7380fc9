/* A stream of records from memory. Record streams are listed until closed, so they must be closed, not just freed. */
#ifndef FUZZ_STREAM_H
#define FUZZ_STREAM_H

#include "lib/record/record.h"

static inline struct reader
stream_open(const void *data, size_t size)
{
	static char *const no_more[] = { NULL };

	return (struct reader){ .operand = no_more, .file = fmemopen((void *)data, size, "r"), .source = "fuzz",
		.kinds = ((uint64_t)1 << RECORD_OTHER) - 1 };
}

/* Close the stream after a message that ended the input. */
static inline void
stream_abandon(struct reader *in)
{
	if (in->file != NULL)
		fclose(in->file);
	in->file = NULL;
}

#endif
