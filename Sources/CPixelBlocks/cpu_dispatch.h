/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The choice between AVX2 and plain C at run time. WIDE compiles a function for AVX2; has_wide() returns whether the
 * CPU has it.
 *
 * The choice at each call costs one load and a branch for 256 pixels. target_clones is not used, because it requires a
 * dynamic linker with indirect functions, which musl lacks.
 * See docs/design/decisions/0027-vector-kernels.md.
 */
#ifndef CPU_DISPATCH_H
#define CPU_DISPATCH_H

#include <stdbool.h>

#define INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define HAS_WIDE 1
#define WIDE __attribute__((target("avx2")))
static inline bool has_wide(void) { return __builtin_cpu_supports("avx2"); }
#else
#define HAS_WIDE 0
#define WIDE
static inline bool has_wide(void) { return false; }
#endif

#endif
