#include "draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/record/record.h"

void
draft_name_unknown(const struct bag *b, const char *what)
{
	for (int i = 0; i < b->n; i++)
		if (!b->at[i].used)
			place_warn(b->at[i].place, "%s: not known, ignored '%s'", what, b->at[i].name);
}

#define MEMBER(member) { offsetof(struct architecture, member), #member }

static const struct needed {
	size_t offset;
	const char *member;
} always[] = {
	MEMBER(layers), MEMBER(hidden_size), MEMBER(num_heads), MEMBER(ffn_size), MEMBER(vocab_size), MEMBER(seq_length)
}, of_experts[] = {
	MEMBER(experts_per_token), MEMBER(expert_ffn_size)
}, of_latents[] = {
	MEMBER(qk_head_dim), MEMBER(rope_head_dim), MEMBER(v_head_dim)
};

/* Return the name of the first of N members that is unset, or NULL. */
static const char *
missing_of(const struct draft *d, const struct needed *members, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!field_given(&architecture_fields, &d->net, members[i].offset))
			return members[i].member;
	return NULL;
}

const char *
draft_missing(const struct draft *d)
{
	const char *member = d->elsewhere != NULL ? "network" : missing_of(d, always, sizeof always / sizeof always[0]);

	if (member == NULL && d->net.experts > 0)
		member = missing_of(d, of_experts, sizeof of_experts / sizeof of_experts[0]);
	if (member == NULL && d->net.kv_lora_rank > 0)
		member = missing_of(d, of_latents, sizeof of_latents / sizeof of_latents[0]);
	return member;
}

/* Exit if a required member is unset. The message has its usual name. */
static void
check_needed(const struct draft *d, struct place at)
{
	const char *member = draft_missing(d);

	for (int i = 0; member != NULL && d->usual[i][0] != NULL; i++)
		if (strcmp(d->usual[i][0], member) == 0)
			place_die(at, "no %s: its usual place is %s", member, d->usual[i][1]);
	if (member != NULL)
		place_die(at, "no %s in it", member);
}

bool
draft_divide(struct draft *d, struct place at)
{
	struct configuration *c = &d->current;
	int each = c->tp * c->pp * (c->cp > 0 ? c->cp : 1), sequences;

	if (c->tp == 0)
		return false;
	if (c->dp == 0 && d->devices > 0) {
		if (d->devices % each != 0)
			place_die(at, "%d devices: not a multiple of tp %d times pp %d times cp %d '%d'", d->devices,
			    c->tp, c->pp, c->cp > 0 ? c->cp : 1, d->devices);
		c->dp = d->devices / each;
	}
	if (c->dp == 0)
		return false;
	sequences = c->dp * (c->mbs > 0 ? c->mbs : 1);
	if (c->micro_batches == 0 && d->batch > 0) {
		if (d->batch % sequences != 0)
			place_die(at, "%d sequences per step: not a multiple of dp %d times %d sequences per "
			    "micro-batch '%d'", d->batch, c->dp, c->mbs > 0 ? c->mbs : 1, d->batch);
		c->micro_batches = d->batch / sequences;
	}
	if (c->zero > 0 && d->optimizers > 1) {
		int replicas = c->dp * (c->cp > 0 ? c->cp : 1);

		if (replicas % d->optimizers != 0)
			place_die(at, "%d replicas: not a multiple of the number of optimizer instances '%d'", replicas,
			    d->optimizers);
		GIVE(configuration, c, shard, replicas / d->optimizers);
	}
	return true;
}

/* Write the candidate record of the current configuration. */
static void
write_current(FILE *out, struct draft *d, struct place at)
{
	static char origin[] = "current";
	struct configuration *c = &d->current;

	if (c->tp == 0)
		return;
	if (!draft_divide(d, at)) {
		place_warn(at, "no candidate is written: the number of devices is not in the file; give it with -n");
		return;
	}
	if (c->micro_batches == 0) {
		place_warn(at, "no candidate is written: the number of sequences per step is not in the file; give it "
		    "with -gb");
		return;
	}
	configuration_check(c, at);
	configuration_give_degrees(c);
	GIVE(configuration, c, name, configuration_name(c));
	GIVE(configuration, c, origin, origin);
	record_put(out, RECORD_CANDIDATE, c);
	free(c->name);
}

void
draft_take(struct draft *d, struct draft *run)
{
	if (GIVEN(architecture, &run->net, seq_length))
		SET(d, seq_length, run->net.seq_length);
	if (GIVEN(architecture, &run->net, mtp_layers))
		SET(d, mtp_layers, run->net.mtp_layers);
	if (GIVEN(architecture, &run->net, precision))
		SET(d, precision, run->net.precision);
	if (run->adapters.rank > 0) {
		free(d->adapters.modules);
		d->adapters = run->adapters;
		run->adapters.modules = NULL;
	}
}

void
draft_write(FILE *out, struct draft *d, const struct additions *more, struct place at, bool network)
{
	if (more->name != NULL) {
		free(d->net.name);
		d->net.name = xstrdup(more->name);
	}
	if (d->net.name == NULL) {
		const char *base = strrchr(at.source, '/');

		d->net.name = xstrdup(base != NULL ? base + 1 : at.source);
		if (strrchr(d->net.name, '.') != NULL && strrchr(d->net.name, '.') != d->net.name)
			*strrchr(d->net.name, '.') = '\0';
	}
	field_give(&architecture_fields, &d->net, offsetof(struct architecture, name));
	if (more->seq_length > 0)
		SET(d, seq_length, more->seq_length);
	if (more->batch > 0) {
		d->batch = more->batch;
		d->current.micro_batches = 0;
	}
	if (more->devices > 0) {
		d->devices = more->devices;
		d->current.dp = 0;
	}
	if (network) {
		check_needed(d, at);
		architecture_check(&d->net, at);
		draft_freeze(d, more, at);
		record_put(out, RECORD_NETWORK, &d->net);
	}
	if (d->copies > 1)
		place_warn(at, "micro-batches are divided into %d copies (micro_batch_interleave_num, "
		    "fine_grain_interleave): the time that their overlap saves is not estimated", d->copies);
	write_current(out, d, at);
}

void
draft_free(struct draft *d)
{
	fields_free(&architecture_fields, &d->net);
	free(d->current.stage_layers.at);
	free(d->adapters.modules);
	if (d->elsewhere != NULL)
		free((char *)d->elsewhere_place.source);
	free(d->elsewhere);
	free(d->owned);
}
