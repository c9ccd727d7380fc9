/* Dialogue: ask the user for the question of sapp-guide. */
#ifndef DIALOGUE_H
#define DIALOGUE_H

#include "design.h"

/* Ask on stderr, and read answers from standard input. Set stages, layers, kinds and rounds (0: as few as needed). */
void dialogue(struct guide_question *, int *rounds);

#endif
