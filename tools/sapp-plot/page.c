#include "page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "colour.h"

static const char *const set_names[PAGE_SETS] = {
	[PAGE_TITLE] = "page_title", [PAGE_LEFT] = "page_left", [PAGE_RIGHT] = "page_right",
	[PAGE_CENTRE] = "page_centre", [PAGE_BOX] = "page_box", [PAGE_LINE] = "page_line",
	[PAGE_POINT] = "page_point",
};
static const double CHARACTER = 0.62;	/* width / height of a character, somewhat above the mean of DejaVu Sans */

void
page_open(struct page *p, double font)
{
	p->font = font;
	for (int i = 0; i < PAGE_SETS; i++)
		p->file[i] = memstream_open(&p->text[i], &p->size[i]);
}

/* Write S as a field of gnuplot data. Blanks replace control characters, and single quotes replace double quotes. */
static void
field(FILE *f, const char *s)
{
	for (; *s != '\0'; s++) {
		/* gnuplot copies this text unchanged, which would be invalid in XML. */
		if (strncmp(s, "]]>", 3) == 0) {
			fputs("]] ", f);
			s += 2;
		}
		/* gnuplot interprets escapes in labels. */
		if (*s == '\\')
			putc('\\', f);
		putc((unsigned char)*s < ' ' ? ' ' : *s == '"' ? '\'' : *s, f);
	}
}

void
page_text(struct page *p, enum page_set set, double x, double y, int rgb, const char *text)
{
	fprintf(p->file[set], "%g\t%g\t%d\t", x, y, rgb);
	field(p->file[set], text);
	putc('\n', p->file[set]);
}

void
page_box(struct page *p, double x, double y, double width, double height, int rgb)
{
	fprintf(p->file[PAGE_BOX], "%g\t%g\t%g\t%g\t%d\n", x, y, x + width, y + height, rgb);
}

void
page_line(struct page *p, double x, double y, double width, int rgb)
{
	fprintf(p->file[PAGE_LINE], "%g\t%g\t%g\t%d\n", x, y, width, rgb);
}

void
page_point(struct page *p, double x, double y, int type, int rgb)
{
	fprintf(p->file[PAGE_POINT], "%g\t%g\t%d\t%d\n", x, y, type, rgb);
}

double
page_width(const struct page *p, const char *text)
{
	int n = 0;

	for (; *text != '\0'; text++)
		/* count bytes that do not continue a character of UTF-8 */
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n * CHARACTER * p->font;
}

/* Return the number of bytes of TEXT that fit into WIDTH, in whole characters. */
static size_t
fitting(const struct page *p, const char *text, double width)
{
	int room = (int)fmax(1, width / (CHARACTER * p->font));
	const char *end = text;

	for (; *end != '\0'; end++)
		if (((unsigned char)*end & 0xc0) != 0x80 && room-- == 0)
			break;
	return (size_t)(end - text);
}

char *
page_fit(const struct page *p, const char *text, double width)
{
	size_t n;

	if (page_width(p, text) <= width)
		return xstrdup(text);
	n = fitting(p, text, width - CHARACTER * p->font);
	return xasprintf("%.*s…", (int)n, text);
}

void
page_title(struct page *p, double width, const char *text)
{
	/* Letters of the title are larger by a quarter: see share/page.gp. */
	char *title = page_fit(p, text, (width - 2 * p->font) / 1.25);

	page_text(p, PAGE_TITLE, p->font, 1.5 * p->font, COLOUR_INK, title);
	free(title);
}

/* Write TEXT in lines broken at blanks. Return the last line, which may be continued. */
static char *
break_lines(struct page *p, double x, double y, double width, double line, char *text, bool dry, int *lines)
{
	while (page_width(p, text) > width) {
		size_t n = fitting(p, text, width), blank = n;
		char *head, *rest;

		while (blank > 0 && text[blank] != ' ')
			blank--;
		head = xstrndup(text, blank > 0 ? blank : n);
		rest = xstrdup(text + (blank > 0 ? blank + 1 : n));
		if (!dry)
			page_text(p, PAGE_LEFT, x, y + *lines * line, COLOUR_INK, head);
		++*lines;
		free(head);
		free(text);
		text = rest;
	}
	return text;
}

int
page_paragraph(struct page *p, double x, double y, double width, double line, char *const pieces[], bool dry)
{
	char *text = NULL;
	int lines = 0;

	for (int i = 0; pieces[i] != NULL; i++) {
		char *longer = text == NULL ? xstrdup(pieces[i]) : xasprintf("%s · %s", text, pieces[i]);

		if (text != NULL && page_width(p, longer) > width) {
			if (!dry)
				page_text(p, PAGE_LEFT, x, y + lines * line, COLOUR_INK, text);
			lines++;
			free(longer);
			longer = xstrdup(pieces[i]);
		}
		free(text);
		text = break_lines(p, x, y, width, line, longer, dry, &lines);
	}
	if (text != NULL) {
		if (!dry)
			page_text(p, PAGE_LEFT, x, y + lines * line, COLOUR_INK, text);
		lines++;
	}
	free(text);
	return lines;
}

enum words { WORDS_ALL, WORDS_PHASE, WORDS_LETTER };	/* how many words a legend has */

static char *
legend_label(enum phase phase, int chunks, enum words words)
{
	if (words == WORDS_ALL && chunks > 1)
		return xasprintf("%s, chunk 0 … %d", phase_words[phase], chunks - 1);
	return xstrdup(words == WORDS_LETTER ? phase_names[phase] : phase_words[phase]);
}

/* Draw the legend, and return the position of its end. DRY: write nothing. */
static double
legend(struct page *p, double x, double y, const struct plot_run *s, enum words words, bool dry)
{
	double side = p->font, step = s->chunks > 1 ? fmax(2, fmin(side, 8 * side / s->chunks)) : 1.5 * side;

	for (int phase = 0; phase < PHASES; phase++) {
		char *label;

		if (!s->phase[phase])
			continue;
		for (int chunk = 0; chunk < s->chunks; chunk++, x += step)
			if (!dry)
				page_box(p, x, y - side / 2, step, side,
				    colour_block((enum phase)phase, chunk, s->chunks));
		label = legend_label((enum phase)phase, s->chunks, words);
		if (!dry)
			page_text(p, PAGE_LEFT, x + 0.4 * side, y, COLOUR_INK, label);
		x += 0.4 * side + page_width(p, label) + 1.2 * side;
		free(label);
	}
	if (s->recompute) {
		if (!dry) {
			page_box(p, x, y - side / 2, 1.5 * side, side,
			    colour_recompute(colour_block(PHASE_B, 0, s->chunks)));
			page_text(p, PAGE_LEFT, x + 1.9 * side, y, COLOUR_INK, "of it recomputation");
		}
		x += 3.1 * side + page_width(p, "of it recomputation");
	}
	if (!dry) {
		page_box(p, x, y - side / 2, 1.5 * side, side, COLOUR_IDLE);
		page_text(p, PAGE_LEFT, x + 1.9 * side, y, COLOUR_INK, "idle");
	}
	return x + 1.9 * side + page_width(p, "idle");
}

void
page_legend(struct page *p, double x, double y, double width, const struct plot_run *s)
{
	enum words words = WORDS_ALL;

	struct plot_run shown = *s;

	while (words < WORDS_LETTER && legend(p, 0, 0, s, words, true) > width)
		words++;
	shown.recompute &= legend(p, 0, 0, s, words, true) <= width;
	legend(p, x, y, &shown, words, false);
}

void
page_close(struct page *p, FILE *program)
{
	for (int i = 0; i < PAGE_SETS; i++) {
		memstream_close(p->file[i]);
		fprintf(program, "$%s << EOD\n%sEOD\n", set_names[i], p->text[i]);
		free(p->text[i]);
	}
}

char *
page_number(double x)
{
	/* Print five digits, or all digits before the point. */
	return fabs(x) >= 10000 ? xasprintf("%.0f", x) : xasprintf("%.5g", x);
}

char *
page_time(double ms)
{
	return fabs(ms) >= TIME_SECONDS ? xasprintf("%.5g s", ms / 1000) : xasprintf("%.5g ms", ms);
}
