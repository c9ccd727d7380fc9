/* Foreign files: settings of frameworks that no tool reads, recognized by keys that only such files have. */
#ifndef FOREIGN_H
#define FOREIGN_H

#include "lib/base/place.h"

/* If TEXT is such a file, exit with a message that names the framework and the file to give instead. */
void foreign_refuse(struct place at, const char *path, const char *text);

#endif
