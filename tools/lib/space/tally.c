#include "tally.h"

#include <errno.h>
#include <stdio.h>

#include "lib/base/clock.h"
#include "rule.h"

enum { LOOK_EVERY = 1 << 20 };	/* number of configurations from one look at the clock to the next */

void
tally_begin(struct tally *t, bool progress)
{
	*t = (struct tally){ .progress = progress, .said = clock_now() };
}

void
tally_count(struct tally *t, int rule)
{
	t->space++;
	if (rule < 0)
		t->legal++;
	else
		t->rejected[rule]++;
	if (t->progress && t->space % LOOK_EVERY == 0 && clock_now() > t->said + 1) {
		t->said = clock_now();
		fprintf(stderr, "%s: %lld configurations so far, %lld legal\n", program_invocation_short_name,
		    (long long)t->space, (long long)t->legal);
	}
}

void
tally_say(const struct tally *t)
{
	fprintf(stderr, "%s: %lld configurations, %lld legal", program_invocation_short_name, (long long)t->space,
	    (long long)t->legal);
	for (int r = 0, first = 1; r < rules_count(); r++)
		if (t->rejected[r] > 0) {
			fprintf(stderr, "%s %s %lld", first ? ";" : ",", rule_name(r), (long long)t->rejected[r]);
			first = 0;
		}
	if (t->space == 0)
		fputs("; no product of the given degrees is the number of devices", stderr);
	putc('\n', stderr);
}
