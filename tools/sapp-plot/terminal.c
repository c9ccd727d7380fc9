/*
 * Terminal: draws with characters, a line for the blocks of each stage, then a line for its memory. If the terminal has
 * too few lines, both are on one line.
 */
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/whole.h"
#include "colour.h"
#include "draw.h"
#include "raster.h"

/* columns: next to the time axis; minimum and maximum of the axis */
enum { MARGIN = 16, NARROWEST = 20, WIDEST = 10000 };
enum { SHARE = 6, BESIDE = 7 };	/* columns of " 100 %"; number of lines that are not stages, with the next prompt */

struct terminal {
	int columns;		/* number of columns of the time axis */
	int rows;
	bool colour;		/* whether colours and non-ASCII characters are used */
};

static struct terminal
terminal_find(void)
{
	struct terminal t = { 80, 24, isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL };
	const char *columns = getenv("COLUMNS"), *lines = getenv("LINES");
	struct winsize size;

	setlocale(LC_CTYPE, "");
	t.colour &= strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	setlocale(LC_CTYPE, "C");
	size = (struct winsize){ 0 };
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		t.columns = size.ws_col;
	else if (columns != NULL && whole_of(columns, WIDEST) > 0)
		t.columns = whole_of(columns, WIDEST);
	if (size.ws_row > 0)
		t.rows = size.ws_row;
	else if (lines != NULL && whole_of(lines, WIDEST) > 0)
		t.rows = whole_of(lines, WIDEST);
	t.columns = t.columns > WIDEST ? WIDEST : t.columns;
	t.columns = t.columns - MARGIN < NARROWEST ? NARROWEST : t.columns - MARGIN;
	return t;
}

/* Return the number of the nearest colour of the 6 x 6 x 6 cube of terminals with 256 colours. */
static int
cube(int rgb)
{
	int n = 16;

	for (int shift = 16, unit = 36; shift >= 0; shift -= 8, unit /= 6)
		n += unit * (int)lround(fmax(0, ((rgb >> shift & 255) - 55) / 40.0));
	return n;
}

/* Set the colour of a phase and chunk, with black or white letters on it. */
static void
put_colour(const struct plot_run *s, int state)
{
	int rgb = colour_block((enum phase)(state / s->chunks), state % s->chunks, s->chunks);

	printf("\033[48;5;%d;38;5;%dm", cube(rgb), cube(colour_text_on(rgb)));
}

static void
block_line(const struct terminal *t, const struct plot_run *s, int stage, const struct axis *a, int state[])
{
	int now = RASTER_IDLE;

	raster_stage(s, stage, a, t->columns, state);
	printf("%3d ", stage);
	for (int c = 0; c < t->columns; c++) {
		if (t->colour && state[c] != now && state[c] == RASTER_IDLE)
			fputs("\033[0m", stdout);
		else if (t->colour && state[c] != now)
			put_colour(s, state[c]);
		/* Letters are written on the colours, so that a copy as text still shows the phases. */
		putchar(state[c] == RASTER_IDLE ? '.' : *phase_names[state[c] / s->chunks]);
		now = state[c];
	}
	fputs(t->colour ? "\033[0m" : "", stdout);
}

/* Write the peak, the available memory, and a mark if the peak is above the limit. */
static void
put_peak(const struct plot_run *s, int stage, double most, bool share)
{
	double limit = run_limit(s, stage), peak = s->sim.sim.peak_memory.at[stage];

	printf(" %.0f MB", peak);
	if (share)
		printf(" %.0f %%", 100 * peak / (limit > 0 ? limit : most));
	puts(limit > 0 && peak > limit ? " !" : "");
}

/* Get the maximum memory of each column, in tenths or eighths of the available memory. */
static void
memory_line(const struct terminal *t, const struct plot_run *s, int stage, const struct axis *a, double most,
    double top[])
{
	static const char *const eighth[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	double limit = run_limit(s, stage);
	bool was_over = false;

	raster_memory(s, stage, a, t->columns, top);
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
	put_peak(s, stage, most, false);
}

/* Write words from a column on. Words that do not fit go to further lines. */
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
draw_terminal(const struct drawing *d, struct plot_run *s)
{
	struct terminal t = terminal_find();
	const size_t columns = (size_t)(t.columns + MARGIN);
	bool brief = 2 * s->stages + BESIDE > t.rows;

	if (brief)
		t.columns = t.columns - SHARE < NARROWEST ? NARROWEST : t.columns - SHARE;
	/* A column is wider than a pixel. */
	struct axis a = axis_new(&s, 1, 8.0 * t.columns);
	int *state = xcalloc((size_t)t.columns, sizeof *state), stage;
	double *top = xcalloc((size_t)t.columns, sizeof *top), most = run_peak(s, &stage);
	char *bubble = draw_bubble(s), *step = page_time(s->sim.sim.step_time), *left, *right;

	for (stage = 0; stage < s->stages; stage++)
		most = fmax(most, run_limit(s, stage));
	/* Write both on one line if they fit. */
	left = xasprintf("%s: step time %s,", d->title != NULL ? d->title : s->name, step);
	fputs(left, stdout);
	put_words(bubble, strlen(left) + 1 + strlen(bubble) > columns ? columns : strlen(left), columns);
	free(left);
	for (int phase = 0; phase < PHASES; phase++) {
		if (!s->phase[phase])
			continue;
		fputs(phase > 0 ? "  " : "    ", stdout);
		if (t.colour)
			for (int chunk = 0; chunk < s->chunks; chunk++) {
				put_colour(s, phase * s->chunks + chunk);
				fputs(phase_names[phase], stdout);
			}
		printf("%s %s", t.colour ? "\033[0m" : phase_names[phase], phase_words[phase]);
		if (s->chunks > 1 && t.colour)
			printf(", chunk 0 … %d", s->chunks - 1);
	}
	puts("");
	for (stage = 0; stage < s->stages; stage++) {
		block_line(&t, s, stage, &a, state);
		if (brief)
			put_peak(s, stage, most, true);
		else
			puts("");
	}
	left = xstrdup(a.to > a.from ? "steady part left out" : "");
	right = page_number(a.length);
	printf("    0%*s%*s ms\n", (t.columns - 1 + (int)strlen(left)) / 2, left,
	    t.columns - 1 - (t.columns - 1 + (int)strlen(left)) / 2, right);
	if (!brief) {
		printf("    memory, %s of %.0f MB%s\n", t.colour ? "full height" : "tenths", most, t.colour ? ""
		    : ", ! above the limit");
		for (stage = 0; stage < s->stages; stage++)
			memory_line(&t, s, stage, &a, most, top);
	}
	free(left);
	free(right);
	free(bubble);
	free(step);
	free(state);
	free(top);
}
