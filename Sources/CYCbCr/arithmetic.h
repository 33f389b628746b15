/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ARITHMETIC_H
#define ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))

/* No target_clones, as in CPixelBlocks: some dynamic linkers lack indirect functions. */
#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2")))
static inline bool has_wide(void) { return __builtin_cpu_supports("avx2"); }
#else
#define WIDE
static inline bool has_wide(void) { return false; }
#endif

/* A number times a weight in units of 1/2^16. Every processor has an instruction for this. */
INLINE int16_t part(int16_t number, int16_t weight) { return (int16_t)(number * weight >> 16); }

INLINE uint8_t clamped(int32_t number)
{
    return (uint8_t)(number < 0 ? 0 : number > 255 ? 255 : number);
}

#endif
