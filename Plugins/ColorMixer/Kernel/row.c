/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include "color_mixer.h"
#include "picture_light_piecewise.h"

/* Fused operations round once instead of twice, and not every processor has them. */
#pragma STDC FP_CONTRACT OFF

/* Adjacent pixels in planes: red, green and blue, or L, a and b; and the change of each pixel. */
typedef struct {
    float color[3][PL_BLOCK];
    float along[PL_BLOCK];
    float across[PL_BLOCK];
    float lightness[PL_BLOCK];
} block;

/* Returns the cube root: an estimate from the exponent, and two steps of Halley's method. */
PL_INLINE float cube_root(float x)
{
    float size = x < 0 ? -x : x;
    uint32_t representation;
    memcpy(&representation, &size, sizeof representation);
    representation = representation / 3 + 0x2a514067;
    float root;
    memcpy(&root, &representation, sizeof root);
    for (int step = 0; step < 2; step++) {
        float cube = root * root * root;
        root = root * ((cube + 2 * size) / (2 * cube + size));
    }
    root = size > 0 ? root : 0;
    return x < 0 ? -root : root;
}

PL_INLINE void to_lab(const cm_edit *edit, block *restrict all, int pixels)
{
    const float *n = edit->to_cones;
    float *restrict first = all->color[0], *restrict second = all->color[1], *restrict third = all->color[2];
    for (int i = 0; i < pixels; i++) {
        float l = cube_root(n[0] * first[i] + n[1] * second[i] + n[2] * third[i]);
        float m = cube_root(n[3] * first[i] + n[4] * second[i] + n[5] * third[i]);
        float s = cube_root(n[6] * first[i] + n[7] * second[i] + n[8] * third[i]);
        first[i] = 0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s;
        second[i] = 1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s;
        third[i] = 0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s;
    }
}

/* Interpolates the changes for the hue of each pixel. */
PL_INLINE void find_changes(const cm_edit *edit, block *restrict all, int pixels)
{
    const float *restrict a = all->color[1], *restrict b = all->color[2];
    int32_t place[PL_BLOCK];
    float fraction[PL_BLOCK];
    for (int i = 0; i < pixels; i++) {
        float sum = (a[i] < 0 ? -a[i] : a[i]) + (b[i] < 0 ? -b[i] : b[i]);
        float height = sum > 0 ? b[i] / sum : 0;
        float turn = a[i] < 0 ? 2 - height : height < 0 ? 4 + height : height;
        float position = pl_at_most(turn * (CM_HUES / 4), CM_HUES - 1.0f / 256);
        place[i] = (int32_t) position;
        fraction[i] = position - (float) place[i];
    }
#pragma clang loop vectorize(disable) interleave(disable)
    for (int i = 0; i < pixels; i++) {
        const cm_change *from = edit->changes + place[i], *to = from + 1;
        all->along[i] = from->along + (to->along - from->along) * fraction[i];
        all->across[i] = from->across + (to->across - from->across) * fraction[i];
        all->lightness[i] = from->lightness + (to->lightness - from->lightness) * fraction[i];
    }
}

/* Applies the changes, and converts the colours back to light, 0...1. */
PL_INLINE void from_lab(const cm_edit *edit, block *restrict all, int pixels)
{
    const float *n = edit->from_cones;
    float *restrict first = all->color[0], *restrict second = all->color[1], *restrict third = all->color[2];
    for (int i = 0; i < pixels; i++) {
        float chroma = second[i] * second[i] + third[i] * third[i];
        /* Gray has no hue, so the change of lightness starts at a chroma of about 0.04. */
        float share = chroma / (chroma + 0.0016f);
        float lightness = first[i] * (1 + all->lightness[i] * share);
        float tint = pl_at_least(4 * lightness * (1 - lightness), 0);
        float a = second[i] * all->along[i] - third[i] * all->across[i] + edit->tint[0] * tint;
        float b = second[i] * all->across[i] + third[i] * all->along[i] + edit->tint[1] * tint;
        float l = lightness + 0.3963377774f * a + 0.2158037573f * b;
        float m = lightness - 0.1055613458f * a - 0.0638541728f * b;
        float s = lightness - 0.0894841775f * a - 1.2914855480f * b;
        l = l * l * l;
        m = m * m * m;
        s = s * s * s;
        first[i] = pl_clamped(n[0] * l + n[1] * m + n[2] * s);
        second[i] = pl_clamped(n[3] * l + n[4] * m + n[5] * s);
        third[i] = pl_clamped(n[6] * l + n[7] * m + n[8] * s);
    }
}

PL_INLINE void mix_row(PL_ROW_PARAMETERS)
{
    (void) left;
    (void) top;
    const cm_edit *own = edit;
    block all;
    memset(&all, 0, sizeof all);
    for (int start = 0; start < pixels; start += PL_BLOCK) {
        int count = pixels - start < PL_BLOCK ? pixels - start : PL_BLOCK;
        ptrdiff_t first = (ptrdiff_t) start * bands * (is_byte ? 1 : 2);
        const void *from = (const char *) source + first;
        pl_load(&own->curves, from, is_byte, bands, count, all.color);
        int rounded = pl_rounded(count);
        to_lab(own, &all, rounded);
        find_changes(own, &all, rounded);
        from_lab(own, &all, rounded);
        pl_encode(&own->curves, rounded, all.color);
        pl_store(all.color, from, (char *) destination + first, is_byte, bands, count);
    }
}

PL_ROW_FUNCTIONS(cm_row, cm_plain_row, mix_row)
