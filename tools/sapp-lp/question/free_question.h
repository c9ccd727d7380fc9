/*
 * Free question: one whose order of operations is to be found, too. It begins with the answers to other questions, some
 * of which are asked for nothing else.
 */
#ifndef FREE_QUESTION_H
#define FREE_QUESTION_H

#include "question.h"

/*
 * Add one for every number of chunks of -i, or else of the schedules asked for, and what they can begin with. Exits
 * where the options allow no free order.
 */
void free_questions_add(struct questions *, const struct options *);
/* The same with the pieces of a schedule whose order may take all memory, under its name. */
void free_question_add(struct questions *, const struct options *, enum schedule_kind found);
/* Plan one in at most SECONDS, when all others have been answered. */
void free_question_answer(const struct questions *, struct question *, const struct options *,
    const struct network *net, double seconds);

#endif
