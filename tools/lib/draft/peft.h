/* PEFT's adapter_config.json. */
#ifndef PEFT_H
#define PEFT_H

#include "draft.h"

/* Exits, naming the key, on invalid or unsupported settings. Caller frees modules. */
struct adapted peft_read(const char *path);

#endif
