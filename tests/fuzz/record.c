/* Fuzz the record reader: it must accept the writer's output; small pipelines are simulated. */
#include "fuzz.h"
#include "lib/simulate/simulation.h"
#include "stream.h"

enum { OPS = 20000 };

static struct reader in, again;
static FILE *out;
static char *written;
static size_t length;

static void
simulate(const struct chunks *c)
{
	struct shape shape = chunks_shape(c);
	struct schedule s;
	struct load load;
	struct simulation sim = { 0 };

	if ((double)shape.micro * shape.chunks * shape.stages * (shape.splits ? shape.splits : 1) > OPS)
		return;
	s = schedule_new(&shape);
	load = load_from_chunks(c);
	load.transfers = (enum transfer_mode)(shape.micro % (TRANSFERS_ONE_BY_ONE + 1));
	if (simulation_run(&sim, &s, &load)) {
		struct path path = simulation_path(&sim);

		simulation_bubble(&sim);
		path_free(&path);
	} else {
		free(simulation_cycle(&sim));
	}
	simulation_free(&sim);
	schedule_free(&s);
	load_free(&load);
}

/* The reader must accept written records. */
static void
round_trip(const struct record *rec)
{
	struct record copy;

	out = open_memstream(&written, &length);
	record_put(out, rec->kind, &rec->timing);
	fclose(out);
	out = NULL;
	again = stream_open(written, length);
	if (!reader_next(&again, &copy) || copy.kind != rec->kind)
		abort();
	record_free(&copy);
	reader_close(&again);
	again.file = NULL;
	free(written);
	written = NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct record rec;

	if (size == 0)
		return 0;
	recompute_forget();
	if (FUZZ_BEGIN()) {
		in = stream_open(data, size);
		while (reader_next(&in, &rec)) {
			if (rec.kind == RECORD_CHUNKS)
				simulate(&rec.chunks);
			if (rec.kind < RECORD_OTHER)
				round_trip(&rec);
			record_free(&rec);
		}
		reader_close(&in);
	} else if (again.file != NULL) {
		abort();	/* it rejects its own output */
	}
	stream_abandon(&in);
	if (out != NULL)
		fclose(out);
	out = NULL;
	fuzz_end();
	return 0;
}
