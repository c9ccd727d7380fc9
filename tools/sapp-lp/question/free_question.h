/*
 * Free question: a question whose order of operations is planned also. It starts with the answers to other questions,
 * some of which are asked only for this purpose.
 */
#ifndef FREE_QUESTION_H
#define FREE_QUESTION_H

#include "question.h"

/*
 * Add a free question for every number of chunks of -i, or of the requested schedules. Add also the questions from
 * which they start. Exits if the options allow no free order.
 */
void free_questions_add(struct questions *, const struct options *);
/* Add a free question that has the pieces and the name of the schedule FOUND, and may use all memory. */
void free_question_add(struct questions *, const struct options *, enum schedule_kind found);
/* Return whether a free question can start from the answer to another question with the same chunks and placement. */
bool free_question_begun(const struct questions *, const struct question *);
/* Plan a free question in at most SECONDS, after all other questions. */
void free_question_answer(const struct questions *, struct question *, const struct options *,
    const struct network *net, double seconds);

#endif
