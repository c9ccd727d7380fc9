/* The same pictures with letters, for terminals: blocks of each stage, then its memory, a line a stage. */
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "colour.h"
#include "draw.h"
#include "lib/base/alloc.h"
#include "raster.h"

enum { MARGIN = 16, NARROWEST = 20, WIDEST = 10000 };	/* columns: beside a line, for it */

struct terminal {
	int columns;		/* for the time axis */
	bool colour;		/* colours, and characters that are more than ASCII */
};

static struct terminal
terminal_find(void)
{
	struct terminal t = { 80, isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL };
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	setlocale(LC_CTYPE, "");
	t.colour &= strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	setlocale(LC_CTYPE, "C");
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		t.columns = size.ws_col;
	else if (columns != NULL && atoi(columns) > 0)
		t.columns = atoi(columns);
	t.columns = t.columns > WIDEST ? WIDEST : t.columns;
	t.columns = t.columns - MARGIN < NARROWEST ? NARROWEST : t.columns - MARGIN;
	return t;
}

/* The nearest of a 256-colour terminal's 6 x 6 x 6. */
static int
cube(int rgb)
{
	int n = 16;

	for (int shift = 16, unit = 36; shift >= 0; shift -= 8, unit /= 6)
		n += unit * (int)lround(fmax(0, ((rgb >> shift & 255) - 55) / 40.0));
	return n;
}

static void
block_line(const struct terminal *t, const struct run *s, int stage, const struct axis *a, int state[])
{
	int now = RASTER_IDLE;

	raster_stage(s, stage, a, t->columns, state);
	printf("%3d ", stage);
	for (int c = 0; c < t->columns; c++) {
		if (!t->colour) {
			putchar(state[c] == RASTER_IDLE ? '.' : *phase_names[state[c] / s->chunks]);
			continue;
		}
		if (state[c] != now && state[c] == RASTER_IDLE)
			fputs("\033[0m", stdout);
		else if (state[c] != now)
			printf("\033[48;5;%dm", cube(colour_block((enum phase)(state[c] / s->chunks),
			    state[c] % s->chunks, s->chunks)));
		putchar(' ');
		now = state[c];
	}
	puts(t->colour ? "\033[0m" : "");
}

/* The most of each column, in tenths or eighths of what there is. */
static void
memory_line(const struct terminal *t, const struct run *s, int stage, const struct axis *a, double most,
    double top[])
{
	static const char *const eighth[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	double now = run_static_memory(s, stage), limit = run_limit(s, stage),
	    peak = s->sim.sim.peak_memory.at[stage];
	size_t i = s->first[stage];
	bool was_over = false;

	for (int c = 0; c < t->columns; c++) {
		double end = (c + 1) * axis_span(a) / t->columns;

		top[c] = now;
		for (; i < s->first[stage + 1] && axis_at(a, s->bar[i].end) <= end; i++) {
			now = s->bar[i].memory;
			top[c] = fmax(top[c], now);
		}
	}
	printf("%3d ", stage);
	for (int c = 0; c < t->columns; c++) {
		double share = fmin(1, fmax(0, top[c] / most));
		bool over = limit > 0 && top[c] > limit;

		if (!t->colour) {
			putchar(over ? '!' : '0' + (int)fmin(9, share * 10));
			continue;
		}
		if (c == 0 || over != was_over)
			printf("\033[38;5;%dm", cube(over ? COLOUR_OVER : colour_block(PHASE_F, 0, 1)));
		fputs(eighth[(int)ceil(share * 8)], stdout);
		was_over = over;
	}
	if (t->colour)
		fputs("\033[0m", stdout);
	printf(" %.0f MB%s\n", peak, limit > 0 && peak > limit ? " !" : "");
}

/* Words from a column on; what does not fit goes to lines of its own. */
static void
put_words(const char *words, size_t column, size_t columns)
{
	const size_t indent = 4;

	for (size_t n; *words != '\0'; words += n + strspn(words + n, " ")) {
		n = strcspn(words, " ");
		if (column > indent && column + 1 + n > columns) {
			fputs("\n    ", stdout);
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		fwrite(words, 1, n, stdout);
		column += n;
	}
	putchar('\n');
}

void
draw_terminal(const struct drawing *d, struct run *s)
{
	struct terminal t = terminal_find();
	/* Columns are wider than pixels. */
	struct axis a = axis_new(&s, 1, 8.0 * t.columns);
	int *state = xcalloc((size_t)t.columns, sizeof *state), stage;
	double *top = xcalloc((size_t)t.columns, sizeof *top), most = run_peak(s, &stage);
	char *bubble = draw_bubble(s), *step = page_number(s->sim.sim.step_time), *left, *right;
	const size_t columns = (size_t)(t.columns + MARGIN);

	for (stage = 0; stage < s->stages; stage++)
		most = fmax(most, run_limit(s, stage));
	/* On one line where it fits. */
	left = xasprintf("%s: step time %s ms,", d->title != NULL ? d->title : s->name, step);
	fputs(left, stdout);
	put_words(bubble, strlen(left) + 1 + strlen(bubble) > columns ? columns : strlen(left), columns);
	free(left);
	for (int phase = 0; phase < PHASES; phase++) {
		if (!s->phase[phase])
			continue;
		fputs(phase > 0 ? "  " : "    ", stdout);
		if (t.colour)
			for (int chunk = 0; chunk < s->chunks; chunk++)
				printf("\033[48;5;%dm ", cube(colour_block((enum phase)phase, chunk,
				    s->chunks)));
		printf("%s %s", t.colour ? "\033[0m" : phase_names[phase], phase_words[phase]);
		if (s->chunks > 1 && t.colour)
			printf(", chunk 0 … %d", s->chunks - 1);
	}
	puts("");
	for (stage = 0; stage < s->stages; stage++)
		block_line(&t, s, stage, &a, state);
	left = xstrdup(a.to > a.from ? "steady part left out" : "");
	right = page_number(a.length);
	printf("    0%*s%*s ms\n", (t.columns - 1 + (int)strlen(left)) / 2, left,
	    t.columns - 1 - (t.columns - 1 + (int)strlen(left)) / 2, right);
	printf("    memory, %s of %.0f MB%s\n", t.colour ? "full height" : "tenths", most, t.colour ? ""
	    : ", ! above the limit");
	for (stage = 0; stage < s->stages; stage++)
		memory_line(&t, s, stage, &a, most, top);
	free(left);
	free(right);
	free(bubble);
	free(step);
	free(state);
	free(top);
}
