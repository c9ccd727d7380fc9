/* Turns: find the stage with the earliest time. */
#ifndef TURNS_H
#define TURNS_H

struct turn {
	double time;		/* infinity: never */
	int stage;
};

/* A tournament tree; the lower stage wins ties. */
struct turns {
	int leaves;		/* a power of two, at least the number of stages */
	struct turn *node;	/* [2 leaves]: winners; 1 is the root */
};

struct turns turns_new(int stages);
void turns_free(struct turns *);
/* Set the first N stages to time 0, the other stages to never. */
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
