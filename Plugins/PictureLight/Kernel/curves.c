/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include "picture_light.h"

static double start_of(int part, int bits)
{
    if (part == 0)
        return 0;
    int steps = 1 << bits;
    return ldexp(1 + (double) ((part - 1) % steps) / steps, (part - 1) / steps - PL_OCTAVES);
}

double pl_encoding_start(int part) { return start_of(part, PL_ENCODING_BITS); }

double pl_tone_start(int part) { return start_of(part, PL_TONE_BITS); }

bool pl_curves_make(pl_curves *curves, int levels)
{
    void *storage = calloc(3, PL_ENCODING_PARTS * sizeof(pl_part) + (size_t) levels * sizeof(float));
    if (!storage)
        return false;
    curves->levels = levels;
    curves->storage = storage;
    pl_part *part = storage;
    float *light = (float *) (part + 3 * PL_ENCODING_PARTS);
    for (int band = 0; band < 3; band++) {
        curves->encoding[band] = part + (size_t) band * PL_ENCODING_PARTS;
        curves->light[band] = light + (size_t) band * levels;
    }
    return true;
}

void pl_curves_free(pl_curves *curves) { free(curves->storage); }
