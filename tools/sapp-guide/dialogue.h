/* Dialogue: the question of sapp-guide, asked one piece at a time. */
#ifndef DIALOGUE_H
#define DIALOGUE_H

#include "design.h"

/*
 * Ask on stderr, read answers from stdin; fill in stages, layers and kinds, and rounds (0: as few as
 * needed).
 */
void dialogue(struct question *, int *rounds);

#endif
