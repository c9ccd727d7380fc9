/* Can any plan of two stages of chunks be shorter than a given time, as far as whole layers in their order go? */
#ifndef TWO_STAGES_H
#define TWO_STAGES_H

#include "reach.h"

/* False only where none is: time in seconds, of the pipeline alone. True, too, of what is not two stages of chunks. */
bool two_stages_below(const struct reach *, const struct configuration *, double time);

#endif
