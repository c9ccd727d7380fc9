/* Writer: events of a profiler, in the form of one of its releases. */
#ifndef WRITER_H
#define WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <zlib.h>

#include "lib/base/table.h"

enum format { TRACE_VIEW, MSPROF, DISPLAY, OLDER, KINETO };
enum { DEPTH = 16, HARDWARE = 3, SCOPES = 5, RANKS_PER_STAGE = 8 };

struct asked {
	int stages, layers, micro, steps;
	double head, body, tail, ratio, spread, idle;	/* ms, shares */
	struct grid make;		/* stages to write */
	int kind[64], kinds;		/* recomputation of the layers, in turn */
	enum format format;
	bool gz, overhang, nosteps;
	bool sequence_parallel;		/* Kineto: the input of the embedding's gradient is gathered before it */
	bool plain;			/* kernels are named by their type, not by their path */
	int size;			/* MB at least */
	const char *dir;
};

struct scope {		/* an open component of the scope track */
	char name[64];
	int64_t start, end;
};

struct writer {
	const struct asked *asked;
	gzFile file;
	const char *path;
	uint64_t bytes, events;
	int64_t now, begin;		/* ns */
	int step, micro, stage;
	double slow;			/* warm-up steps take longer */
	int kernel;			/* number of the operation within the step */
	struct scope open[DEPTH];
	/* Kineto alone: */
	unsigned long long launches;
	long long sequence;		/* number of the operation in autograd, -1: none */
	int thread;			/* of the host */
	int first, module;		/* layer of the stage, number of the one entered last within the stage */
};

void writer_put(struct writer *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* One event, its members given by FMT. */
#define EVENT(w, fmt, ...) writer_put(w, "%s{" fmt "}", (w)->events++ ? ", " : "", __VA_ARGS__)
/* "ts" and "dur" as the format has them: a string of 20 digits, or a number. */
const char *writer_when(const struct writer *, int64_t start, int64_t end);
/* Write a kernel, its events in the other processes, and the scopes that it closes. */
void writer_kernel(struct writer *, const char *path, int stream, int64_t start, int64_t end);
/* Communication runs on its own stream in parallel to computation; other processes show it also. */
void writer_communication(struct writer *, const char *path, int64_t start, int64_t end);
/*
 * Write the events before the first step and after the last. Names come last: a reader must read the whole file to know
 * the processes.
 */
void writer_open(struct writer *);
void writer_close(struct writer *);

#endif
