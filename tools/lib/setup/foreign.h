/* Files with settings that no tool reads. They are recognized by keys that no other files have. */
#ifndef FOREIGN_H
#define FOREIGN_H

#include "lib/base/place.h"

/* If TEXT is such a file, exit with a message that names its framework and the file to give instead. */
void foreign_refuse(struct place at, const char *path, const char *text);

#endif
