#include "blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/setup/hybrid.h"

enum { LIST_MOST = 100000, DEEPEST = 16 };

/*
 * Evaluation of a Python list, such as "[0]*3+[1]*58" or "([1,0]*2)+[1]". The result has 'y' for each number other than
 * 0.
 */
struct letters {
	const char *s;
	char *at;
	int n, deep;
	bool good;
};

static bool
next(struct letters *l, char c)
{
	l->s += strspn(l->s, " \t'\"");
	if (*l->s != c)
		return false;
	l->s++;
	return true;
}

static void
add(struct letters *l, char c)
{
	l->good &= l->n < LIST_MOST;
	if (l->good)
		*APPEND(l->at, l->n) = c;
}

static void sum(struct letters *l);

static void
product(struct letters *l)
{
	int from = l->n, length;
	char *end;

	l->s += strspn(l->s, " \t'\"");
	if (next(l, '(')) {
		l->good &= ++l->deep < DEEPEST;
		if (l->good)
			sum(l);
		l->deep--;
		l->good &= next(l, ')');
	} else if (next(l, '[')) {
		while (l->good && !next(l, ']')) {
			long x = strtol(l->s, &end, 10);

			l->good &= end != l->s && (x == 0 || x == 1);
			add(l, x != 0 ? 'y' : 'n');
			l->s = end;
			next(l, ',');
		}
	} else {
		l->good = false;
	}
	length = l->n - from;
	while (l->good && next(l, '*')) {
		long times = strtol(l->s, &end, 10);

		l->good &= end != l->s && times >= 0 && times <= LIST_MOST;
		l->s = end;
		if (times == 0)
			l->n = from;
		for (long k = 1; k < times && l->good; k++)
			for (int i = 0; i < length; i++)
				add(l, l->at[from + i]);
		length = l->n - from;
	}
}

static void
sum(struct letters *l)
{
	product(l);
	while (l->good && next(l, '+'))
		product(l);
}

static void
put(struct bag *a, const char *name, const char *letters, int n, struct place at)
{
	char *text = xstrndup(letters, (size_t)n);

	bag_put(a, name, text, at);
	free(text);
}

/*
 * Read a frequency, or a list with a number per layer, into the text TO of 'y' and 'n'. With a frequency n, layer i
 * (from 0) has HIT if i + PLUS is a multiple of n. Otherwise it has the other letter. Return false if the setting is
 * absent.
 */
static bool
read_list(struct draft *d, struct bag *a, const char *name, const char *to, char hit, int plus)
{
	const struct setting *s = bag_find(a, name);
	struct letters l = { .good = true };
	char *listed;
	int every;

	if (s == NULL || s->text == NULL || d->net.layers == 0)
		return false;
	if (strpbrk(s->text, "[( ") != NULL) {
		/* A list of a YAML is words. */
		listed = xasprintf(strpbrk(s->text, "[(") != NULL ? "%s" : "[%s]", s->text);
		l.s = listed;
		sum(&l);
		l.s += strspn(l.s, " \t'\"");
		if (!l.good || *l.s != '\0')
			place_die(s->place, "%s: not a list of layers '%s'", s->name, s->text);
		if (l.n != d->net.layers)
			place_die(s->place, "%s: a list of %d layers, but the network has %d '%s'", s->name, l.n,
			    d->net.layers, s->text);
		free(listed);
	} else {
		/* every number is a multiple of -1 */
		bag_int(a, name, strcmp(s->text, "-1") == 0 ? -1 : 1, &every);
		for (int i = 0; i < d->net.layers; i++)
			add(&l, (i + plus) % every == 0 ? hit : hit == 'y' ? 'n' : 'y');
	}
	put(a, to, l.at, l.n, s->place);
	free(l.at);
	return true;
}

/*
 * Read a window such as "128,0": numbers of tokens that attention sees before and after the token itself. Return false
 * if the setting is absent.
 */
static bool
read_window(struct draft *d, struct bag *a)
{
	const struct setting *s = bag_find(a, "window_size");
	char *end, *text;
	long before;

	bag_find(a, "window_attn_skip_freq");
	if (s == NULL || s->text == NULL)
		return false;
	before = strtol(s->text + strspn(s->text, "([ "), &end, 10);
	end += strspn(end, " ,)]");
	if (before == -1)
		return false;
	if (before < 1 || before > 1 << 30 || (*end != '\0' && (strtol(end, &end, 10) > 0 ||
	    end[strspn(end, " )]")] != '\0')))
		place_die(s->place, "%s: expected W,0: a window of W tokens before, none after '%s'", s->name, s->text);
	text = xasprintf("%ld", before + 1);
	bag_put(a, "sliding_window", text, s->place);
	free(text);
	if (!read_list(d, a, "window_attn_skip_freq", "window_at", 'n', 1))
		bag_put(a, "window_at", "", s->place);
	return true;
}

/*
 * Place attention and feed-forward layers as releases without patterns do. Attention layers are spread evenly.
 * Feed-forward layers are then spread over the remaining layers, further to the right.
 */
static char *
allocated(int layers, double attention, double feed_forward)
{
	int n = (int)rint(layers * attention), m = (int)rint(layers * feed_forward), mamba = layers - n;
	double section = (double)mamba / (n + 1), x = section;
	char *to = xcalloc((size_t)layers + 1, 1);

	for (int i = 0; i < layers; i++) {
		to[i] = x < 0.5 ? '*' : 'M';
		x += x < 0.5 ? section : -1;
	}
	x = section = m > 0 ? (double)(mamba - m) / m : 0;
	for (int i = 0; i < layers && m > 0; i++) {
		if (to[i] != 'M')
			continue;
		if (x < 0.5)
			to[i] = '-';
		x += x < 0.5 ? section : -1;
	}
	return to;
}

static double
ratio(struct bag *a, const char *name)
{
	double x = 0;

	if (bag_real(a, name, &x) && (x < 0 || x > 1))
		place_die(bag_find(a, name)->place, "%s: not between 0 and 1 '%s'", name, bag_text(a, name));
	return x;
}

/* Read the symbols of a pattern "MAIN/MTP/MTP" without its separators. */
static void
read_symbols(struct draft *d, struct bag *a, const char *pattern, const char *name, struct place at)
{
	size_t main = strcspn(pattern, "/"), length = strcspn(pattern + main + (pattern[main] == '/'), "/");
	const char *mtp = pattern + main + (pattern[main] == '/');
	char *text = xcalloc(main + 1, 1), *to = text;
	struct grid pieces;
	int depths;

	hybrid_read(pattern, 1, &pieces, &depths, at);
	free(pieces.at);
	for (size_t i = 0; i < main; i++)
		if (pattern[i] != '|')
			*to++ = pattern[i];
	if (to == text || to - text > LIST_MOST)
		place_die(at, "%s: no layers, or too many '%s'", name, pattern);
	if (d->net.layers > 0 && d->net.layers != to - text)
		place_warn(at, "%s: the pattern has %d layers, which are used instead of num_layers '%d'", name,
		    (int)(to - text), d->net.layers);
	SET(d, layers, (int)(to - text));
	bag_put(a, "symbols", text, at);
	free(text);
	for (const char *s = mtp; depths > 0 && *s != '\0'; s += strcspn(s, "/"), s += *s == '/')
		if (strcspn(s, "/") != length || strncmp(s, mtp, length) != 0)
			place_die(at, "%s: the blocks for multi-token prediction differ from each other '%s'", name,
			    pattern);
	if (depths == 0)
		return;
	put(a, "mtp_symbols", mtp, (int)length, at);
	SET(d, mtp_layers, depths);
}

static bool
read_hybrid(struct draft *d, struct bag *a)
{
	const struct setting *s = bag_find(a, "hybrid_layer_pattern"), *mtp;
	double attention = ratio(a, "hybrid_attention_ratio"), feed_forward = ratio(a, "hybrid_mlp_ratio");
	const char *stack = bag_text(a, "spec"), *is = bag_text(a, "is_hybrid_model");
	bool hybrid = (is != NULL && strcmp(is, "true") == 0) || (stack != NULL && strstr(stack, "mamba") != NULL);
	char *text;

	if (s != NULL && s->text != NULL && *s->text != '\0') {
		read_symbols(d, a, s->text, s->name, s->place);
	} else if ((attention > 0 || feed_forward > 0 || hybrid) && d->net.layers > 0 && d->net.layers <= LIST_MOST) {
		if (attention + feed_forward > 1)
			place_die(a->place, "hybrid_attention_ratio + hybrid_mlp_ratio: above 1 '%g'",
			    attention + feed_forward);
		text = allocated(d->net.layers, attention, feed_forward);
		bag_put(a, "symbols", text, a->place);
		free(text);
	} else {
		return false;
	}
	mtp = bag_find(a, "mtp_hybrid_override_pattern");
	if (mtp != NULL && mtp->text != NULL && bag_find(a, "mtp_symbols") == NULL && d->net.mtp_layers > 0)
		bag_put(a, "mtp_symbols", mtp->text, mtp->place);
	return true;
}

bool
blocks_read(struct draft *d, struct bag *a)
{
	const char *freq = bag_text(a, "moe_layer_freq"), *variant = bag_text(a, "experimental_attention_variant");
	const char *gates[] = { bag_text(a, "attention_output_gate|use_gated_attention"),
		bag_text(a, "moe_shared_expert_gate") };
	bool any = read_hybrid(d, a), listed = freq != NULL && strchr(freq, '[') != NULL;

	any |= read_window(d, a);
	any |= read_list(d, a, "linear_attention_freq", "linear_at", 'n', 1);
	if (d->net.experts > 0 && read_list(d, a, "moe_layer_freq", "experts_at", 'y', 0))
		any |= listed;
	any |= variant != NULL || bag_find(a, "moe_latent_size") != NULL;
	for (size_t i = 0; i < sizeof gates / sizeof gates[0]; i++)
		any |= gates[i] != NULL && strcmp(gates[i], "true") == 0;
	return any;
}
