/* SPDX-License-Identifier: Apache-2.0 */
#include <vips/vips.h>

/* Returns whether the processor supports the instructions that the calling module is compiled for. Called by
 * code of Vips that is inlined into extensions, which may be compiled with -Xcc -mavx2. */
static inline int cvips_processor_suffices(void)
{
#if defined(__x86_64__) && defined(__AVX2__)
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 1;
#endif
}
