/* Peaks of memory in log lines of all forms. */
#include <stdlib.h>

#include "lib/measure/peaklog.h"
#include "tap.h"

static void
feed(struct peaklog *log, const char *const lines[])
{
	for (int i = 0; lines[i] != NULL; i++)
		peaklog_line(log, lines[i], strlen(lines[i]), NULL, (struct place){ "t", i + 1 });
}

/* Check that the peaks in the lines, printed as "round.stage=memory ...", are WANT. */
static void
says(const char *want, int stages, int rounds, int rank_size, int which, const char *const lines[],
    const char *name)
{
	struct peaklog log = { 0 };
	struct peak *peaks;
	char got[1024] = "";
	int n;

	feed(&log, lines);
	n = peaklog_peaks(&log, stages, rounds, rank_size, which, &peaks);
	for (int i = 0; i < n; i++) {
		sprintf(got + strlen(got), "%s%d.%d=%g", i ? " " : "", peaks[i].round, peaks[i].stage,
		    peaks[i].memory);
		free(peaks[i].source);
	}
	free(peaks);
	peaklog_free(&log);
	if (!ok(strcmp(want, got) == 0, name))
		printf("# expected %s\n# got      %s\n", want, got);
}
#define LINES(...) (const char *const[]){ __VA_ARGS__, NULL }
#define ACTUAL "Actual peak memory usage (with fragments): "
#define USED "Used peak memory usage (without fragments): "
#define MEGATRON(rank, after, used, actual)                                                                  \
	"[Rank " rank "] (after " after " iterations) memory (MB) | allocated: 1.5 | "                       \
	"max allocated: " used " | reserved: 2.0 | max reserved: " actual

static void
accepted(void)
{
	says("0.0=5 0.3=7", 4, 1, 0, -1, LINES("stage_3_rank_3072/mindformer.log:5470:" ACTUAL "7M",
	    "stage_0_rank_0/mindformer.log:5478: " ACTUAL "5M"), "stages in the path");
	says("0.1=5", 4, 1, 0, -1, LINES("log/stage1_1024/x.log:" ACTUAL "5M"),
	    "stage1_1024, no line number");
	says("0.2=9", 4, 1, 0, -1, LINES("out/stage-2/x.log:1:Actual peak memory usage: 9M"), "old logs");
	says("0.2=9", 4, 1, 0, -1, LINES("stage_1_exp/stage_2/x.log:1:" ACTUAL "9M"),
	    "the nearest component counts");
	says("0.2=9", 4, 1, 0, -1,
	    LINES("./stage_2/x.log:7:[WARNING] DEVICE(1,ffff,python):2024-05-01 [a/b.cc:140] x] " ACTUAL
		  "9M more"),
	    "text around it");
	says("0.1=3072", 4, 1, 0, PEAK_USED,
	    LINES("stage_1/x.log:9:| Allocated memory      |   1024 KiB |   3072 MiB |   9999 GiB |   9 GiB |",
	    "stage_1/x.log:10:|       from large pool |   1024 KiB |   9072 MiB |   9999 GiB |   9 GiB |",
	    "stage_1/x.log:11:| Active memory         |   1024 KiB |   9072 MiB |   9999 GiB |   9 GiB |",
	    "stage_1/x.log:12:| GPU reserved memory   |      5 GiB |      6 GiB |     10 GiB |   4 GiB |",
	    "stage_1/x.log:13:| Allocations           |      5     |      6     |     10     |   4     |"),
	    "PyTorch's summary: allocated at its peak");
	says("0.1=6144 0.2=8", 4, 1, 4, PEAK_ACTUAL,
	    LINES("[rank1]:| GPU reserved memory   |      5 GiB |      6 GiB |     10 GiB |   4 GiB |",
	    "[rank2]:| NPU reserved memory   |      5 KB  |   8192 KB  |     10 GB  |   4 B   |"),
	    "reserved, of ranks in the lines");
	says("", 4, 1, 0, -1,
	    LINES("stage_1/x.log:9:| Allocated memory      |   1024 KiB", "stage_1/x.log:9:| Allocated memory      |",
	    "stage_1/x.log:9:| Allocated memory      |  1 | x |"), "rows that are cut");
	says("0.0=5 0.1=4 0.3=6", 4, 1, 0, -1,
	    LINES("rank_0/x.log:1:" ACTUAL "5M", "rank_8/x.log:1:" ACTUAL "4M",
		"rank_24/x.log:1:" ACTUAL "6M"),
	    "ranks");
	says("0.2=8", 4, 1, 0, -1, LINES("stage_2/x.log:10:" ACTUAL "6M", "stage_2/x.log:90:" ACTUAL "8M",
	    "stage_2/x.log:50:" ACTUAL "7M"), "the last line of a log counts, in whatever order");
	says("0.2=8", 4, 1, 0, -1, LINES("stage_2/x.log:" ACTUAL "6M", "stage_2/x.log:" ACTUAL "8M"),
	    "or the last that comes");
	says("0.2=6", 4, 1, 0, PEAK_USED, LINES("stage_2/x.log:1:" USED "6M", "stage_2/x.log:2:" ACTUAL "8M"),
	    "used");
	says("0.2=8", 4, 1, 0, -1, LINES("stage_2/x.log:1:" USED "6M", "stage_2/x.log:2:" ACTUAL "8M"),
	    "actual if there is");
	says("0.1=5 1.1=6", 4, 2, 0, -1,
	    LINES("round_0/stage_1/x.log:1:" ACTUAL "5M", "round_1/stage_1/x.log:1:" ACTUAL "6M"), "rounds");
	says("0.1=5", 4, 1, 0, -1, LINES("a/stage_1/x.log:1:" ACTUAL "5M", "b/stage_1/x.log:1:" ACTUAL "5M"),
	    "the same figure twice");
	says("0.0=20 0.1=44", 2, 1, 4, -1,
	    LINES(MEGATRON("0", "1", "9", "20.0") MEGATRON("3", "1", "9", "44"),
		"0: " MEGATRON("1", "1", "9", "19.5") " " MEGATRON("2", "1", "9", "43")),
	    "Megatron: the largest rank of a stage");
	says("0.0=8.5 0.1=9", 2, 1, 0, PEAK_USED,
	    LINES(MEGATRON("0", "1", "7", "20"), MEGATRON("16", "1", "9", "20"),
		MEGATRON("0", "10", "8.5", "20")),
	    "Megatron: the last record of a rank, max allocated");
	says("0.0=1e+09", 1, 1, 0, PEAK_USED, LINES(MEGATRON("0", "1", "1000000000", "1000000000")),
	    "Megatron: as much as there may be");
	says("", 4, 1, 0, -1,
	    LINES("stage_2/x.log:1:peak memory usage is high", "[Rank 0] hello", "\xff\xfe"), "other lines");
}

static bool
line(struct peaklog *log, const char *text)
{
	return peaklog_line(log, text, strlen(text), NULL, (struct place){ "t", 1 });
}

static void
refused(void)
{
	struct peak *peaks;
	struct peaklog log = { 0 };
	static const char nul[] = "stage_1/x.log:1:" ACTUAL "5\0M";

	feed(&log, LINES("stage_1/x.log:1:" ACTUAL "5M", "stage_1/y.log:1:" ACTUAL "6M"));
	DIES("stage 1 has two peaks, 5M in 'stage_1/x.log' and 6M in 'stage_1/y.log'",
	    peaklog_peaks(&log, 4, 1, 0, -1, &peaks), "two figures of one stage");
	DIES("which of the 2 rounds is unknown", peaklog_peaks(&log, 4, 2, 0, -1, &peaks), "no round");
	DIES("t:1: 'stage_1/x.log' is stage 1, but there are 1", peaklog_peaks(&log, 1, 1, 0, -1, &peaks),
	    "too large a stage");
	DIES("of an unknown stage", feed(&log, LINES(ACTUAL "5M")), "no stage");
	DIES("of an unknown stage", feed(&log, LINES("backstage_7/x.log:1:" ACTUAL "5M")), "not a stage");
	peaklog_free(&log);
	same(0, peaklog_line(&log, nul, sizeof nul - 1, NULL, (struct place){ "t", 1 }),
	    "a NUL in the number");
	same(0, line(&log, "stage_1/x.log:" ACTUAL "-5M"), "a negative number");
	same(0, line(&log, "stage_1/x.log:" ACTUAL "5.5.5M"), "two points");
	same(0, line(&log, "stage_1/x.log:" ACTUAL "99999999999M"), "too large");
	same(0, line(&log, MEGATRON("1000000001", "1", "9", "20")), "a rank with one digit too many");
	same(0, log.n, "nothing is kept of these");
	peaklog_free(&log);
}

int
main(void)
{
	/* Discard warnings. */
	if (freopen("/dev/null", "w", stderr) == NULL)
		return 1;
	setvbuf(stderr, NULL, _IONBF, 0);
	accepted();
	refused();
	return tap_done();
}
