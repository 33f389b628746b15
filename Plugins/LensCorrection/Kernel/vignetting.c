/* SPDX-License-Identifier: Apache-2.0 */
#include <lensfun.h>
#include <stdlib.h>
#include "lens_correction.h"
#include "picture_light_parts.h"

/* Fused products would round differently. */
#pragma STDC FP_CONTRACT OFF

/* The largest gain. A model may reach zero in the corners. */
#define LEAST_SHARE 0.01f

ln_edit *ln_edit_make(int levels, struct lfModifier *vignetting)
{
    ln_edit *edit = calloc(1, sizeof *edit);
    if (edit && pl_curves_make(&edit->curves, levels)) {
        edit->vignetting = vignetting;
        return edit;
    }
    lf_modifier_destroy(vignetting);
    free(edit);
    return NULL;
}

void ln_edit_free(ln_edit *edit)
{
    if (!edit)
        return;
    pl_curves_free(&edit->curves);
    lf_modifier_destroy(edit->vignetting);
    free(edit);
}

/* The pixels that lensfun computes at once. It adds up small steps, so runs begin at multiples of this in each tile. */
#define RUN 64

/* The share of light of adjacent pixels of a row, from the start of a run on. Space for one run more than needed. */
static void find_shares(const ln_edit *edit, int first, int end, int top, float *shares)
{
    for (int start = first; start < end; start += RUN) {
        float *share = shares + (start - first);
        for (int i = 0; i < RUN; i++)
            share[i] = 1;
        lf_modifier_apply_color_modification(
            edit->vignetting, share, (float) start, (float) top, RUN, 1, LF_CR_1(INTENSITY), 0);
    }
}

PL_INLINE void lighten_row(
    const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left, int top)
{
    const ln_edit *lens = edit;
    const size_t size = (size_t) bands * (is_byte ? 1 : 2);
    float color[3][PL_BLOCK], shares[PL_BLOCK + 2 * RUN];
    for (int start = 0; start < pixels; start += PL_BLOCK) {
        const int count = pixels - start < PL_BLOCK ? pixels - start : PL_BLOCK;
        const void *from = (const uint8_t *) source + (size_t) start * size;
        const int within = (left + start) % RUN;
        find_shares(lens, left + start - within, left + start + count, top, shares);
        const float *share = shares + within;
        pl_load(&lens->curves, from, is_byte, bands, count, color);
        for (int band = 0; band < 3; band++)
            for (int i = 0; i < count; i++)
                color[band][i] = pl_clamped(color[band][i] / pl_at_least(share[i], LEAST_SHARE));
        pl_encode(&lens->curves, count, color);
        pl_store(color, from, (uint8_t *) destination + (size_t) start * size, is_byte, bands, count);
    }
}

PL_ROW_FUNCTIONS(ln_row, ln_plain_row, lighten_row)

static void release(void *edit) { ln_edit_free(edit); }

int ln_image(VipsImage *source, ln_edit *edit, VipsImage **result)
{
    return pl_image(source, edit, ln_row, release, result);
}
