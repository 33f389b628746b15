/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "lens_falloff.h"
#include "vignetting_table.h"

/* Fused products would round differently. */
#pragma STDC FP_CONTRACT OFF

static int32_t step_of(float falloff)
{
    int32_t bits;
    memcpy(&bits, &falloff, sizeof bits);
    return bits >> STEP_BITS;
}

static float falloff_of(int32_t step)
{
    int32_t bits = step << STEP_BITS;
    float falloff;
    memcpy(&falloff, &bits, sizeof falloff);
    return falloff;
}

/* Encodes light, with the last part of the curve also for somewhat more than 1: white in between depends on it. */
static int32_t result_of(const pl_part *encoding, float light)
{
    float clamped = pl_clamped(light);
    uint32_t bits;
    memcpy(&bits, &clamped, sizeof bits);
    pl_part part = encoding[pl_part_of(bits, PL_ENCODING_BITS)];
    float level = (part.value + part.slope * pl_at_least(light, PL_LEAST)) * 255 * (1 << RESULT_BITS) + 0.5f;
    return (int32_t) pl_at_most(pl_at_least(level, 0), INT16_MAX);
}

static void fill(const ln_steps *steps, const pl_curves *curves, int band)
{
    const pl_part *encoding = curves->encoding[band];
    int32_t *entry = steps->levels[band];
    for (int32_t step = 0; step < steps->count; step++) {
        const float start = falloff_of(steps->first + step), end = falloff_of(steps->first + step + 1);
        for (int level = 0; level < 256; level++) {
            const float light = curves->light[band][level];
            *entry++ = result_of(encoding, light / start) | result_of(encoding, light / end) << 16;
        }
    }
}

bool make_steps(ln_steps *steps, const pl_curves *curves, const ln_falloff *model)
{
    /* One step more, for values between the samples. */
    steps->first = step_of(pl_at_least(model->least, LEAST_FALLOFF)) - 1;
    steps->count = step_of(pl_at_least(model->greatest, LEAST_FALLOFF)) + 2 - steps->first;
    const size_t size = (size_t) steps->count * 256;
    const bool is_one = curves->light[1] == curves->light[0] && curves->light[2] == curves->light[0];
    steps->storage = malloc((is_one ? 1 : 3) * size * sizeof(int32_t));
    if (!steps->storage)
        return false;
    for (int band = 0; band < 3; band++) {
        steps->levels[band] = (int32_t *) steps->storage + (is_one ? 0 : (size_t) band * size);
        if (band == 0 || !is_one)
            fill(steps, curves, band);
    }
    return true;
}
