/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that are compiled twice. WIDE(f) is the one for AVX2; has_wide() returns whether to call it.
 *
 * The choice at each call costs one load and a branch for 256 pixels. target_clones is not used, because it requires a
 * dynamic linker with indirect functions, which musl lacks.
 * See docs/design/decisions/0027-vector-kernels.md.
 */
#ifndef WIDTHS_H
#define WIDTHS_H

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
