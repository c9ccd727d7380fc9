#include "hint.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/control.h"
#include "lib/base/memstream.h"
#include "lib/base/part.h"
#include "lib/base/spelling.h"
#include "lib/record/measurement.h"
#include "instance.h"
#include "name.h"
#include "scope.h"

enum { EVENTS_LOOKED_AT = 20000 };

/* Advice how to get names, by framework. */
static const char graph_advice[] = "; profile a graph-mode run with its scopes";
static const char pytorch_advice[] =
    "; put torch.profiler.record_function(f'layers.{i}') around the call of each layer and give -body layers., or "
    "profile with with_modules=True and give the layers' class; Megatron-LM: --profile --use-pytorch-profiler, and "
    "-body TransformerLayer";
static const char npu_advice[] = "; put torch.profiler.record_function(f'layers.{i}') around the call of each layer "
    "and give -body layers., or profile with with_modules=True and give the layers' class, or give the whole directory "
    "*_ascend_pt, whose kernel_details.csv shows layers by repetition";

static void
keep(char *list[HINTS_KEPT], int *n, struct text t)
{
	if (*n == HINTS_KEPT || t.n == 0)
		return;
	for (int i = 0; i < *n; i++)
		if (strlen(list[i]) == t.n && memcmp(list[i], t.at, t.n) == 0)
			return;
	list[(*n)++] = xstrndup(t.at, t.n);
}

/* Keep the Name of a component such as 12-Name, the usual form of a layer. Return false for other components. */
static bool
keep_layer(struct hints *h, struct text component)
{
	size_t digits = 0;

	while (digits < component.n && isdigit((unsigned char)component.at[digits]))
		digits++;
	if (digits == 0 || digits + 1 >= component.n || component.at[digits] != '-')
		return false;
	keep(h->layer, &h->nlayers, (struct text){ component.at + digits + 1, component.n - digits - 1 });
	return true;
}

void
hint_path(struct hints *h, struct text path)
{
	const char *p = path.at, *end = path.at + path.n, *slash = memchr(p, '/', path.n);
	struct text inner = { 0 };
	enum timing_phase phase;
	bool listed = false;

	if (h->seen >= EVENTS_LOOKED_AT || slash == NULL)
		return;
	h->seen++;
	if (!scope_phase((struct text){ p, (size_t)(slash - p) }, &phase)) {
		hint_name(h, path);
		return;
	}
	h->scopes = true;
	for (; slash != NULL; p = slash + 1, slash = memchr(p, '/', (size_t)(end - p))) {
		inner = (struct text){ p, (size_t)(slash - p) };
		listed |= keep_layer(h, inner);
	}
	/* Without a list of layers, suggest the innermost scopes. */
	if (!listed && memchr(inner.at, '-', inner.n) != NULL)
		keep(h->layer, &h->nlayers, inner);
}

void
hint_name(struct hints *h, struct text name)
{
	enum timing_phase phase;

	if (h->seen >= EVENTS_LOOKED_AT)
		return;
	h->seen++;
	if (scope_phase(name, &phase))
		h->scopes = true;
	else if (!keep_layer(h, name))
		keep(h->name, &h->nnames, (struct text){ name.at, name.n < 60 ? name.n : 60 });
}

static bool
looks_like_layer(struct text t)
{
	static const char *const words[] = { "Layer", "Block", "layer", "block" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (memmem(t.at, t.n, words[i], strlen(words[i])) != NULL)
			return memmem(t.at, t.n, "LayerNorm", 9) == NULL;
	return false;
}

/* Keep a module. In a full list, a module that looks like a layer replaces one that does not. */
static void
keep_module(struct hints *h, struct text class)
{
	if (h->nlayers == HINTS_KEPT && looks_like_layer(class))
		for (int i = HINTS_KEPT - 1; i >= 0; i--)
			if (!looks_like_layer((struct text){ h->layer[i], strlen(h->layer[i]) })) {
				free(h->layer[i]);
				memmove(&h->layer[i], &h->layer[i + 1], (size_t)(--h->nlayers - i) * sizeof *h->layer);
				break;
			}
	keep(h->layer, &h->nlayers, class);
	h->modules = true;
}

/* Count a module such as "nn.Module: LlamaDecoderLayer_3". Its numbers begin at 0. */
static void
count_module(struct hints *h, struct text class, struct text name)
{
	static const char *const words[] = { "DecoderLayer", "EncoderLayer", "TransformerBlock", "TransformerLayer" };
	const char *digits = class.at + class.n + 1, *end = name.at + name.n;
	long number = digits < end ? part_whole(&digits, end, MAX_INSTANCES) : -1;
	int i = 0;
	bool any = false;

	for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
		any |= class.n >= strlen(words[k]) && memcmp(class.at + class.n - strlen(words[k]), words[k],
		    strlen(words[k])) == 0;
	if (!any || number < 0)
		return;
	while (i < h->nmodules && (strlen(h->module[i].class) != class.n ||
	    memcmp(h->module[i].class, class.at, class.n) != 0))
		i++;
	if (i == HINTS_KEPT)
		return;
	if (i == h->nmodules)
		h->module[h->nmodules++].class = xstrndup(class.at, class.n);
	if (number >= h->module[i].n)
		h->module[i].n = (int)number + 1;
}

int
hint_modules(const struct hints *h, const char **class)
{
	if (h->nmodules != 1)
		return 0;
	*class = h->module[0].class;
	return h->module[0].n;
}

void
hint_span(struct hints *h, const struct event *e)
{
	struct text class = module_class(e->name);

	if (class.n > 0) {
		keep_module(h, class);
		count_module(h, class, e->name);
	}
	else if (text_is(e->cat, "user_annotation") && memchr(e->name.at, '#', e->name.n) == NULL &&
	    memmem(e->name.at, e->name.n, "DistributedDataParallel", 23) == NULL &&
	    memmem(e->name.at, e->name.n, "nccl:", 5) == NULL && e->name.at[0] != '[')
		keep_module(h, e->name);
	else
		hint_name(h, e->name);
}

/* Print "'a', 'b'" without control characters. */
static void
print_list(FILE *f, char *const list[], int n, int most)
{
	for (int i = 0; i < n && i < most; i++) {
		fputs(i ? ", '" : "'", f);
		for (const char *p = list[i]; *p != '\0'; p++)
			putc(iscntrl((unsigned char)*p) ? ' ' : *p, f);
		putc('\'', f);
	}
}

void
hint_merge(struct hints *all, const struct hints *h)
{
	all->pytorch |= h->pytorch;
	for (int i = 0; i < h->nlayers; i++)
		keep(all->layer, &all->nlayers, (struct text){ h->layer[i], strlen(h->layer[i]) });
}

char *
hint_layers(const struct hints *h, const char *wanted)
{
	const char *names[HINTS_KEPT + 1] = { NULL };
	char *text, *meant;
	size_t n;
	FILE *f;

	if (h->nlayers == 0)
		return xstrdup("");
	for (int i = 0; i < h->nlayers; i++)
		names[i] = h->layer[i];
	f = memstream_open(&text, &n);
	fputs("; layers found: ", f);
	print_list(f, h->layer, h->nlayers, HINTS_KEPT);
	meant = spelling_hint(wanted, names);
	control_mask(meant);
	fputs(meant, f);
	free(meant);
	memstream_close(f);
	return text;
}

char *
hint_text(const struct hints *h, const struct classes *classes, const struct processes *processes,
    uint64_t events)
{
	char *text, *names = class_names(classes, -1), *there = hint_layers(h, class_first_name(classes, LAYER_BODY));
	size_t n;
	bool track = false, first = true;
	FILE *f = memstream_open(&text, &n);

	for (int i = 0; i < processes->n; i++)
		track |= process_is_scope_track(&processes->at[i]);
	if (track || h->scopes || (h->modules && h->named)) {
		fprintf(f, "no scope has the name %s%s; give your names with -body, -head and -tail", names, there);
	} else {
		if (h->pytorch && !h->npu)
			fprintf(f, "no span of a module or of record_function() has the name %s", names);
		else
			fprintf(f, "no module scopes: looked for a process 'Scope Layer' and for kernels of 'Ascend "
			    "Hardware' named by their scope path, with %s in it", names);
		fprintf(f, "; found %llu events", (unsigned long long)events);
		for (int i = 0; i < processes->n && i < 12; i++)
			if (processes->at[i].name != NULL && (i == 0 || processes->at[i - 1].name == NULL ||
			    strcmp(processes->at[i].name, processes->at[i - 1].name) != 0)) {
				fprintf(f, "%s'%s'", first ? " of the processes " : ", ",
				    processes->at[i].name);
				first = false;
			}
		if (h->nnames > 0) {
			fputs(", called ", f);
			print_list(f, h->name, h->nnames, 4);
			fputs(" ...", f);
		}
		if (h->modules)
			fprintf(f, "%s; choose some of them with -body, -head and -tail", there);
		fputs(h->npu ? npu_advice : h->pytorch ? pytorch_advice : graph_advice, f);
	}
	memstream_close(f);
	free(there);
	free(names);
	return text;
}

void
hints_free(struct hints *h)
{
	for (int i = 0; i < h->nlayers; i++)
		free(h->layer[i]);
	for (int i = 0; i < h->nnames; i++)
		free(h->name[i]);
	for (int i = 0; i < h->nmodules; i++)
		free(h->module[i].class);
}
