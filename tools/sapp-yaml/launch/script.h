/* Script: the edits that make a script's arguments say a plan and its candidate. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "lib/base/edit.h"
#include "wanted.h"

/* Only what is decided and means something else is touched. Exits where a value is only known when the script runs. */
void script_edits(struct edits *, struct arguments *, const struct wanted *);

#endif
