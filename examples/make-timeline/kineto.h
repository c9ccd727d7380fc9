/* Kineto: what torch.profiler writes of a run of Megatron-LM on CUDA: modules, launches and kernels. */
#ifndef KINETO_H
#define KINETO_H

#include "writer.h"

void kineto_open(struct writer *);
/* The kernel of an operation whose scopes are PATH, and what launched it. SHARES: it communicates on a stream of its own. */
void kineto_kernel(struct writer *, const char *path, bool shares, int64_t start, int64_t end);
/* The scopes of a part of the model end: the spans of its modules. */
void kineto_leave(struct writer *);
void kineto_step(struct writer *, int64_t start, int64_t end);
void kineto_close(struct writer *);

#endif
