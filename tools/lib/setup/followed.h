/* Settings files that commands name, as in "train pretrain --config FILE". */
#ifndef FOLLOWED_H
#define FOLLOWED_H

#include "lib/script/started.h"
#include "lib/target/target.h"

/*
 * If the command takes its settings from a YAML with arguments as keys, replace it by the command that equals the YAML,
 * followed by its own further options. Set *TARGET to the framework of the YAML, unless TARGET is NULL. The path counts
 * from the working directory, or from a directory above the script. Leave the command alone if the file is missing, or
 * of another kind, or if overrides such as "a.b=1" follow it.
 */
void started_follow(struct started *, enum target *target);

#endif
