/*
 * Compile a function once for each vector width of processors. The loader selects the version when the program starts.
 */
#ifndef EACH_WIDTH_H
#define EACH_WIDTH_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define EACH_WIDTH __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define EACH_WIDTH
#endif

#endif
