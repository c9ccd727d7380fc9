/* The stream of records between the tools: one JSON object per line, whose member "kind" names its type. */
#ifndef RECORD_H
#define RECORD_H

#include <stdint.h>
#include <stdio.h>

#include "architecture.h"
#include "chunks.h"
#include "cluster.h"
#include "coefficient.h"
#include "comparison.h"
#include "configuration.h"
#include "device_operator.h"
#include "layer.h"
#include "measured_job.h"
#include "measurement.h"
#include "observed.h"
#include "opcost.h"
#include "operators.h"
#include "pipeline.h"
#include "plan.h"
#include "prediction.h"
#include "program.h"
#include "result.h"
#include "settings_text.h"
#include "training_run.h"

enum record_kind {
	RECORD_TIMING, RECORD_STEP, RECORD_JOB, RECORD_PEAK, RECORD_MEASURE, RECORD_MODEL, RECORD_LAYER, RECORD_KIND,
	RECORD_FIT, RECORD_PIPELINE, RECORD_PLAN, RECORD_CHUNKS, RECORD_SIM, RECORD_BLOCK,
	RECORD_COMPARISON,
	RECORD_NETWORK, RECORD_CLUSTER, RECORD_CANDIDATE, RECORD_ESTIMATE,
	RECORD_RUN, RECORD_KERNEL, RECORD_COMMUNICATION, RECORD_TENSOR, RECORD_USAGE, RECORD_COEFFICIENT,
	RECORD_DOUBT, RECORD_OPCOST, RECORD_COVERAGE, RECORD_LAUNCH, RECORD_SETTINGS, RECORD_OPERATOR,
	RECORD_OTHER,		/* kind that this tool does not know: passed on unchanged */
	RECORD_FOREIGN,		/* line that is not JSON; only if the reader allows such lines */
};
#define RECORDS(kind) (UINT64_C(1) << (kind))	/* set of one kind, for reader_open() */

struct record {
	enum record_kind kind;
	struct place place;
	char *text;		/* line as it was read; NULL: the tool made the record */
	union {
		struct timing timing;
		struct measured_step step;
		struct measured_job job;
		struct peak peak;
		struct measure measure;
		struct model model;
		struct layer layer;
		struct operators operators;
		struct fit fit;
		struct pipeline pipeline;
		struct plan plan;
		struct chunks chunks;
		struct sim sim;
		struct block block;
		struct comparison comparison;
		struct architecture network;
		struct cluster cluster;
		struct configuration candidate;
		struct prediction estimate;
		struct training_run run;
		struct observed_kernel kernel;
		struct observed_communication communication;
		struct observed_tensor tensor;
		struct observed_usage usage;
		struct coefficient coefficient;
		struct doubt doubt;
		struct opcost opcost;
		struct coverage coverage;
		struct program launch;
		struct settings_text settings;
		struct device_operator device_operator;
	};
};

/* Return the name of a kind; return its field table. */
const char *record_name(enum record_kind);
const struct fields *record_fields(enum record_kind);

struct reader {
	char *const *operand;	/* files not yet read */
	FILE *file;
	const char *source;
	long line;
	uint64_t kinds;
	/* lines that do not begin with { become RECORD_FOREIGN instead of errors; may be set after reader_open() */
	bool foreign_lines;
	char *buffer;
	size_t capacity;
};

/*
 * Read the files OPERANDS (NULL-terminated) in turn. Read stdin for "-" or without operands. Parse and check records of
 * KINDS. Records of other kinds become RECORD_OTHER.
 */
void reader_open(struct reader *, char *const operands[], uint64_t kinds);
/* Read the next record. Return false at the end. Exit with a message if a line is not a record. */
bool reader_next(struct reader *, struct record *);
void reader_close(struct reader *);

/* Write a record. A record from an input is written byte for byte. */
void record_write(FILE *, const struct record *);
/* Write a new record of this kind from its struct. */
void record_put(FILE *, enum record_kind, const void *rec);
void record_free(struct record *);

/*
 * All records of an input in order, for tools that need all of them at once. Adjacent records of kinds that are not
 * parsed form one RECORD_OTHER with several lines of text.
 */
struct records {
	size_t n;
	struct record *at;
	const char *source;	/* first operand; names the input if it has no records */
	size_t length, capacity;	/* length and capacity of the last record's text, if several lines form it */
};
/* Append *REC and take ownership of it. Exit if the list is full. */
void records_add(struct records *, struct record *rec);
void records_read(struct records *, char *const operands[], uint64_t kinds);
void records_free(struct records *);
/* Return a hash that identifies a question: the models, layers and kinds in the list, and ASKED. */
uint64_t records_question(const struct records *, const struct pipeline *asked);

#endif
