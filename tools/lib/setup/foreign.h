/* Foreign files: settings of frameworks that no tool reads, told by the keys that they alone have. */
#ifndef FOREIGN_H
#define FOREIGN_H

#include "lib/base/place.h"

/* Exit naming the framework and what to give instead if TEXT is a file of one. */
void foreign_refuse(struct place at, const char *path, const char *text);

#endif
