/* sapp-est: estimate memory and step time of configurations from the shapes of network and cluster. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/output.h"
#include "lib/base/status.h"
#include "lib/record/record.h"
#include "calibrate.h"
#include "candidates.h"
#include "clusters.h"
#include "measurements.h"
#include "survey.h"

/* Read the stream of a space to its end, and complete the measurements. */
static void
read_space(struct est_run *r, struct wanted_output *w)
{
	struct record rec;

	while (inputs_next(&r->in, &rec, &r->line)) {
		measurements_take(r, &rec);
		if (rec.kind == RECORD_CANDIDATE) {
			inputs_choose(&r->in, &rec.candidate, rec.place);
			measurements_end(r, &rec);
			space_take(&w->asked, &rec.candidate);
		}
		candidates_pass_on(r, &rec);
		record_free(&rec);
	}
	if (!r->asked)
		measurements_complete(r, NULL, (struct place){ 0 });
	measurements_tell_assumed(r, !w->asked.choice[DIM_MBS].given || w->asked.choice[DIM_MBS].most > 1);
	inputs_network(&r->in);
	inputs_cluster(&r->in);
	line_flush(&r->line, stdout);
}

int
main(int argc, char *argv[])
{
	struct wanted_output w = wanted_read(argc, argv);
	struct est_run r = { .records = w.records, .how = { .imbalance = w.imbalance, .noncausal = w.noncausal,
	    .measured = measured_none() } };

	if (w.clusters || w.template != NULL) {
		if (w.clusters)
			clusters_list(stdout);
		else
			clusters_template(stdout, w.template);
		stdout_close();
		return STATUS_ANSWERED;
	}
	inputs_open(&r.in, w.operands, RECORDS(RECORD_CANDIDATE) | RECORDS(RECORD_ESTIMATE) | MEASURED, w.cluster);
	if (w.runs != NULL) {
		measurements_of_table(&r);
		calibrate(w.runs, &r.in, &r.how.measured, isatty(STDOUT_FILENO) ? NULL : stdout,
		    isatty(STDOUT_FILENO) ? stdout : stderr);
		measured_free(&r.how.measured);
		inputs_close(&r.in);
		stdout_close();
		return STATUS_ANSWERED;
	}
	measurements_read(&r, &w);
	if (w.cluster != NULL)
		inputs_tell(&r.in, &r.line);
	if (w.space) {
		read_space(&r, &w);
		r.any = survey(&w, &r.in, &r.how);
	} else {
		candidates_answer(&r, &w);
	}
	if (r.in.reader.line == 0 && !r.in.have_network && w.cluster == NULL)
		errx(STATUS_ERROR, "%s: no records: a network, a cluster and candidates are needed, as sapp-model and "
		    "sapp-enum write them", r.in.reader.source);
	measurements_write_nd(&r, &w);
	if (w.operators && r.any &&
	    wanted_operators_write(&r.operators, w.until / 100, inputs_cluster(&r.in)->name, stdout) == 0)
		warnx("all operators of the candidates are measured, except for %g %% of their layers", w.until);
	wanted_operators_free(&r.operators);
	if (w.next && r.any && !next_run_write(stdout, &r.next, r.cluster))
		warnx("no short run would help to find the shortest configuration");
	if (r.current_peak > 0)
		warnx("peak: ignored, as there is no candidate with origin current: the configuration of the run is "
		    "unknown");
	if (r.estimator != NULL)
		estimator_free(r.estimator);
	free(r.last);
	line_free(&r.line);
	space_free(&w.asked);
	if (operator_table_empty(&r.how.measured.operators))
		r.how.measured.operators = r.aside;
	measured_free(&r.how.measured);
	inputs_close(&r.in);
	stdout_close();
	if (r.refused > 0)
		errx(STATUS_ERROR, "%d candidates were refused; the others are answered", r.refused);
	return r.any || !w.space ? STATUS_ANSWERED : STATUS_NO_ANSWER;
}
