/* Find the stage with the earliest time. */
#ifndef TURNS_H
#define TURNS_H

struct turn {
	double time;		/* infinity: never */
	int stage;
};

/* A tournament tree. Of two equal times the lower stage wins. */
struct turns {
	int leaves;		/* number of leaves, a power of two that is at least the number of stages */
	struct turn *node;	/* winner at each node, [2 x leaves]; node 1 is the root */
};

struct turns turns_new(int stages);
void turns_free(struct turns *);
/* Set the times of the first N stages to 0, and of all further stages to never. */
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
