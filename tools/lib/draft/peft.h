/* PEFT's adapter_config.json. */
#ifndef PEFT_H
#define PEFT_H

#include "draft.h"

/*
 * Read the adapters from the file at PATH. Exit, naming the key, if a setting is invalid or not supported. Caller frees
 * modules.
 */
struct adapted peft_read(const char *path);

#endif
