/* The pieces of a framework's plans that may hold the embedding, the loss and multi-token prediction layers. */
#ifndef HOLDING_H
#define HOLDING_H

#include "target.h"

struct network;

struct holding {
	bool anywhere;		/* embedding and loss may be in any piece; false: in the first and the last piece */
	bool alone;		/* embedding and loss may be in a piece without BODY layers */
	bool empty;		/* pieces may be empty */
	enum predicting predicting;
	int predicting_most;	/* maximum number of multi-token prediction layers */
};
struct holding target_holding(enum target, enum schedule_kind);

/* Bind those HEAD and TAIL layers of the network that all schedules of the framework bind. */
void holding_bind(enum target, struct network *);
/* Set in the network which pieces may hold which layers. Exit if the framework cannot run the layers in their order. */
void holding_place(enum target, enum schedule_kind, struct network *);
/* Return why no placement of the layers is possible (caller frees), or NULL. */
char *holding_shape_problem(enum target, const struct network *, const struct shape *);
/* Return why the framework cannot run the layers on the pieces of a plan (caller frees), or NULL. */
char *holding_plan_problem(enum target, const struct plan *, const struct shape *);

#endif
