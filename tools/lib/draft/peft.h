/* PEFT's adapter_config.json. */
#ifndef PEFT_H
#define PEFT_H

#include "draft.h"

/* Exits naming the key that is wrong, or trains what is not known here. MODULES is to be freed. */
struct adapted peft_read(const char *path);

#endif
