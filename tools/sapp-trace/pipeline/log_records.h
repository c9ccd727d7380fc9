/* What a training log says of its steps, as records. */
#ifndef LOG_RECORDS_H
#define LOG_RECORDS_H

#include "log.h"

/*
 * Write step, timing, peak and chunks records, as far as the log has figures for them. STAGES and MICRO: 0, or what
 * wins over the log's arguments.
 */
void log_write(FILE *, struct log *, struct step_range, int stages, int micro);

#endif
