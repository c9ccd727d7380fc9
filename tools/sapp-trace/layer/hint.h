/* Hints: what a timeline holds instead of the layers that were looked for. */
#ifndef HINT_H
#define HINT_H

#include "class.h"
#include "sapp-trace/read/process.h"

enum { HINTS_KEPT = 12 };

struct hints {
	int seen;		/* events looked at, up to a limit */
	int nlayers, nnames;
	char *layer[HINTS_KEPT];	/* Name, of components k-Name */
	char *name[HINTS_KEPT];	/* of events that are no scopes */
	bool scopes;		/* paths or scope names occur */
};

void hint_path(struct hints *, struct text path);
void hint_name(struct hints *, struct text name);
/* A message, to be freed. */
char *hint_text(const struct hints *, const struct classes *, const struct processes *, uint64_t events);
/* Names of layers, as a list of words in quotes; NULL: there are none. To be freed. */
char *hint_layers(const struct hints *);
void hints_free(struct hints *);

#endif
