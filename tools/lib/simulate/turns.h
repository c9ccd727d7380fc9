/* Turns: which of several stages comes next, each at a time of its own. */
#ifndef TURNS_H
#define TURNS_H

struct turn {
	double time;		/* infinity: never */
	int stage;
};

/* A tournament, of stages at the same time won by the first one. */
struct turns {
	int leaves;		/* a power of two, no fewer than stages */
	struct turn *node;	/* [2 leaves]: who has won; 1 is the root */
};

struct turns turns_new(int stages);
void turns_free(struct turns *);
/* All of the first N at 0, the others never. */
void turns_begin(struct turns *, int n);
void turns_set(struct turns *, int stage, double time);

static inline struct turn
turns_first(const struct turns *t)
{
	return t->node[1];
}

static inline double
turns_time(const struct turns *t, int stage)
{
	return t->node[t->leaves + stage].time;
}

#endif
