/* Holding: which pieces of a framework's plans may hold embedding, loss and multi-token prediction layers. */
#ifndef HOLDING_H
#define HOLDING_H

#include "target.h"

struct network;

struct holding {
	bool anywhere;		/* embedding and loss in any piece; else in the first and last one */
	bool alone;		/* also without BODY layers */
	bool empty;		/* pieces may be empty */
	enum predicting predicting;
	int predicting_most;	/* maximum number of multi-token prediction layers */
};
struct holding target_holding(enum target, enum schedule_kind);

/* Bind the network's HEAD and TAIL layers as in all schedules of the framework. */
void holding_bind(enum target, struct network *);
/* Set the allowed places of layers in the network. Exits if the framework cannot run the layers in their order. */
void holding_place(enum target, enum schedule_kind, struct network *);
/* Return why no placement is possible (caller frees), or NULL. */
char *holding_shape_problem(enum target, const struct network *, const struct shape *);
/* Return what is wrong with the pieces of a plan (caller frees), or NULL. */
char *holding_plan_problem(enum target, const struct plan *, const struct shape *);

#endif
