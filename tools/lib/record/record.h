/* The stream that flows between the tools: one JSON object a line, known by its "kind". */
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
	RECORD_OTHER,		/* a kind this tool does not read: passed through as it is */
	RECORD_FOREIGN,		/* not JSON at all; only where the reader allows it */
};
#define RECORDS(kind) (UINT64_C(1) << (kind))	/* sets of kinds, for reader_open() */

struct record {
	enum record_kind kind;
	struct place place;
	char *text;		/* the line as it was read; NULL for a record made here */
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

/* The name of a kind, and its members. */
const char *record_name(enum record_kind);
const struct fields *record_fields(enum record_kind);

struct reader {
	char *const *operand;	/* files still to be read */
	FILE *file;
	const char *source;
	long line;
	uint64_t kinds;
	bool foreign_lines;	/* set after reader_open(): lines that do not begin with { become RECORD_FOREIGN */
	char *buffer;
	size_t capacity;
};

/* Read the files of OPERANDS (ended by NULL) one after the other; none, or "-", is stdin.
 * Records whose kind is in KINDS are parsed and checked, others come as RECORD_OTHER. */
void reader_open(struct reader *, char *const operands[], uint64_t kinds);
/* The next record, false at the end. Exits with a message on anything that is not a record. */
bool reader_next(struct reader *, struct record *);
void reader_close(struct reader *);

/* A record that was read is written as it was read, to the byte. */
void record_write(FILE *, const struct record *);
/* A record made here, from its struct. */
void record_put(FILE *, enum record_kind, const void *rec);
void record_free(struct record *);

/*
 * A list of records kept in the order they came, for tools that need all of them first. Those of kinds that are not
 * read become one record, RECORD_OTHER with several lines of text, where they follow each other; of others there may
 * be so many.
 */
struct records {
	size_t n;
	struct record *at;
	const char *source;	/* the first operand, to name an input without records */
	size_t length, capacity;	/* of the text of the last one, if lines were joined to it */
};
/* REC is taken over. Exits where there are too many. */
void records_add(struct records *, struct record *rec);
void records_read(struct records *, char *const operands[], uint64_t kinds);
void records_free(struct records *);
/* A fingerprint of a question: of the models, layers and kinds among them, and of ASKED. */
uint64_t records_question(const struct records *, const struct pipeline *asked);

#endif
