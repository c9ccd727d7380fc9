/* Holding: what the pieces of a framework's plans may hold of embedding, loss, layers that predict further tokens. */
#ifndef HOLDING_H
#define HOLDING_H

#include "target.h"

struct network;

/* Where layers that predict further tokens may be, all of them in one piece unless anywhere. */
enum predicting {
	PREDICTING_ANYWHERE,
	PREDICTING_LAST_CHUNK,	/* the last piece of a stage that is not the first, or the only piece */
	PREDICTING_LAST_PIECE,
};
/* May PIECE, chunk * stages + stage, hold such layers? POSITION: its number in the model's order. */
bool predicting_at(enum predicting, const struct shape *, int piece, int position);

struct holding {
	bool anywhere;		/* embedding and loss may be in any piece; else in the first, in the last one */
	bool alone;		/* there without BODY layers, too */
	bool empty;		/* pieces may be without layers */
	enum predicting predicting;
	int predicting_most;	/* layers that predict further tokens, at most */
};
struct holding target_holding(enum target, enum schedule_kind);

/* Bind the network's ends as the framework has them in all its schedules. */
void holding_bind(enum target, struct network *);
/* Set in the network where its layers may be. Exits if the framework cannot run the layers in their order. */
void holding_place(enum target, enum schedule_kind, struct network *);
/* What keeps the pieces from having them at all; NULL: nothing does. To be freed. */
char *holding_shape_problem(enum target, const struct network *, const struct shape *);
/* What is wrong with the pieces of a plan, or NULL; to be freed. */
char *holding_plan_problem(enum target, const struct plan *, const struct shape *);

#endif
