/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "lens_falloff.h"
#include "vignetting_table.h"

/* Fused products would round differently. */
#pragma STDC FP_CONTRACT OFF

ln_edit *ln_edit_make(int levels, struct lfModifier *vignetting, int width, int height)
{
    ln_edit *edit = calloc(1, sizeof *edit);
    if (edit && pl_curves_make(&edit->curves, levels)) {
        find_falloff(&edit->falloff, vignetting, width, height);
        return edit;
    }
    free(edit);
    return NULL;
}

void ln_edit_free(ln_edit *edit)
{
    if (!edit)
        return;
    pl_curves_free(&edit->curves);
    free(edit->steps.storage);
    free(edit);
}

bool ln_edit_prepare(ln_edit *edit)
{
    return edit->curves.levels != 256 || make_steps(&edit->steps, &edit->curves, &edit->falloff);
}

PL_INLINE void lighten_words(
    const pl_curves *curves, const float *falloff, const uint16_t *source, uint16_t *destination, int bands, int pixels)
{
    float color[3][PL_BLOCK];
    pl_load(curves, source, false, bands, pixels, color);
    for (int band = 0; band < 3; band++)
        for (int i = 0; i < pixels; i++)
            color[band][i] = pl_clamped(color[band][i] / falloff[i]);
    pl_encode(curves, pixels, color);
    pl_store(color, source, destination, false, bands, pixels);
}

/* Defines a pl_row. WIDE_STORE(steps, places, source, destination, bands, pixels) edits the first pixels. */
#define LIGHTEN_FUNCTION(NAME, ATTRIBUTES, WIDE_STORE)                                                                \
    ATTRIBUTES PL_INLINE void NAME(                                                                                   \
        const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left,       \
        int top)                                                                                                      \
    {                                                                                                                 \
        const ln_edit *lens = edit;                                                                                   \
        const size_t size = (size_t) bands * (is_byte ? 1 : 2);                                                       \
        float terms[LN_PADDED_TERMS], falloff[PL_BLOCK];                                                              \
        step_places places;                                                                                           \
        row_terms(&lens->falloff, top, terms);                                                                        \
        for (int start = 0; start < pixels; start += PL_BLOCK) {                                                      \
            const int count = pixels - start < PL_BLOCK ? pixels - start : PL_BLOCK;                                  \
            const void *from = (const uint8_t *) source + (size_t) start * size;                                      \
            void *to = (uint8_t *) destination + (size_t) start * size;                                               \
            row_falloff(&lens->falloff, terms, left + start, count, falloff);                                         \
            if (!is_byte) {                                                                                           \
                lighten_words(&lens->curves, falloff, from, to, bands, count);                                        \
                continue;                                                                                             \
            }                                                                                                         \
            find_steps(&lens->steps, falloff, count, &places);                                                        \
            store_steps(                                                                                              \
                &lens->steps, &places, from, to, bands, WIDE_STORE(&lens->steps, &places, from, to, bands, count),    \
                count);                                                                                               \
        }                                                                                                             \
    }
#define STORE_NONE(steps, places, source, destination, bands, pixels) 0

LIGHTEN_FUNCTION(lighten, , STORE_NONE)
void ln_plain_row(PL_ROW_PARAMETERS) { PL_SPECIALISED(lighten) }

#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2")))
LIGHTEN_FUNCTION(wide_lighten, WIDE, wide_store_steps)
WIDE static void wide_row(PL_ROW_PARAMETERS) { PL_SPECIALISED(wide_lighten) }

void ln_row(PL_ROW_PARAMETERS)
{
    if (__builtin_cpu_supports("avx2"))
        wide_row(edit, source, destination, is_byte, bands, pixels, left, top);
    else
        ln_plain_row(edit, source, destination, is_byte, bands, pixels, left, top);
}
#else
void ln_row(PL_ROW_PARAMETERS) { PL_SPECIALISED(lighten) }
#endif

static void release(void *edit) { ln_edit_free(edit); }

int ln_image(VipsImage *source, ln_edit *edit, VipsImage **result)
{
    return pl_image(source, edit, ln_row, release, result);
}
