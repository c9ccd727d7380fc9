/* Kineto: the profile that torch.profiler writes for a run of Megatron-LM on CUDA: modules, launches and kernels. */
#ifndef KINETO_H
#define KINETO_H

#include "writer.h"

void kineto_open(struct writer *);
/* Write the kernel of the operation at PATH and its launch. SHARES: it runs on the stream of tensor parallel. */
void kineto_kernel(struct writer *, const char *path, bool shares, int64_t start, int64_t end);
/* Close all open modules and write their spans. */
void kineto_leave(struct writer *);
void kineto_step(struct writer *, int64_t start, int64_t end);
void kineto_close(struct writer *);

#endif
