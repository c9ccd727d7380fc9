/* Shell scripts, read as far as it takes to know the arguments of the program that they start. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "bag.h"

/*
 * Arguments "--key value" of a script or of a plain list of them, as settings with '_' for '-'; flags have the text
 * "true". Variables, arrays, quoted groups of arguments and sums of whole numbers are followed; what only running it
 * can tell is left as it stands, with a warning where an argument needs it. VARIABLES: the script's, too.
 */
void script_read(const char *text, const char *source, struct bag *arguments, struct bag *variables);

#endif
