#include "usages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

#define MEGA 1048576.0

void
usages_take(struct usages *u, const struct observed_usage *of)
{
	struct observed_usage *most = NULL;

	for (size_t i = 0; i < u->n && most == NULL; i++)
		if (u->at[i].stage == of->stage && strcmp(u->at[i].run, of->run) == 0)
			most = &u->at[i];
	if (most == NULL) {
		most = APPEND(u->at, u->n);
		*most = (struct observed_usage){ .run = xstrdup(of->run), .stage = of->stage };
	}
	most->given |= of->given;
	most->peak = fmax(most->peak, of->peak);
	most->reserved = fmax(most->reserved, of->reserved);
	most->outside = fmax(most->outside, of->outside);
}

void
usages_apply(struct usages *u, struct measured *m)
{
	for (size_t i = 0; i < u->n; i++) {
		const struct observed_usage *of = &u->at[i];

		if (GIVEN(observed_usage, of, reserved))
			m->held = fmax(m->held, MEGA * fmax(0, of->reserved - of->peak));
		if (GIVEN(observed_usage, of, outside))
			m->beside = fmax(m->beside, MEGA * of->outside);
		free(u->at[i].run);
	}
	free(u->at);
	*u = (struct usages){ 0 };
}
