#include "shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/slurp.h"
#include "lib/cost/layer_sizes.h"
#include "lib/draft/draft.h"
#include "lib/script/listed.h"
#include "lib/script/started.h"
#include "system.h"

#define MEGA 1048576.0
enum { TEXT_MAX = 256 << 20 };

/* Range of plausible bytes per parameter; relative difference up to which stages agree. */
static const double least_bytes = 2, most_bytes = 32, agree = 0.03;

static void
take(struct memsplit_shapes *s, const struct architecture *net, const struct configuration *c)
{
	s->known = c->tp > 0;
	s->net = *net;
	s->net.name = NULL;
	s->division = (struct division){ .tp = c->tp, .cp = c->cp > 0 ? c->cp : 1, .ep = c->ep > 0 ? c->ep : 1,
	    .etp = c->etp > 0 ? c->etp : 1, .mbs = c->mbs > 0 ? c->mbs : 1, .sp = c->sp, .store = 2 };
}

/* Read the command of a settings file. Messages about a script were printed when its settings were read. */
static bool
command_read(struct started *started, const char *path, const char *text, size_t length)
{
	const struct started only = { .place = { path, 0 }, .number = 1, .of = 1 };
	char *listed = listed_command(text, length);

	if (listed == NULL)
		return started_is(path, text, length) && started_again(started, path, text, length, &only);
	started_list(started, listed, path);
	free(listed);
	return true;
}

void
shapes_of_settings(struct memsplit_shapes *s, const char *path, int vocabulary)
{
	const struct additions more = { .vocab_size = vocabulary };
	struct started started;
	struct draft d = { 0 };
	size_t length;
	char *text = slurp(path, TEXT_MAX, &length);

	if (command_read(&started, path, text, length)) {
		s->megatron = true;
		megatron_read(&d, &started, NULL, &more);
		started_free(&started);
		s->missing = draft_missing(&d);
		if (s->missing == NULL) {
			architecture_check(&d.net, (struct place){ path, 0 });
			take(s, &d.net, &d.current);
		}
		free(d.net.name);
		free(d.current.stage_layers.at);
	}
	free(text);
}

void
shapes_of_stream(struct memsplit_shapes *s, const struct records *stream)
{
	static const char current[] = "current";
	const struct architecture *net = NULL;
	const struct configuration *c = NULL;

	for (size_t i = 0; i < stream->n; i++) {
		const struct record *r = &stream->at[i];

		if (r->kind == RECORD_NETWORK)
			net = &r->network;
		else if (r->kind == RECORD_CANDIDATE && GIVEN(configuration, &r->candidate, origin) &&
		    strcmp(r->candidate.origin, current) == 0)
			c = &r->candidate;
	}
	if (net != NULL && c != NULL)
		take(s, net, c);
}

const char *
shapes_wanted(const struct memsplit_shapes *s)
{
	return s->missing != NULL && strcmp(s->missing, "vocab_size") == 0 ?
	    "the size of the vocabulary: -vocab WORDS" : "the network: records of sapp-model on standard input";
}

int
shapes_kind(const struct memsplit_shapes *s, const struct bodies *b, int body)
{
	int moe = architecture_moe_before(&s->net, s->net.layers);

	if (b->n == 1 && s->net.pattern.n == 0)
		return moe == 0 ? KIND_DENSE : moe == s->net.layers ? KIND_MOE : -1;
	return architecture_find(&s->net, b->name[body]);
}

double
shapes_kept(const struct memsplit_shapes *s, int class, enum recompute recompute)
{
	const struct architecture *of = architecture_class(&s->net, class);
	struct layer_sizes sizes = layer_sizes(of, &s->division, 1);
	double memory[RECOMPUTATIONS];

	activations(&sizes, kind_of(of), 0, false, memory);
	switch (recompute) {
	case RECOMPUTE_NONE:
		return memory[KEEP_ALL] / MEGA;
	case RECOMPUTE_FULL:
		return memory[KEEP_FULL] / MEGA;
	case RECOMPUTE_SELECT:
		return s->megatron && !s->net.flash ? memory[KEEP_CORE] / MEGA : -1;
	default:
		return -1;
	}
}

static struct device_parameters
parameters(const struct memsplit_shapes *s)
{
	return parameters_on_device(&s->net, s->division.tp, s->division.ep, s->division.etp, true);
}

double
shapes_parameters(const struct memsplit_shapes *s, int kind)
{
	struct device_parameters p = parameters(s);

	return (double)(p.layer[kind].dense + p.layer[kind].routed);
}

double
shapes_head(const struct memsplit_shapes *s)
{
	return (double)parameters(s).embedding;
}

double
shapes_tail(const struct memsplit_shapes *s)
{
	struct device_parameters p = parameters(s);

	return (double)(p.norm + p.output + p.mtp.dense + p.mtp.routed + p.mtp_embedding);
}

double
shapes_logits(const struct memsplit_shapes *s)
{
	/* Logits take 32 bits, their gradient 16 bits. */
	return 6.0 * s->division.mbs * s->net.seq_length / s->division.cp *
	    (double)parameters_vocabulary(&s->net, s->division.tp) / s->division.tp / MEGA;
}

/* Return the bytes per parameter that stages use between steps; 0: unknown, or stages disagree. */
static double
state_bytes(const struct memsplit_shapes *s, const struct bodies *b, const struct fitted_peak *measured, int m,
    const struct initfile *init)
{
	double least = INFINITY, most = 0;

	for (int i = 0; i < m; i++) {
		int stage = measured[i].stage, kind = shapes_kind(s, b, 0);
		double all = (stage == 0 ? shapes_head(s) : 0) + (stage == init->stages - 1 ? shapes_tail(s) : 0), each;

		if (measured[i].state <= 0 || kind < 0)
			return 0;
		all += *grid_at(init->round[measured[i].round].layers, 0, stage) *
		    shapes_parameters(s, kind);
		each = measured[i].state * MEGA / all;
		least = fmin(least, each);
		most = fmax(most, each);
	}
	if (least < least_bytes || most > most_bytes)
		return 0;
	if (most > least * (1 + agree)) {
		place_warn(init->place, "stages use %.2f to %.2f bytes per parameter between steps, which is too "
		    "uneven to be the state of layers: ignored", least, most);
		return 0;
	}
	return (least + most) / 2;
}

void
shapes_state(const struct memsplit_shapes *s, struct bodies *b, const struct fitted_peak *measured, int m,
    const struct initfile *init)
{
	double bytes = s->known && b->n == 1 ? state_bytes(s, b, measured, m, init) : 0;
	int kind = s->known ? shapes_kind(s, b, 0) : -1;

	if (bytes > 0)
		b->parameter[0] = bytes * shapes_parameters(s, kind) / MEGA;
}
